// Parameters and columns of statements that write.

import type { ValueSource } from '../plan/names/value-source.js';
import type { Collection, ColumnField } from '../schema/schema.js';
import type { ColumnType } from '../schema/types/field-type.js';

/** The values of one row by the names of its columns. */
export type RowValues = ReadonlyMap<string, unknown>;

export const written = (value: unknown): ValueSource => ({ kind: 'written', value });

export const columnType = (field: ColumnField): ColumnType => (field.type === 'alias' ? 'unknown' : field.type);

export function columnField(collection: Collection, name: string): ColumnField {
  const field = collection.fields.get(name);
  if (field?.kind !== 'column') throw new Error(`${collection.name}.${name} has no column`);
  return field;
}

export function tableOf(collection: Collection): NonNullable<Collection['table']> {
  if (collection.table === null) throw new Error(`collection ${collection.name} has no table`);
  return collection.table;
}
