// Items together with their keys, for subscriptions, which compare a list with its earlier state. The keys are read under names that no
// field has, in front of the fields, so that the text of an item can be cut off without parsing it.

import { fieldRules, lookUpCollection, type SchemaView, visibleFields } from '../../access/view.js';
import { invalidQuery } from '../../errors/service-error.js';
import { rootOf } from '../../plan/names/value-source.js';
import { reachedCollections } from '../../plan/read/reached-collections.js';
import { selectingColumns } from '../../plan/read/selecting-columns.js';
import type { ParsedQuery, Selection } from '../../query/query.js';
import type { Collection } from '../../schema/schema.js';
import type { Key, Work } from '../work/work.js';
import type { PreparedRead, ReadQuestion } from './prepared-read.js';

export interface KeyedItem {
  readonly key: Key;
  readonly text: string;
  /** A digest of what the caller may read of the item besides the text. */
  readonly rest: string;
}

/** What a list depends on: when none of it changes, its answer stays the same. */
export interface ListFacts {
  readonly collection: Collection;
  /** Collections whose items the answer depends on besides its own; the own one too where a relation leads back to it. */
  readonly reached: ReadonlySet<Collection>;
  /** Whether every item of the collection is in the list. */
  readonly isWhole: boolean;
  /**
   * The fields of the collection of which a write may show in the list: those that the caller may read of every item that it sees, and those
   * that decide which items these are.
   */
  readonly shown: ReadonlySet<string>;
  /** Whether there is no other field. */
  readonly showsAll: boolean;
  /** The dynamic values that it depends on, such as `$CURRENT_USER` and `$NOW`. */
  readonly dynamic: readonly string[];
}

const markOf = (index: number): string => `$key${index}`;
const restMark = '$rest';

/** The same query with the key in front of each item, and a digest of the rest of it. */
export function withKeys({ caller }: Pick<Work, 'caller'>, name: string, parsed: ParsedQuery): ParsedQuery {
  const { primaryKey } = lookUpCollection(caller.view, name, 'read');
  if (primaryKey.length === 0) throw invalidQuery(`"${name}" has no primary key, so its items cannot be identified.`);
  const marks = primaryKey.map(
    (field, index): Selection => ({
      kind: 'field',
      field: { name: field, fn: null, args: [], scope: null },
      as: markOf(index),
      children: [],
      scopes: {},
    }),
  );
  const { query } = parsed;
  const fields: readonly Selection[] = query.fields.length === 0 ? [{ kind: 'wildcard', children: [] }] : query.fields;
  return { ...parsed, query: { ...query, fields: [...marks, { kind: 'rest', as: restMark }, ...fields] }, meta: [] };
}

const part = String.raw`("(?:[^"\\]|\\.)*"|[^,}\]]+)`;
const patterns = new Map<number, RegExp>();

function patternOf(parts: number): RegExp {
  const known = patterns.get(parts);
  if (known !== undefined) return known;
  const names = [...Array.from({ length: parts }, (_, index) => markOf(index)), restMark];
  const marks = names.map((name) => String.raw`"${name.replace('$', String.raw`\$`)}"\s*:\s*${part}`);
  const pattern = new RegExp(String.raw`^\{\s*${marks.join(String.raw`\s*,\s*`)}\s*,?\s*`);
  patterns.set(parts, pattern);
  return pattern;
}

/** null for an item whose key the caller may not see. */
export function cutKey(text: string, { primaryKey }: Pick<Collection, 'primaryKey'>): KeyedItem | null {
  const found = patternOf(primaryKey.length).exec(text);
  if (found === null) throw new Error('an item was answered without its key');
  const values = found.slice(1).map((json) => JSON.parse(json) as string | number | null);
  const [parts, rest] = [values.slice(0, -1), values.at(-1)];
  if (parts.includes(null)) return null;
  const [only = ''] = parts as readonly (string | number)[];
  const key = parts.length === 1 ? only : (parts as readonly (string | number)[]);
  return { key, text: `{${text.slice(found[0].length)}`, rest: String(rest) };
}

export function listFacts(view: SchemaView, { collection, bound, statement }: PreparedRead, { query, literals }: ReadQuestion): ListFacts {
  if (bound.kind !== 'read') throw invalidQuery('Groups and totals cannot be followed: leave out "aggregate" and "groupBy".');
  const dynamic = statement.params.flatMap(({ source }) => {
    const root = rootOf(source);
    const value = root.kind === 'slot' ? literals[root.slot] : root.kind === 'rule' ? root.value : null;
    return [value].flat().filter((text): text is string => typeof text === 'string' && text.startsWith('$'));
  });
  const isWhole = bound.read.page.filter === null && query.search === null;
  const readable = visibleFields(view, collection, 'read').filter(({ name }) => fieldRules(view, collection.name, name, 'read') === 'all');
  const shown = new Set([...readable.map(({ name }) => name), ...selectingColumns(bound.read.page)]);
  const showsAll = [...collection.fields.values()].every(({ kind, name }) => kind !== 'column' || shown.has(name));
  return { collection, reached: reachedCollections(bound.read), isWhole, shown, showsAll, dynamic };
}
