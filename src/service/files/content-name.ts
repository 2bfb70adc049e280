// Names of contents: made here, never taken from outside. One segment for a content, two for what was derived from it.

import { createHash, randomUUID } from 'node:crypto';

const segment = /^[A-Za-z0-9][A-Za-z0-9-]{0,80}(?:\.[A-Za-z0-9]{1,10})?$/;
const extension = /\.([A-Za-z0-9]{1,10})$/;

/** The extension is kept for people who look into the storage; nobody reads it. */
export function makeContentName(filename: string): string {
  const [, ending] = extension.exec(filename) ?? [];
  return ending === undefined ? randomUUID() : `${randomUUID()}.${ending.toLowerCase()}`;
}

/** Where everything derived from a content lies. */
export const variantFolder = (name: string): string => `variants-${name.replace(/\..*$/, '')}`;

export function variantName(name: string, description: string, ending: string): string {
  const digest = createHash('sha256').update(description).digest('hex').slice(0, 40);
  return `${variantFolder(name)}/${digest}.${ending}`;
}

/** False for anything the two functions above do not make: what leads elsewhere is no name. */
export function isContentName(name: string): boolean {
  const segments = name.split('/');
  return segments.length <= 2 && segments.every((part) => segment.test(part));
}
