// The schemas of a collection: what a caller may read of its items, and what he may write into them.

import { visibleFields } from '../../../core/access/view.js';
import type { Collection, Field } from '../../../core/schema/schema.js';
import { type Drawing, fieldSchema } from './field-schema.js';
import type { Json } from './json.js';

export type WriteAction = 'create' | 'update';

export function readSchema(drawing: Drawing, collection: Collection): Json {
  return objectOf(drawing, collection, visibleFields(drawing.view, collection, 'read'));
}

export function writeSchema(drawing: Drawing, collection: Collection, action: WriteAction): Json {
  const fields = visibleFields(drawing.view, collection, action).filter(isWritten);
  const required = action === 'create' ? fields.filter(isRequired).map(({ name }) => name) : [];
  return { ...objectOf(drawing, collection, fields), ...(required.length > 0 ? { required } : {}) };
}

function objectOf(drawing: Drawing, { note }: Collection, fields: readonly Field[]): Json {
  const properties = fields.flatMap((field) => {
    const schema = fieldSchema(drawing, field);
    return schema === null ? [] : [[field.name, schema] as const];
  });
  return { type: 'object', ...(note === null ? {} : { description: note }), properties: Object.fromEntries(properties) };
}

const isWritten = (field: Field): boolean => field.kind !== 'column' || !field.column.generated;

/** What neither the database nor a special flag fills in. */
const isRequired = (field: Field): boolean =>
  field.kind === 'column' &&
  !field.column.nullable &&
  field.column.default === null &&
  !field.column.autoIncrement &&
  ![...field.special].some((flag) => flag === 'uuid' || /-created$/.test(flag));
