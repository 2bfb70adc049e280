// `If-Match`: locks the item before it is compared, so that of several clients that saw the same item exactly one changes it.

import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { parseUrlQuery } from '../../../core/query/parse/parse-url-query.js';
import { makeTag, queryOfTag, readTags } from './entity-tag.js';
import { type ItemDeps, keyOfSegment } from './item-target.js';

export async function checkMatch(deps: ItemDeps, work: TransactionWork, name: string, segment: string, header: string): Promise<void> {
  const tags = readTags(header);
  await deps.writer.lock(work, name, [keyOfSegment(work.caller, name, segment)]);
  const read = async (query: string): Promise<string> => deps.reader.itemBySegment(work, name, segment, parseUrlQuery(query, deps.limits));
  if (tags === 'any') {
    await read('');
    return;
  }
  for (const tag of tags) {
    const query = queryOfTag(tag);
    if (query !== null && makeTag(query, await read(query)) === tag) return;
  }
  throw serviceError('PRECONDITION_FAILED', 'The item is not as "If-Match" says any more.', { header: 'If-Match' });
}
