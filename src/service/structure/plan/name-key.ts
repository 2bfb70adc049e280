// PATCH /collections/{collection} with `schema.primary_key`: names the key of a view, a foreign table or a table that has none, or takes the name back.
// It is kept as a flag of its fields; nothing in the database changes. Whether the database accepts writes there, and whether the values tell the
// items apart, is found out before the change is stored (change/check-named-keys.ts).

import { invalidPayload } from '../../../core/errors/service-error.js';
import { fitsKey, keyFlag } from '../../../core/schema/build/named-key.js';
import { listOf } from '../../../core/schema/meta-row.js';
import type { Collection } from '../../../core/schema/schema.js';
import { isSame } from '../describe/payload.js';
import type { RowChange } from './change-set.js';
import { writeFieldMeta } from './field-rows.js';
import { findField } from './find-structure.js';
import type { StructureState } from './structure-state.js';

/** `names`: the fields of the key; null or an empty list: it has none. */
export function nameKey(state: StructureState, collection: Collection, names: unknown): readonly RowChange[] {
  const wanted = readNames(names);
  const { table, primaryKey } = collection;
  if (isSame([...wanted].sort(), [...primaryKey].sort())) return [];
  if (table === null || collection.system) throw invalidPayload(`Collection "${collection.name}" has no table whose key could be named.`);
  if (table.mirrored === true) throw invalidPayload(`Collection "${collection.name}" is ${collection.readOnlyReason}.`);
  if (primaryKey.length > 0 && table.namedKey === undefined)
    throw invalidPayload(`The database itself has the primary key of "${collection.name}": it cannot be named.`);
  for (const name of wanted) refuseUnfit(collection, name);
  return [...collection.fields.values()].flatMap((field) => {
    const flags = listOf(field.meta, 'special');
    if (wanted.includes(field.name) === flags.includes(keyFlag)) return [];
    const others = flags.filter((flag) => flag !== keyFlag);
    const special = wanted.includes(field.name) ? [...others, keyFlag] : others;
    return writeFieldMeta(state, field, { special: special.join(',') || null });
  });
}

function readNames(names: unknown): readonly string[] {
  const list = names ?? [];
  if (!Array.isArray(list) || !list.every((name) => typeof name === 'string') || new Set(list).size !== list.length)
    throw invalidPayload('schema.primary_key must be a list of the names of fields, each of them once, or null.');
  return list;
}

function refuseUnfit(collection: Collection, name: string): void {
  const field = findField(collection, name);
  if (field.kind !== 'column') throw invalidPayload(`Field "${name}" has no column, so it cannot be part of a key.`);
  if (!fitsKey(field.column.type, field.column.loose === true))
    throw invalidPayload(`Field "${name}" of type "${field.type}" cannot be part of a key.`);
}
