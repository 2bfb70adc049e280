import { expect, it } from 'vitest';
import { without } from './desk.js';

const value = { collection: 'a', field: 'b', effect: 'deleted', count: 3 } as const;
const view = { kind: 'view', name: 'v' } as const;

it('shows what a change adds to those before it', () => {
  const before = { statements: ['one', 'two'], values: [value], breaks: [] };
  const all = { statements: ['one', 'two', 'two', 'three'], values: [value, { ...value, count: 4 }], breaks: [view] };
  expect(without(all, before)).toEqual({ statements: ['two', 'three'], values: [{ ...value, count: 4 }], breaks: [view] });
  expect(without(all, { statements: [], values: [], breaks: [] })).toEqual(all);
});
