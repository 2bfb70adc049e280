// `If-Match`: the item is locked first and looked at then, so that of many who saw the same item exactly one changes it.

import type { TransactionWork } from '../../core/engine/transaction.js';
import { serviceError } from '../../core/errors/service-error.js';
import { parseUrlQuery } from '../../core/query/parse-url-query.js';
import { makeTag, queryOfTag, readTags } from './entity-tag.js';
import { keyOfSegment } from './item-target.js';
import type { WriteDoor } from './write-door.js';

export async function checkMatch(door: WriteDoor, work: TransactionWork, name: string, segment: string, header: string): Promise<void> {
  const tags = readTags(header);
  await door.writer.lock(work, name, [keyOfSegment(work.caller, name, segment)]);
  const read = async (query: string): Promise<string> => door.reader.itemBySegment(work, name, segment, parseUrlQuery(query, door.limits));
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
