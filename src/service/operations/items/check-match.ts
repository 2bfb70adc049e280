// `If-Match`: locks the item before it is compared, so that of several clients that saw the same item exactly one changes it.

import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import { invalidPayload, serviceError } from '../../../core/errors/service-error.js';
import { parseUrlQuery } from '../../../core/query/parse/parse-url-query.js';
import { makeTag, queryOfTag, readTags } from './entity-tag.js';
import { type ItemDeps, keyOfSegment } from './item-target.js';

/** Each is a read while the item is locked. A client compares with what it has seen, mostly by one query. */
const mostQueries = 3;

export async function checkMatch(deps: ItemDeps, work: TransactionWork, name: string, segment: string, header: string): Promise<void> {
  const tags = readTags(header);
  await deps.writer.lock(work, name, [keyOfSegment(work.caller, name, segment)]);
  const read = async (query: string): Promise<string> => deps.reader.itemBySegment(work, name, segment, parseUrlQuery(query, deps.limits));
  if (tags === 'any') {
    await read('');
    return;
  }
  const queries = new Set(tags.flatMap((tag) => queryOfTag(tag) ?? []));
  if (queries.size > mostQueries) throw invalidPayload(`"If-Match" holds the tags of more than ${mostQueries} queries.`);
  for (const query of queries) {
    const present = makeTag(query, await read(query));
    if (present !== null && tags.includes(present)) return;
  }
  throw serviceError('PRECONDITION_FAILED', 'The item is not as "If-Match" says any more.', { header: 'If-Match' });
}
