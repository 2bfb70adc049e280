// The inputs of writes. Relations take objects (specification 4.2, basic form); bare keys, the detailed form and new items of a
// many-to-any, which do not fit one input type, stand in fields of their own beside the relation's.

import {
  GraphQLID,
  type GraphQLInputFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import { grantOf, visibleFields } from '../../../core/access/view.js';
import type { Collection, ColumnField, Field, ManyToAny, RelationField } from '../../../core/schema/schema.js';
import { isKey, scalarOf } from './column-scalar.js';
import type { Drawing } from './drawing.js';
import { isName } from './graphql-names.js';
import { means } from './meanings.js';

type WriteAction = 'create' | 'update';

const listOfKeys = new GraphQLList(GraphQLID);

export const drawInput = (drawing: Drawing, action: WriteAction, collection: Collection, name: string): GraphQLInputObjectType =>
  new GraphQLInputObjectType({ name, fields: () => drawFields(drawing, action, collection) });

export const drawChanges = (drawing: Drawing, collection: Collection, name: string): GraphQLInputObjectType =>
  new GraphQLInputObjectType({ name, fields: () => drawChangeFields(drawing, collection) });

/** Fields of a collection that this caller may give a value. */
export const writableFields = (drawing: Drawing, action: WriteAction, collection: Collection): readonly Field[] =>
  writable(drawing, action, collection).filter(
    (field) => isName(field.name) && field.kind !== 'presentation' && !(field.kind === 'column' && field.column.generated),
  );

/** An update names its item, whether or not the caller may write the key. */
function writable(drawing: Drawing, action: WriteAction, collection: Collection): readonly Field[] {
  const fields = visibleFields(drawing.view, collection, action);
  if (action === 'create') return fields;
  const keys = collection.primaryKey.flatMap((name) => collection.fields.get(name) ?? []);
  return [...keys.filter((key) => !fields.includes(key)), ...fields];
}

function drawFields(drawing: Drawing, action: WriteAction, collection: Collection): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {};
  for (const field of writableFields(drawing, action, collection)) {
    for (const [name, config] of Object.entries(drawField(drawing, action, collection, field))) {
      // A field of the collection itself comes before a form of another.
      if (name === field.name || !collection.fields.has(name)) fields[name] = { ...config, description: field.note };
    }
  }
  return fields;
}

function drawField(drawing: Drawing, action: WriteAction, collection: Collection, field: Field): GraphQLInputFieldConfigMap {
  if (field.kind === 'relation') return drawToMany(drawing, action, field);
  if (field.kind === 'presentation') return {};
  if (field.relation?.kind === 'm2a') return drawToAny(drawing, action, field, field.relation);
  const related = field.relation === null ? null : drawing.find(field.relation.related, action);
  if (related === null) return { [field.name]: drawColumn(drawing, action, collection, field) };
  return {
    [field.name]: { type: drawing.input(action, related.name), ...means({ kind: 'item', field: field.name }) },
    [`${field.name}_key`]: { type: GraphQLID, ...means({ kind: 'key', field: field.name }) },
  };
}

function drawToMany(drawing: Drawing, action: WriteAction, { name, relation }: RelationField): GraphQLInputFieldConfigMap {
  const related = drawing.find(relation.related, action);
  const fields: GraphQLInputFieldConfigMap = {};
  if (related !== null)
    fields[name] = { type: new GraphQLList(drawing.input(action, related.name)), ...means({ kind: 'list', field: name }) };
  if (related === null && drawing.find(relation.related, action === 'create' ? 'update' : 'create') === null) return fields;
  fields[`${name}_keys`] = { type: listOfKeys, ...means({ kind: 'keys', field: name }) };
  fields[`${name}_changes`] = { type: drawing.changes(relation.related), ...means({ kind: 'changes', field: name }) };
  return fields;
}

/** The key of an existing item beside the name of its collection, or a new item of one of them. */
function drawToAny(drawing: Drawing, action: WriteAction, field: ColumnField, relation: ManyToAny): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = { [field.name]: { type: GraphQLString, ...means({ kind: 'value', field: field.name }) } };
  for (const name of relation.allowed) {
    if (drawing.find(name, action) === null) continue;
    fields[`${field.name}__${drawing.nameOf(name)}`] = {
      type: drawing.input(action, name),
      ...means({ kind: 'any', field: field.name, collectionField: relation.collectionField, collection: name }),
    };
  }
  return fields;
}

function drawColumn(drawing: Drawing, action: WriteAction, collection: Collection, field: ColumnField): GraphQLInputFieldConfig {
  const type = isKey(collection, field) ? GraphQLID : scalarOf(field);
  const meaning = means({ kind: 'value', field: field.name });
  return { type: action === 'create' && isRequired(drawing, collection, field) ? new GraphQLNonNull(type) : type, ...meaning };
}

const filledByService = ['uuid', 'date-created', 'user-created', 'role-created'];

/** What neither the database, the service nor a policy fills. A relation may get its value from the item it stands in. */
function isRequired(drawing: Drawing, collection: Collection, field: ColumnField): boolean {
  const { column, special, relation } = field;
  if (column.nullable && !isKey(collection, field)) return false;
  if (column.default !== null || column.autoIncrement || relation !== null) return false;
  if (filledByService.some((flag) => special.has(flag))) return false;
  const grant = grantOf(drawing.view, collection.name, 'create');
  return grant === null || grant === 'all' || !grant.some(({ presets }) => presets !== null && field.name in presets);
}

function drawChangeFields(drawing: Drawing, collection: Collection): GraphQLInputFieldConfigMap {
  const { name } = collection;
  const list = (action: WriteAction): GraphQLInputFieldConfigMap =>
    drawing.find(name, action) === null ? {} : { [action]: { type: new GraphQLList(new GraphQLNonNull(drawing.input(action, name))) } };
  return { ...list('create'), ...list('update'), delete: { type: listOfKeys } };
}
