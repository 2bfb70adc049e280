import { expect, it } from 'vitest';
import { describeExcess, findExcess, isNestedTooDeeply, queryBounds } from './json-nesting.js';

const { containers, keys } = queryBounds;
const listOf = (text: string, count: number): string => `[${Array.from({ length: count }, () => text).join()}]`;

it('counts levels, containers and keys outside of strings', () => {
  expect(isNestedTooDeeply('['.repeat(100))).toBe(false);
  expect(isNestedTooDeeply('['.repeat(101))).toBe(true);
  expect(isNestedTooDeeply(listOf('{"a":[]}', 100_000))).toBe(false);
  expect(findExcess('['.repeat(101), queryBounds)).toBe('levels');
  expect(findExcess(listOf('{}', containers - 1), queryBounds)).toBe(null);
  expect(findExcess(listOf('[]', containers), queryBounds)).toBe('containers');
  expect(findExcess(`{${listOf('"a":1', keys).slice(1, -1)}}`, queryBounds)).toBe(null);
  expect(findExcess(`{${listOf('"a":1', keys + 1).slice(1, -1)}}`, queryBounds)).toBe('keys');
  expect(findExcess(listOf('"{[\\":"', 100_000), queryBounds)).toBe(null);
});

it('names the bound that is exceeded', () => {
  expect((['levels', 'containers', 'keys'] as const).map((excess) => describeExcess(excess, queryBounds))).toEqual([
    'is nested deeper than 100 levels',
    'has more than 20000 objects and lists',
    'has more than 20000 keys',
  ]);
});
