// Reads items and groups of items, by the query that REST takes.

import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import type { ParsedQuery } from '../../../core/query/query.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import { partsOfKey } from '../../../service/operations/carried-values.js';
import { collectionsFor } from '../../../service/operations/open-rule.js';
import { boolean, described, document, integer, itemKey, list, text, withDefault } from '../../../service/operations/shape.js';
import { listAnswer, mostItems, valueAnswer } from './bounded-answer.js';
import { namedCollection, type ToolCall, tool } from './tool.js';

const absent = undefined;
const usualLimit = 50;
const names = withDefault(list(text()), absent);
const limit = described(withDefault(integer(0, mostItems), usualLimit), `${usualLimit} unless said otherwise.`);
const offset = withDefault(integer(0, 2 ** 31 - 1), 0);

const listing = {
  filter: described(
    withDefault(document(), absent),
    'Such as {"_and":[{"status":{"_eq":"open"}},{"author":{"name":{"_icontains":"ann"}}}]}.',
  ),
  search: described(withDefault(text(), absent), 'A text that any field may contain.'),
  sort: described(names, 'Names of fields; "-" before a name sorts downwards.'),
  limit,
  offset,
};

export const read = tool({
  name: 'read',
  title: 'Read items',
  description:
    'Items of a collection, as far as the key may see them: a list by filter, search and sort, or one item by its key. At most 200 items and 32 KB; "next_offset" says where a list that was cut goes on.',
  effect: 'reads',
  input: {
    collection: text(),
    key: described(withDefault(itemKey, absent), 'Only this item; the parts of a composite key are joined by commas.'),
    fields: described(names, 'Names, "*", and paths through relations such as "author.name". Everything of the item itself without it.'),
    ...listing,
    deep: described(withDefault(document(), absent), 'For related items, such as {"comments":{"_filter":{},"_sort":["-id"],"_limit":5}}.'),
    alias: described(withDefault(document(), absent), 'Other names for fields, such as {"latest":"comments"}.'),
    count: described(withDefault(boolean, false), 'Also count the items that the filter leaves.'),
  },
  isOpen: ({ view }) => collectionsFor(view, 'read').length > 0,
  run: async (call, { collection: name, key, count, ...query }) => {
    const collection = namedCollection(call.work.caller, name);
    const { reader } = call.deps.serve.operations;
    if (key !== undefined || collection.singleton) {
      const parsed = parse(call, { fields: query.fields, deep: query.deep, alias: query.alias });
      const item =
        key === undefined ? reader.singleton(call.work, name, parsed) : reader.item(call.work, name, partsOfKey(collection, key), parsed);
      return valueAnswer(await item);
    }
    return readList(call, name, { ...query, ...(count ? { meta: ['filter_count'] } : {}) });
  },
});

export const aggregate = tool({
  name: 'aggregate',
  title: 'Count and sum up',
  description: 'Counts, sums, averages and extremes of a collection, for all items or by group.',
  effect: 'reads',
  input: {
    collection: text(),
    aggregate: described(
      document(),
      'Functions with names of fields, such as {"count":["*"],"avg":["price"]}: count, countDistinct, countAll, sum, sumDistinct, avg, avgDistinct, min, max.',
    ),
    groupBy: described(names, 'Names of fields, and functions of dates such as "year(created)".'),
    having: described(withDefault(document(), absent), 'A filter of the groups.'),
    ...listing,
  },
  isOpen: ({ view }) => collectionsFor(view, 'read').length > 0,
  run: async (call, { collection, ...query }) => {
    namedCollection(call.work.caller, collection);
    return readList(call, collection, query);
  },
});

export const parse = ({ deps }: ToolCall, query: PlainObject): ParsedQuery => parseQueryObject(query, deps.serve.operations.limits);

/** Of any collection; names and rows are those that the caller may see. */
export async function readList(call: ToolCall, collection: string, query: PlainObject): Promise<string> {
  const { items, meta } = await call.deps.serve.operations.reader.items(call.work, collection, parse(call, query));
  const { offset: skipped } = query;
  return listAnswer(items, typeof skipped === 'number' ? skipped : 0, meta);
}

export { limit, offset };
