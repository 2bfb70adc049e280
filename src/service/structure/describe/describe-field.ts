// A field in the form of answers (specification 2.2-2.4): the same keys on every vendor, null where a vendor has no such property.

import type { Collection, ColumnField, Field } from '../../../core/schema/schema.js';
import { describeDefault } from './column-default.js';
import { describeFieldMeta } from './field-meta.js';
import type { Payload } from './payload.js';

export interface FieldObject {
  readonly collection: string;
  readonly field: string;
  readonly type: string;
  readonly schema: Payload | null;
  readonly meta: Payload | null;
}

export const describeField = (collection: Collection, field: Field): FieldObject => ({
  collection: collection.name,
  field: field.name,
  type: field.type,
  schema: field.kind === 'column' ? describeColumn(collection, field) : null,
  meta: field.meta === null ? null : describeFieldMeta(field.meta),
});

export function describeColumn(collection: Collection, { column, type }: ColumnField): Payload {
  const foreignKey = collection.table?.foreignKeys.find((key) => key.columns.length === 1 && key.columns[0] === column.name);
  return {
    name: column.name,
    table: collection.table?.name ?? null,
    data_type: column.dataType,
    default_value: describeDefault(type, column.default),
    max_length: column.maxLength,
    numeric_precision: column.precision,
    numeric_scale: column.scale,
    is_generated: column.generated,
    generation_expression: column.generationExpression,
    is_nullable: column.nullable,
    is_unique: column.unique || (column.primaryKey && collection.primaryKey.length === 1),
    // Every primary key has an index; `is_indexed` reports a further one.
    is_indexed: column.indexed && !column.primaryKey,
    is_primary_key: column.primaryKey,
    has_auto_increment: column.autoIncrement,
    foreign_key_column: foreignKey?.foreignColumns[0] ?? null,
    foreign_key_table: foreignKey?.foreignTable ?? null,
    comment: column.comment,
    ...(column.choices === undefined ? {} : { choices: column.choices }),
  };
}
