// Names of stored contents. The service generates them and never takes one from a client: one segment for an uploaded content, two for
// a variant of it. The rows of an adopted database name contents in the way of the server that stored them.

import { createHash, randomUUID } from 'node:crypto';

const segment = /^[A-Za-z0-9][A-Za-z0-9-]{0,80}(?:\.[A-Za-z0-9]{1,10})?$/;
const extension = /\.([A-Za-z0-9]{1,10})$/;

/** Keeps the extension for people who look into the storage; the service does not read it. */
export function makeContentName(filename: string): string {
  const [, ending] = extension.exec(filename) ?? [];
  return ending === undefined ? randomUUID() : `${randomUUID()}.${ending.toLowerCase()}`;
}

/** The prefix of all folders with variants. */
export const variantPrefix = 'variants-';

/** The folder of all variants of a content. */
export const variantFolder = (name: string): string => `${variantPrefix}${segment.test(name) ? name.replace(/\..*$/, '') : digestOf(name)}`;

export function variantName(name: string, description: string, ending: string): string {
  return `${variantFolder(name)}/${digestOf(description)}.${ending}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** Whether a name could come from the functions above. */
export function isGeneratedName(name: string): boolean {
  const segments = name.split('/');
  return segments.length <= 2 && segments.every((part) => segment.test(part));
}

/** The same name; throws if the service did not generate it. Only such names are written to. */
export function generated(name: string): string {
  if (!isGeneratedName(name)) throw new Error('not the name of a new content');
  return name;
}

const foundSegment = /^(?!\.)[^\\\p{Cc}\p{Surrogate}]{1,255}$/u;
const mostSegments = 10;

/** Whether a content may have the name: a path below the storage's root, without hidden files. Anything else is refused. */
export function isContentName(name: string): boolean {
  const segments = name.split('/');
  return segments.length <= mostSegments && segments.every((part) => foundSegment.test(part));
}
