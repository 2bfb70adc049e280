import { describe, expect, it } from 'vitest';
import { draftOf, mentionedUsers, mentionQueryAt, piecesOf, storedText, withPerson } from './mentions.js';

const ann = { id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', first_name: 'Ann', email: 'ann@example.com' };
const lee = { id: '7f9619ff-8b86-4d01-b42d-00cf4fc964ff', first_name: 'Ann', last_name: 'Lee' };
const twin = { id: '8f9619ff-8b86-4d01-b42d-00cf4fc964ff', first_name: 'Ann', email: 'twin@example.com' };
const known = new Map([ann, lee, twin].map((person) => [person.id, person]));
const stored = `@${lee.id}, ask @${ann.id} (@${twin.id}) or @${ann.id.replace('6', '9')}`;

describe('mentions in comments', () => {
  it('are shown as names and stored as ids, even if names overlap', () => {
    const draft = draftOf(stored, known);
    expect(draft.text).toBe(`@Ann Lee, ask @Ann (@Ann (twin@example.com)) or @${ann.id.replace('6', '9')}`);
    expect(storedText(draft)).toBe(stored);
    expect(mentionedUsers(stored)).toHaveLength(4);
    expect(
      piecesOf(stored)
        .map(({ text }) => text)
        .join(''),
    ).toBe(stored);
    expect(piecesOf(`a @${ann.id.toUpperCase()}`)).toEqual([
      { text: 'a ', user: null },
      { text: `@${ann.id.toUpperCase()}`, user: ann.id },
    ]);
  });

  it('are only those whose whole name is still there', () => {
    const people = { Ann: ann.id };
    expect(storedText({ text: '@Annabel @Ann, @ann', people })).toBe(`@Annabel @${ann.id}, @ann`);
    expect(storedText({ text: '@constructor', people })).toBe('@constructor');
    expect(storedText({ text: '@$1 @a.b', people: { 'a.b': ann.id, $1: lee.id } })).toBe(`@${lee.id} @${ann.id}`);
  });

  it('are looked for from an @ at the beginning of a word', () => {
    const queryOf = (text: string, people = {}) => mentionQueryAt({ text, people }, text.length);
    expect(queryOf('Hello @')).toEqual({ at: 6, text: '' });
    expect(queryOf('@Ann L')).toEqual({ at: 0, text: 'Ann L' });
    for (const text of ['Hello', 'mail@example', '@Ann Lee said', '@\nAnn']) expect([text, queryOf(text)]).toEqual([text, null]);
    for (const text of ['@Ann', '@Ann and', '@Ann,']) expect([text, queryOf(text, { Ann: ann.id })]).toEqual([text, null]);
    expect(queryOf('@Annika', { Ann: ann.id })).toEqual({ at: 0, text: 'Annika' });
  });

  it('replace what was typed, and the cursor follows them', () => {
    const draft = { text: 'see @le and', people: {} };
    const found = mentionQueryAt(draft, 7);
    if (found === null) throw new Error('nothing is looked for');
    expect(withPerson(draft, found, 7, lee)).toEqual({ draft: { text: 'see @Ann Lee and', people: { 'Ann Lee': lee.id } }, cursor: 13 });
  });
});
