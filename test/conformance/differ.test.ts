import { expect, it } from 'vitest';
import { differ } from './differ.js';

it.each([
  [{ a: 1 }, { a: 1 }, null],
  [{ a: 1 }, { a: 1, b: 2 }, '$.b: not wanted, got 2'],
  [{ a: 1, '...': true }, { a: 1, b: 2 }, null],
  [{ a: '<int>' }, { a: 1.5 }, '$.a: wanted <int>, got 1.5'],
  [{ a: '<absent>' }, {}, null],
  [[1, 2], [2, 1], '$[0]: wanted 1, got 2'],
  [{ '<unordered>': [1, 2] }, [2, 1], null],
  [{ '<unordered>': [1, 2] }, [2, 1, 3], '$: wanted 2 entries, got 3: [2,1,3]'],
  [{ '<contains>': [{ a: 1 }] }, [{ a: 2 }, { a: 1 }], null],
  [{ '<contains>': [3] }, [1, 2], '$: no entry like 3 in [1,2]'],
  ['1', 1, '$: wanted "1", got 1'],
])('compares %j with %j', (expected, actual, difference) => {
  expect(differ(expected, actual)).toBe(difference);
});
