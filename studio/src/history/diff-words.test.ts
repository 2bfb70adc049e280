import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffWords } from './diff-words.js';

describe('the difference of two texts', () => {
  it('is shown by words', () => {
    expect(diffWords('The old house stands.', 'The new house stands here.')).toEqual([
      { kind: 'same', text: 'The ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' house stands' },
      { kind: 'added', text: ' here' },
      { kind: 'same', text: '.' },
    ]);
  });

  it('contains both texts', () => {
    const words = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'ö', '.'), { maxLength: 40 }).map((list) => list.join(''));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const parts = diffWords(before, after);
        const without = (kind: string) => parts.filter((each) => each.kind !== kind).map(({ text }) => text);
        expect(without('added').join('')).toBe(before);
        expect(without('removed').join('')).toBe(after);
      }),
    );
  });

  it('of very long texts is a replacement', () => {
    const long = 'word '.repeat(2000);
    expect(diffWords(long, `${long}.`).map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });
});
