// Query parameters of reading, as everywhere the same.

import type { Json } from './json.js';

const text: Json = { type: 'string' };

const parameter = (name: string, description: string, schema: Json): Json => ({ name, in: 'query', required: false, description, schema });

export const parameters: Readonly<Record<string, Json>> = {
  fields: parameter('fields', 'Fields to answer, as dot paths through relations; `*` is all of a level.', text),
  filter: parameter('filter', 'Which items, as JSON: `{"year":{"_gte":2000}}`.', text),
  sort: parameter('sort', 'Fields to sort by, separated by commas; `-` before a field turns it round.', text),
  limit: parameter('limit', 'Items of a page; -1 is all of them.', { type: 'integer' }),
  offset: parameter('offset', 'Items to leave out before the page.', { type: 'integer' }),
  page: parameter('page', 'Number of the page, from 1.', { type: 'integer' }),
  search: parameter('search', 'A text that some field of the item holds.', text),
  deep: parameter('deep', 'Filter, sort and limit of nested lists, as JSON.', text),
  aggregate: parameter('aggregate', 'Functions over the items, as JSON: `{"count":"*"}`.', text),
  groupBy: parameter('groupBy', 'Fields to group by, separated by commas.', text),
  meta: parameter('meta', 'Numbers beside the items: total_count, filter_count.', text),
};

export const listParameters = Object.keys(parameters);
export const itemParameters = ['fields', 'deep'];
