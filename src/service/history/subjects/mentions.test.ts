import { describe, expect, it } from 'vitest';
import { mentionedUsers, newlyMentioned, withNames } from './mentions.js';

const ann = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const ben = '7f9619ff-8b86-4d01-b42d-00cf4fc964ff';

describe('mentions', () => {
  it('are ids behind an @, each once, in any case', () => {
    expect(mentionedUsers(`@${ann}, see @${ben.toUpperCase()}. (@${ann})`)).toEqual([ann, ben]);
    expect(mentionedUsers(`${ann} @ ${ben} @${ann}0 @${ann.slice(1)}`)).toEqual([]);
    expect(mentionedUsers(null)).toEqual([]);
  });

  it('are fifty at most', () => {
    const text = (count: number): string =>
      Array.from({ length: count }, (_, index) => `@${ann.slice(0, -2)}${String(index).padStart(2, '0')}`).join(' ');
    expect(newlyMentioned(text(50), null)).toHaveLength(50);
    expect(newlyMentioned(text(60), text(50))).toHaveLength(10);
    expect(() => newlyMentioned(text(51), '')).toThrow('A comment mentions at most 50 users, this one 51.');
  });

  it('become names where these are known, with any characters in the names', () => {
    expect(withNames(`@${ann.toUpperCase()} and @${ben}`, new Map([[ann, '$& $1']]))).toBe(`@$& $1 and @${ben}`);
  });

  it('leave a long text cut, never within a character', () => {
    const text = withNames(`x${'😀'.repeat(3_000)}`, new Map());
    expect(text).toBe(`x${'😀'.repeat(2_499)}…`);
  });
});
