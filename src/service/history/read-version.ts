// `?version=`: the item as it would be with the changes of a version.

import { findField, lookUpCollection } from '../../core/access/view.js';
import { parseKeySegment } from '../../core/engine/item-key.js';
import type { Work } from '../../core/engine/work.js';
import { itemText } from './item-text.js';
import { type Delta, findVersion, type VersionContext } from './version-context.js';

/** `item`: the JSON text of the item itself, `segment` its key as a path carries it. Fields that were not asked for stay away. */
export async function applyVersion(
  context: VersionContext,
  work: Work,
  name: string,
  segment: string,
  version: string,
  item: string,
): Promise<string> {
  const collection = lookUpCollection(work.caller.view, name, 'read');
  const [only = '', ...more] = parseKeySegment(collection, segment).map(String);
  const { delta } = await findVersion(context, work, {
    collection: name,
    item: itemText(more.length === 0 ? only : [only, ...more]),
    key: version,
  });
  const main = JSON.parse(item) as Delta;
  const changes = Object.entries(delta ?? {}).filter(
    ([field]) => field in main && findField(work.caller.view, collection, field, 'read') !== null,
  );
  return JSON.stringify({ ...main, ...Object.fromEntries(changes) });
}
