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

export function describeColumn(collection: Collection, { name, column, type }: ColumnField): Payload {
  const isKey = collection.primaryKey.includes(name);
  const foreignKey = collection.table?.foreignKeys.find((key) => key.columns.length === 1 && key.columns[0] === column.name);
  return {
    name: column.name,
    table: collection.table?.name ?? null,
    data_type: column.dataType,
    default_value: describeDefault(type, column.default),
    // Tells `now()` from the text "now()".
    ...(column.default?.kind === 'expression' ? { default_is_expression: true } : {}),
    max_length: column.maxLength,
    numeric_precision: column.precision,
    numeric_scale: column.scale,
    is_generated: column.generated,
    generation_expression: column.generationExpression,
    is_nullable: column.nullable,
    is_unique: column.unique || (isKey && collection.primaryKey.length === 1),
    // A key and a unique column have an index by that; `is_indexed` reports a further one.
    is_indexed: column.indexed && !column.primaryKey && !column.unique,
    is_primary_key: isKey,
    ...keyPosition(collection, name),
    has_auto_increment: column.autoIncrement,
    foreign_key_column: foreignKey?.foreignColumns[0] ?? null,
    foreign_key_table: foreignKey?.foreignTable ?? null,
    comment: column.comment,
    ...(column.choices === undefined ? {} : { choices: column.choices }),
  };
}

/** The parts of a key are sent in the order of the key, which need not be that of the columns. A key of one part has no order to tell. */
const keyPosition = ({ primaryKey }: Collection, name: string): Payload =>
  primaryKey.length > 1 && primaryKey.includes(name) ? { primary_key_position: primaryKey.indexOf(name) + 1 } : {};
