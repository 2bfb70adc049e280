import { expect, it } from 'vitest';
import { escapeName, joinPath, nameOfStep, splitNames, splitPath } from './field-path.js';

it.each([
  ['title', 'title'],
  ['2nd half, total', '2nd half\\, total'],
  ['Price (EUR)', 'Price \\(EUR\\)'],
  ['a.b:c', 'a\\.b\\:c'],
  ['_and', '\\_and'],
  ['-x', '\\-x'],
  ['back\\slash', 'back\\\\slash'],
])('%s is written %s, and read as it was', (name, written) => {
  expect(escapeName(name)).toBe(written);
  expect(splitPath(joinPath(['author', name, 'x']))).toEqual(['author', name, 'x']);
  expect(splitNames([written, 'id'].join(','))).toEqual([written, 'id']);
});

it('takes the step of a filter by its own name, too', () => {
  const isName = (name: string) => name === 'Price (EUR)';
  expect([nameOfStep('Price (EUR)', isName), nameOfStep('Price \\(EUR\\)', isName)]).toEqual(['Price (EUR)', 'Price (EUR)']);
});
