// Reverts an item to a revision: writes the values of the revision again with the caller's permissions, which makes a new revision. The
// revision of a deletion creates the item again, with its old key.

import { findField, serviceCaller } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/read/reader.js';
import type { TransactionWork } from '../../core/engine/work/transaction.js';
import type { Writer } from '../../core/engine/write/writer.js';
import { forbidden } from '../../core/errors/service-error.js';
import type { Collection, Field } from '../../core/schema/schema.js';

export interface RevertDeps {
  readonly reader: Pick<Reader, 'objects'>;
  readonly writer: Pick<Writer, 'create' | 'update'>;
}

type Item = Readonly<Record<string, unknown>>;

const updateStamps = ['date-updated', 'user-updated', 'role-updated'];
const stamps = [...updateStamps, 'date-created', 'user-created', 'role-created'];

export async function revertItem({ reader, writer }: RevertDeps, work: TransactionWork, revision: string): Promise<void> {
  if (!/^\d{1,10}$/.test(revision)) throw forbidden();
  const which = { filter: { id: { _eq: revision } }, limit: 1 };
  const [row] = await reader.objects(work, 'service_revisions', { fields: ['collection', 'item', 'data'], ...which });
  const collection = work.caller.view.schema.collections.get(String(row?.['collection']));
  const data = row?.['data'];
  if (row === undefined || collection === undefined || typeof data !== 'object' || data === null) throw forbidden();
  // Read as the service, because the caller may not be able to read the activity. It reveals nothing: a deletion has no delta either.
  const inside = { ...work, caller: serviceCaller(work.caller.view.schema) };
  const [kind] = await reader.objects(inside, 'service_revisions', { fields: ['activity.action'], ...which });
  if ((kind?.['activity'] as Item | null)?.['action'] === 'delete')
    await writer.create(work, collection.name, [recreatable(work, collection, data as Item)]);
  else await writer.update(work, collection.name, [row['item']], restorable(work, collection, data as Item));
}

/** The columns that still exist and that the caller may update. Concealed values were never stored. */
function restorable({ caller }: TransactionWork, collection: Collection, data: Item): Item {
  const names = Object.keys(data).filter((name) => {
    const field = collection.fields.get(name);
    return (
      field !== undefined &&
      !collection.primaryKey.includes(name) &&
      isPlain(field, updateStamps) &&
      findField(caller.view, collection, name, 'update') !== null
    );
  });
  return Object.fromEntries(names.map((name) => [name, data[name]]));
}

/** The key and all values except the stamps, which are set again. A value that the caller may not write is refused, not dropped silently. */
function recreatable({ caller }: TransactionWork, collection: Collection, data: Item): Item {
  const names = Object.keys(data).filter((name) => {
    const field = collection.fields.get(name);
    const isNeeded = data[name] !== null || findField(caller.view, collection, name, 'create') !== null;
    return field !== undefined && isPlain(field, stamps) && isNeeded;
  });
  return Object.fromEntries(names.map((name) => [name, data[name]]));
}

const isPlain = (field: Field, stamped: readonly string[]): boolean =>
  field.kind === 'column' && !field.concealed && !field.column.generated && !stamped.some((flag) => field.special.has(flag));
