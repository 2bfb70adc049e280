// Keys that somebody named (schema/build/named-key.ts) are not enforced by the database, so the write itself sees to it that each of them stands for one
// item. What other programs write at the same moment is not seen; the next write to such a key is refused.

import { forbidden, type ServiceError, serviceError } from '../../errors/service-error.js';
import type { ItemKey } from '../../plan/write/item-key.js';
import { keyText } from '../../plan/write/item-key.js';
import type { Collection } from '../../schema/schema.js';
import { countByValues } from '../../sql/write/keys-to-sql.js';
import type { WriteRun } from './write-run.js';

/** After an INSERT: refuses keys that the database has twice now. */
export async function refuseRepeatedKeys(run: WriteRun, collection: Collection, keys: readonly ItemKey[]): Promise<void> {
  const lists = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  const [row] = await run.rows(countByValues(run.vendor, { collection, by: collection.primaryKey, lists, guard: null }));
  if (lists.length < keys.length || Number(row?.[0] ?? 0) > lists.length) throw repeatedKey(collection);
}

/** Why a statement found other rows than the keys it was given: too few are missing or hidden; too many share a key. */
export const wrongCount = (collection: Collection, found: number, wanted: number): ServiceError =>
  collection.table?.namedKey !== undefined && found > wanted ? repeatedKey(collection) : forbidden();

const repeatedKey = ({ name, primaryKey }: Collection): ServiceError => {
  const field = primaryKey.join(',');
  return serviceError('RECORD_NOT_UNIQUE', `Value for field "${field}" in collection "${name}" has to be unique.`, {
    collection: name,
    field,
  });
};
