// The schemas of a collection: the fields a caller may read, and the fields a caller may write.

import { visibleFields } from '../../../core/access/view.js';
import type { Collection, Field } from '../../../core/schema/schema.js';
import { hasBeforeTrigger } from '../../../core/schema/triggers.js';
import { type Drawing, fieldSchema } from './field-schema.js';
import type { Json } from './json.js';

export type WriteAction = 'create' | 'update';

export function readSchema(drawing: Drawing, collection: Collection): Json {
  return objectOf(drawing, collection, visibleFields(drawing.view, collection, 'read'));
}

export function writeSchema(drawing: Drawing, collection: Collection, action: WriteAction): Json {
  const fields = visibleFields(drawing.view, collection, action).filter(isWritten);
  const filled = action === 'update' || hasBeforeTrigger(collection, 'insert');
  const required = filled ? [] : fields.filter((field) => isRequired(collection, field)).map(({ name }) => name);
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

/** What neither the database, a special flag nor a foreign key given as a whole fills in. */
const isRequired = ({ fields }: Collection, field: Field): boolean =>
  field.kind === 'column' &&
  ![...fields.values()].some((other) => other.kind === 'reference' && other.relation.pairs.some(({ column }) => column === field.name)) &&
  !field.column.nullable &&
  field.column.default === null &&
  !field.column.autoIncrement &&
  ![...field.special].some((flag) => flag === 'uuid' || /-created$/.test(flag));
