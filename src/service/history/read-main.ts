// The item a version or a share is about, as the service sees it: all columns, concealed ones as stars.

import { createHash } from 'node:crypto';
import { type Caller, findField, serviceCaller } from '../../core/access/view.js';
import { parseKeySegment } from '../../core/engine/item-key.js';
import type { Reader } from '../../core/engine/reader.js';
import type { Work } from '../../core/engine/work.js';
import { forbidden } from '../../core/errors/service-error.js';
import { parseQueryObject } from '../../core/query/parse-query-object.js';
import { defaultQueryLimits } from '../../core/query/query.js';
import type { Collection } from '../../core/schema/schema.js';

export type MainReader = Pick<Reader, 'item'>;

/** The JSON text of the item for this caller; missing and hidden are both forbidden. */
export async function readMain(reader: MainReader, work: Work, collection: Collection, item: string): Promise<string> {
  const fields = [...collection.fields.values()].filter(
    (field) => field.kind === 'column' && findField(work.caller.view, collection, field.name, 'read') !== null,
  );
  const query = parseQueryObject({ fields: fields.map((field) => field.name) }, defaultQueryLimits);
  return reader.item(work, collection.name, keyParts(collection, item), query);
}

/** Changes when anything of the item does, whoever asks. */
export async function hashMain(reader: MainReader, work: Work, collection: Collection, item: string): Promise<string> {
  const inside = { ...work, caller: serviceCaller(work.caller.view.schema) };
  return createHash('sha256')
    .update(await readMain(reader, inside, collection, item))
    .digest('hex');
}

export function findVersioned({ view }: Caller, name: string): Collection {
  const collection = view.schema.collections.get(name);
  if (collection === undefined || collection.table === null) throw forbidden();
  return collection;
}

/** Keys are kept as paths carry them; only composite ones are encoded. */
export const keyParts = (collection: Collection, item: string): readonly unknown[] =>
  parseKeySegment(collection, collection.primaryKey.length > 1 ? item : encodeURIComponent(item));
