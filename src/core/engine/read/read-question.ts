// What a read asks for, as the runner prepares it: a list, the items of some keys, or one item.

import { lookUpCollection } from '../../access/view.js';
import { emptyQuery, type ParsedQuery, type Query } from '../../query/query.js';
import type { Work } from '../work/work.js';
import { readKeyValue } from './item-key.js';
import type { ReadQuestion, Target } from './prepared-read.js';

const list: Target = { kind: 'list' };

/** `keys`: only these items; keys that match no item are ignored, as by a filter. */
export function listQuestion(work: Pick<Work, 'caller'>, name: string, parsed: ParsedQuery, keys: readonly unknown[] | null): ReadQuestion {
  if (keys === null) return { collection: name, query: parsed.query, literals: parsed.literals, target: list, streamed: false };
  const collection = lookUpCollection(work.caller.view, name, 'read');
  const fitting = keys.map((key) => readKeyValue(collection, key)).filter((key) => key !== null);
  const listed = collection.primaryKey.length > 1 ? fitting : fitting.map((parts) => parts[0]);
  return {
    collection: name,
    query: parsed.query,
    literals: [...parsed.literals, listed],
    target: { kind: 'keys', count: collection.primaryKey.length > 1 ? listed.length : 1 },
    streamed: false,
  };
}

const singles = new WeakMap<Query, Query>();

/** Returns the same object for the same query, so that its shape is written once. */
export function singleQuery(query: Query): Query {
  const known = singles.get(query);
  if (known !== undefined) return known;
  const single = { ...query, limit: 1, offset: null, sort: emptyQuery.sort };
  singles.set(query, single);
  return single;
}

export const itemQuestion = (collection: string, keyParts: readonly unknown[], { query, literals }: ParsedQuery): ReadQuestion => ({
  collection,
  query: singleQuery(query),
  literals: [...literals, ...keyParts],
  target: { kind: 'one' },
  streamed: false,
});
