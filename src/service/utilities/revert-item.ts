// Back to an earlier revision: what it says of the item is written again, by the caller's own rights, and is a revision itself.

import { findField } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/reader.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import type { Writer } from '../../core/engine/writer.js';
import { forbidden } from '../../core/errors/service-error.js';
import type { Collection, Field } from '../../core/schema/schema.js';

export interface RevertContext {
  readonly reader: Pick<Reader, 'objects'>;
  readonly writer: Pick<Writer, 'update'>;
}

type Item = Readonly<Record<string, unknown>>;

const stamps = ['date-updated', 'user-updated', 'role-updated'];

export async function revertItem({ reader, writer }: RevertContext, work: TransactionWork, revision: string): Promise<void> {
  if (!/^\d{1,10}$/.test(revision)) throw forbidden();
  const [row] = await reader.objects(work, 'service_revisions', {
    fields: ['collection', 'item', 'data'],
    filter: { id: { _eq: revision } },
    limit: 1,
  });
  const collection = work.caller.view.schema.collections.get(String(row?.['collection']));
  const data = row?.['data'];
  if (row === undefined || collection === undefined || typeof data !== 'object' || data === null) throw forbidden();
  await writer.update(work, collection.name, [row['item']], restorable(work, collection, data as Item));
}

/** Columns that still are there and can be written; secrets were never kept. */
function restorable({ caller }: TransactionWork, collection: Collection, data: Item): Item {
  const names = Object.keys(data).filter((name) => {
    const field = collection.fields.get(name);
    return (
      field !== undefined &&
      !collection.primaryKey.includes(name) &&
      isPlain(field) &&
      findField(caller.view, collection, name, 'update') !== null
    );
  });
  return Object.fromEntries(names.map((name) => [name, data[name]]));
}

const isPlain = (field: Field): boolean =>
  field.kind === 'column' && !field.concealed && !field.column.generated && !stamps.some((flag) => field.special.has(flag));
