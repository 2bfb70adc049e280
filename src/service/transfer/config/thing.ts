// One thing of the configuration: a collection, a role, a policy with its permissions, the translations of a language. Each is one file of YAML
// whose text depends on the thing alone: keys in a fixed order, nothing that is at its default.

import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { isPlainObject } from '../../../core/util/plain-object.js';

export type Document = Readonly<Record<string, unknown>>;

export interface Thing {
  /** `collections`, or the name of a system collection without its prefix. */
  readonly kind: string;
  /** What stays the same when the thing is renamed or changed. */
  readonly key: string;
  /** Of its file, in the folder. */
  readonly path: string;
  readonly document: Document;
}

/** Identifies a thing among all. */
export const thingId = ({ kind, key }: Pick<Thing, 'kind' | 'key'>): string => `${kind}/${key}`;

export const textOfThing = ({ document }: Pick<Thing, 'document'>): string =>
  stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });

export const digestOfThing = (thing: Pick<Thing, 'document'>): string =>
  createHash('sha256').update(textOfThing(thing)).digest('hex').slice(0, 16);

/** A refusal that a person reads: nothing was changed. */
export class ConfigurationRefused extends Error {
  override readonly name = 'ConfigurationRefused';
}

/** JSON with the keys of objects in order: some vendors do not keep the order in which they were written. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, inOrder(value[key])]),
  );
}

export const isSameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(inOrder(one ?? null)) === JSON.stringify(inOrder(other ?? null));

const plainName = /^[a-z0-9][a-z0-9_-]{0,60}$/;

/** A name for a file: the text itself where every file system keeps it, else what resembles it with a digest. */
export function fileName(text: string): string {
  if (plainName.test(text)) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 6);
  return `${slug(text)}--${digest}`;
}

export const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'unnamed';
