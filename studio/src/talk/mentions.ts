// Mentions in comments. The service stores `@` and the id of a user; people type and read names. A draft is the text with names and, beside it,
// whom each name stands for.

import { type Person, personName } from '../schema/person.js';

export interface Draft {
  readonly text: string;
  /** The ids of the people who were picked, by their names in the text. */
  readonly people: Readonly<Record<string, string>>;
}

export const emptyDraft: Draft = { text: '', people: {} };

const mention = /@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])/gi;

export const mentionedUsers = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(mention)].map(([, user = '']) => user.toLowerCase())),
];

/** A stored text in pieces; `user`: the piece mentions somebody. */
export interface Piece {
  readonly text: string;
  readonly user: string | null;
}

export function piecesOf(stored: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: whole, 1: user = '', index } of stored.matchAll(mention)) {
    if (index > at) pieces.push({ text: stored.slice(at, index), user: null });
    pieces.push({ text: whole, user: user.toLowerCase() });
    at = index + whole.length;
  }
  if (at < stored.length) pieces.push({ text: stored.slice(at), user: null });
  return pieces;
}

/** The draft of a stored text. Unknown users keep their id. */
export function draftOf(stored: string, known: ReadonlyMap<string, Person>): Draft {
  const people: Record<string, string> = {};
  const texts = piecesOf(stored).map(({ text, user }) => {
    const person = user === null ? undefined : known.get(user);
    if (person === undefined) return text;
    const name = freeName(people, person);
    people[name] = person.id;
    return `@${name}`;
  });
  return { text: texts.join(''), people };
}

/** Two people may have the same name. */
function freeName(people: Draft['people'], person: Person): string {
  const name = personName(person);
  const isFree = (each: string): boolean => (people[each] ?? person.id) === person.id;
  if (isFree(name)) return name;
  const longer = person.email ? `${name} (${person.email})` : name;
  return isFree(longer) ? longer : `${name} (${person.id.slice(0, 8)})`;
}

/** The text to store. Longer names go first: "Ann" may be the beginning of "Ann Lee". */
export function storedText({ text, people }: Draft): string {
  const names = Object.keys(people).toSorted((left, right) => right.length - left.length);
  if (names.length === 0) return text;
  const known = new RegExp(`@(${names.map(escapeRegex).join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return text.replace(known, (whole, name: string) => (Object.hasOwn(people, name) ? `@${people[name]}` : whole));
}

const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** The name that is being typed in front of the cursor: the place of its `@`, and what follows it. */
export interface MentionQuery {
  readonly at: number;
  readonly text: string;
}

/** A name has two words at most. */
const beginning = /(?<=^|[\s(])@([^\s@]{0,40}(?: [^\s@]{0,40})?)$/u;

export function mentionQueryAt({ text, people }: Draft, cursor: number): MentionQuery | null {
  const found = beginning.exec(text.slice(0, cursor));
  if (found === null) return null;
  const [, name = ''] = found;
  // A picked name is not searched again, but a longer word is: "Annika" after "Ann" was picked.
  const isPicked = (known: string): boolean => name.startsWith(known) && !/^[\p{L}\p{N}]/u.test(name.slice(known.length));
  return Object.keys(people).some(isPicked) ? null : { at: found.index, text: name };
}

/** The draft with the person in place of what was typed, and where the cursor goes. */
export function withPerson(
  draft: Draft,
  { at }: MentionQuery,
  cursor: number,
  person: Person,
): { readonly draft: Draft; readonly cursor: number } {
  const name = freeName(draft.people, person);
  const rest = draft.text.slice(cursor).replace(/^ /, '');
  const before = `${draft.text.slice(0, at)}@${name} `;
  return { draft: { text: before + rest, people: { ...draft.people, [name]: person.id } }, cursor: before.length };
}
