// Moves an item to the position of another in the collection's manual order. Only the items between the two change, unless positions are
// missing or repeated: then all items are numbered again.

import { findField, lookUpCollection } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/read/reader.js';
import type { TransactionWork } from '../../core/engine/work/transaction.js';
import type { Writer } from '../../core/engine/write/writer.js';
import { forbidden, forbiddenField, invalidPayload } from '../../core/errors/service-error.js';
import { escapeName } from '../../core/query/escape-name.js';
import type { Collection } from '../../core/schema/schema.js';

export interface SortDeps {
  readonly reader: Pick<Reader, 'objects'>;
  readonly writer: Pick<Writer, 'updateBatch'>;
}

export interface Move {
  readonly item: string | number;
  readonly to: string | number;
}

type Row = Readonly<Record<string, unknown>>;

export async function sortItems({ reader, writer }: SortDeps, work: TransactionWork, name: string, { item, to }: Move): Promise<void> {
  const collection = lookUpCollection(work.caller.view, name, 'update');
  const { sortField, key } = orderOf(collection);
  if (findField(work.caller.view, collection, sortField, 'update') === null) throw forbiddenField(sortField, name);
  const read = (filter: unknown): Promise<readonly Row[]> =>
    reader.objects(work, name, {
      fields: [key, sortField].map(escapeName),
      sort: [sortField, key].map(escapeName),
      filter,
      limit: -1,
    });
  const ends = await read({ [escapeName(key)]: { _in: [item, to] } });
  const [from, target] = [item, to].map((wanted) => ends.find((row) => String(row[key]) === String(wanted)));
  if (from === undefined || target === undefined) throw forbidden();
  const places = [from, target].map((row) => row[sortField]);
  const between = places.every((place) => typeof place === 'number')
    ? await read({ [escapeName(sortField)]: { _between: places.toSorted(byNumber) } })
    : [];
  const clean = between.length > 1 && new Set(between.map((row) => row[sortField])).size === between.length;
  const rows = clean ? between : nullsLast(await read({}), sortField);
  const numbers = rows.map((row, index) => (clean ? row[sortField] : index + 1));
  const changes = moved(rows, from[key], target[key], key).flatMap((row, index) =>
    row[sortField] === numbers[index] ? [] : [{ [key]: row[key], [sortField]: numbers[index] }],
  );
  if (changes.length > 0) await writer.updateBatch(work, name, changes);
}

const byNumber = (a: unknown, b: unknown): number => Number(a) - Number(b);

function orderOf({ sortField, primaryKey }: Collection): { readonly sortField: string; readonly key: string } {
  const [key, ...more] = primaryKey;
  if (sortField === null || key === undefined || more.length > 0) throw invalidPayload('The collection has no field for its order.');
  return { sortField, key };
}

const nullsLast = (rows: readonly Row[], field: string): readonly Row[] => [
  ...rows.filter((row) => row[field] !== null),
  ...rows.filter((row) => row[field] === null),
];

function moved(rows: readonly Row[], from: unknown, to: unknown, key: string): readonly Row[] {
  const place = rows.findIndex((row) => row[key] === to);
  const mover = rows.find((row) => row[key] === from);
  const others = rows.filter((row) => row !== mover);
  return mover === undefined ? rows : [...others.slice(0, place), mover, ...others.slice(place)];
}
