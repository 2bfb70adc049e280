import { expect, it } from 'vitest';
import { resolveReferences } from './run-batch.js';

const answers = new Map<string, unknown>([['a', { data: { id: 7, tags: [{ id: 1 }, { id: 2 }] } }]]);

it('puts in what earlier operations answered, at any depth', () => {
  const body = { author: { $ref: 'a.data.id' }, tags: [{ tag: { $ref: 'a.data.tags.1.id' } }], $ref: 'a.data.id', note: '$ref' };
  expect(resolveReferences(body, answers)).toEqual({ author: 7, tags: [{ tag: 2 }], $ref: 'a.data.id', note: '$ref' });
});

it.each(['b.data', 'a.data.name', 'a.__proto__.x', 'a.data.id.x', 5, null])('refuses %j', (reference) => {
  expect(() => resolveReferences([{ $ref: reference }], answers)).toThrow('"$ref"');
});
