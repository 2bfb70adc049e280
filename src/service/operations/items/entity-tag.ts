// Entity tags of single items. A tag contains the query that the item was read with and a digest of the answer, so that `If-Match` can test
// whether that answer would be the same now. A read pays only for the digest.

import { hash } from 'node:crypto';
import { invalidPayload } from '../../../core/errors/service-error.js';

/** Longer queries would make tags that proxies drop. */
const longestQuery = 1000;
const mostTags = 20;

/** With its quotes; null when the query is too long for a tag. */
export function makeTag(query: string, item: string): string | null {
  if (query === '') return `"${digestOf(item)}"`;
  const encoded = query.includes('access_token') ? encodeQuery(withoutToken(query)) : encodeCached(query);
  return encoded === null ? null : `"${digestOf(item)}${encoded}"`;
}

const digestOf = (item: string): string => hash('sha1', item, 'base64url');

/** What follows the digest; null when the query is too long. */
function encodeQuery(query: string): string | null {
  if (query.length > longestQuery) return null;
  return query === '' ? '' : `.${Buffer.from(query).toString('base64url')}`;
}

const mostKept = 500;
const kept = new Map<string, string>();

/** Cached, because clients repeat the same few queries. */
function encodeCached(query: string): string | null {
  const known = kept.get(query);
  if (known !== undefined) return known;
  if (kept.size >= mostKept) kept.clear();
  const encoded = encodeQuery(query);
  if (encoded !== null) kept.set(query, encoded);
  return encoded;
}

/** A token in the URL must not appear in the tag. */
const withoutToken = (query: string): string =>
  query
    .split('&')
    .filter((pair) => !/^access_token(=|\[|%5B|$)/i.test(pair))
    .join('&');

/** The tags of an If-Match header; 'any' for a star. */
export function readTags(header: string): readonly string[] | 'any' {
  if (header.trim() === '*') return 'any';
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.length > mostTags) throw invalidPayload(`"If-Match" holds more than ${mostTags} tags.`);
  return tags;
}

/** The query a tag was made with; null when the tag is none of ours. */
export function queryOfTag(tag: string): string | null {
  const [, query = ''] = /^"[\w-]{27}(?:\.([\w-]+))?"$/.exec(tag) ?? [null, null];
  return query === null ? null : Buffer.from(query, 'base64url').toString('utf8');
}
