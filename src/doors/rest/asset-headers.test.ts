import { expect, it } from 'vitest';
import { parseRange } from './asset-headers.js';

const whole = { size: 10, etag: '"a"' };

it.each([
  [undefined, null],
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=5-500', { first: 5, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // What cannot be read, and several ranges at once, are answered by the whole.
  ['bytes=9-1', null],
  ['bytes=-', null],
  ['lines=1-2', null],
  [`bytes=${Array.from({ length: 1000 }, (_, index) => `${index}-${index}`).join(',')}`, null],
])('F11: %s', (header, range) => {
  expect(parseRange(header, undefined, whole)).toEqual(range);
});

it('counts only for the content it was asked of', () => {
  expect(parseRange('bytes=0-3', '"a"', whole)).toEqual({ first: 0, last: 3 });
  expect(parseRange('bytes=0-3', '"b"', whole)).toBeNull();
});
