// Mentions in the text of a comment: `@` and the id of a user.

import { invalidPayload } from '../../../core/errors/service-error.js';

const mention = /@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])/gi;
const maxMentions = 50;
/** Characters of a text that a notification repeats. */
const maxMessage = 5_000;

/** The ids of the mentioned users, each once. */
export const mentionedUsers = (text: unknown): readonly string[] =>
  typeof text === 'string' ? [...new Set([...text.matchAll(mention)].map(([, user = '']) => user.toLowerCase()))] : [];

/** The users that `text` mentions and `before` does not. */
export function newlyMentioned(text: unknown, before: unknown): readonly string[] {
  const known = new Set(mentionedUsers(before));
  const users = mentionedUsers(text).filter((user) => !known.has(user));
  if (users.length > maxMentions) throw invalidPayload(`A comment mentions at most ${maxMentions} users, this one ${users.length}.`);
  return users;
}

/** The text with the names that are known; other mentions stay as they are. A long text is cut at its end. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  const named = text.replace(mention, (whole, user: string) => {
    const name = names.get(user.toLowerCase());
    return name === undefined ? whole : `@${name}`;
  });
  // Does not cut a surrogate pair in half.
  return named.length <= maxMessage ? named : `${named.slice(0, maxMessage).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
