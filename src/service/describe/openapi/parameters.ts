// Parameters that many operations share.

import { exportFormats } from '../../../core/query/query.js';
import type { Json } from './json.js';

const text: Json = { type: 'string' };
const whole: Json = { type: 'integer' };

const inQuery = (name: string, description: string, schema: Json = text): Json => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});
const inHeader = (name: string, description: string, schema: Json = text): Json => ({
  ...inQuery(name, description, schema),
  in: 'header',
});

const listed = {
  fields: inQuery('fields', 'Fields to answer, as dot paths through relations; `*` is all of a level.'),
  filter: inQuery('filter', 'Which items, as JSON: `{"year":{"_gte":2000}}`.'),
  sort: inQuery('sort', 'Fields to sort by, separated by commas; `-` before a field turns it round.'),
  limit: inQuery('limit', 'Items of a page; `-1` is all of them.', whole),
  offset: inQuery('offset', 'Items to leave out before the page.', whole),
  page: inQuery('page', 'Number of the page, from 1.', whole),
  cursor: inQuery('cursor', 'The page after or before another, as `meta=cursor` returned it.'),
  search: inQuery('search', 'A text that some field of the item holds.'),
  deep: inQuery('deep', 'Filter, sort and limit of nested lists, as JSON.'),
  alias: inQuery('alias', 'Other names for fields, as JSON.'),
  aggregate: inQuery('aggregate', 'Functions over the items, as JSON: `{"count":"*"}`.'),
  groupBy: inQuery('groupBy', 'Fields to group by, separated by commas.'),
  having: inQuery('having', 'Which groups, as JSON: `{"count":{"_gt":1}}`.'),
  meta: inQuery(
    'meta',
    'What to return beside the items: `total_count`, `filter_count`, `cursor`. `filter_count_at_most:1000` stops counting there and returns `">1000"`.',
  ),
  export: inQuery('export', 'The answer as a file of this format; only `csv_raw` keeps what a spreadsheet would run as a formula.', {
    enum: exportFormats,
  }),
};

const versioned: Readonly<Record<string, Json>> = {
  version: inQuery('version', 'Items as their version of this key has them; a list has only those with such a version.'),
  versionRaw: inQuery('versionRaw', 'With `version`: changes of relations as they were saved.', { type: 'boolean' }),
};

export const parameters: Readonly<Record<string, Json>> = {
  ...listed,
  ...versioned,
  on_conflict: inQuery('on_conflict', 'Fields that identify an item: existing items are updated, the rest is created.'),
  idempotency: inHeader('Idempotency-Key', 'A repetition with the same key gets the first answer again, for a day.'),
  lastEvent: inHeader('Last-Event-ID', 'With `Accept: text/event-stream`: the last event that the client has got.'),
  match: inHeader('If-Match', 'Only if the item still is as this entity tag says.'),
  prefer: inHeader('Prefer', '`dry-run` reports what the change would do, and changes nothing.', { enum: ['dry-run'] }),
  revisions: inHeader(
    'Prefer',
    '`revisions` names the revisions that the write has made in `X-Revisions` (`3-5, 9`): all of them, or none where the caller may not read one.',
    { enum: ['revisions'] },
  ),
  viewAs: inHeader(
    'X-View-As',
    'For administrators: the answer that this `user:<id>`, `role:<id>`, `policy:<id>,<id>` or `public` would get.',
  ),
  document: { ...inQuery('query', 'The GraphQL document: queries only.'), required: true },
  variables: inQuery('variables', 'Values of its variables, as JSON.'),
};

export const listParameters = [...Object.keys(listed), ...Object.keys(versioned), 'viewAs'];
export const itemParameters = ['fields', 'deep', 'alias', ...Object.keys(versioned), 'export', 'viewAs'];
export const writtenParameters = ['fields', 'deep', 'alias'];
