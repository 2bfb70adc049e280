// Generated names of fields that have no column. They must be usable in a path, so characters of the query grammar become underscores, and
// they are cut to the longest name a query accepts.

import { createHash } from 'node:crypto';

const maxBytes = 63;
const digestLength = 6;

/** `tenant_id_order_id`. A single column keeps its name. */
export function joinNames(names: readonly string[]): string {
  const [only = '', ...more] = names;
  return more.length === 0 ? only : cut(names.map(writable).join('_'));
}

/** `books_by_author`. */
export const nameBy = (collection: string, field: string): string => cut(`${writable(collection)}_by_${writable(field)}`);

/** A table of another schema in GraphQL's spelling, `sales__orders`. */
export const nameOfTable = (schema: string | null, name: string): string =>
  cut(schema === null ? writable(name) : `${writable(schema)}__${writable(name)}`);

/** Appends some digits of a digest of `text`; the result does not depend on which other names exist. */
export const nameWithDigest = (name: string, text: string): string => cutTo(name, maxBytes - digestLength - 1) + digestOf(text);

const digestOf = (text: string): string => `_${createHash('sha256').update(text).digest('hex').slice(0, digestLength)}`;

const writable = (name: string): string => name.replace(/[.,:()]/g, '_');

/** Two long names may share their beginning, so the digest covers the part that is cut off. */
const cut = (name: string): string => (Buffer.byteLength(name) > maxBytes ? nameWithDigest(name, name) : name);

function cutTo(name: string, bytes: number): string {
  let text = '';
  let length = 0;
  for (const character of name) {
    length += Buffer.byteLength(character);
    if (length > bytes) break;
    text += character;
  }
  return text;
}
