// Values of a write as parameters.

import type { ValueSource } from '../plan/value-source.js';
import type { ColumnType } from '../schema/field-type.js';
import type { Collection, ColumnField } from '../schema/schema.js';

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
