// What a screen reads, as its own code asks for it, and which collection that is. Pure, imports no framework.

import { keyOfSegment } from '../schema/item-key.js';
import { type Collection, type Schema, withoutPrefix } from '../schema/model.js';

export type Query = Readonly<Record<string, unknown>>;

/** A path with its query, or a GraphQL document for the system's endpoint. */
export type ApiRequest = { readonly path: string; readonly query?: Query } | { readonly document: string };

/** Where the service is, and with whose rights the screen is shown (`X-View-As`). */
export interface Origin {
  /** Without a slash at the end. */
  readonly url: string;
  readonly viewAs: string | null;
}

/** The items that a path names: all of a collection, or the one with a key. */
export interface Target {
  readonly collection: Collection;
  readonly key: string | null;
}

/** Null for paths that name no items. */
export function targetOf(schema: Schema, path: string): Target | null {
  const [first = '', ...rest] = path.slice(1).split('/');
  const [encoded = '', segment] = first === 'items' ? rest : [first, ...rest];
  const name = decodeURIComponent(encoded);
  const collection = [...schema.values()].find((each) =>
    first === 'items' ? each.name === name && !each.isSystem : each.isSystem && withoutPrefix(each.name) === name,
  );
  if (collection === undefined || structure.has(first)) return null;
  return { collection, key: segment === undefined ? null : keyOfSegment(collection, segment) };
}

/** Not items, though the service keeps what people configured of them in collections of these names. */
const structure = new Set(['collections', 'fields', 'relations']);

/** What does not fit a URL travels in the body of a SEARCH. */
export const isLong = (query: Query): boolean => encodeURIComponent(JSON.stringify(query)).length > 2000;
