// The inputs of writes. The field of a relation takes objects (specification 4.2, basic form). Keys, the detailed form and new items of a
// many-to-any do not fit the same input type and have fields of their own: `books_keys`, `books_changes`, `item__pages`.

import {
  GraphQLID,
  type GraphQLInputFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import { grantOf, visibleFields } from '../../../../core/access/view.js';
import type { Collection, ColumnField, Field, ManyToAny, RelationField } from '../../../../core/schema/schema.js';
import { hasBeforeTrigger } from '../../../../core/schema/triggers.js';
import { derivedName, fieldName } from '../names/graphql-names.js';
import { isKey, scalarOf } from './column-scalar.js';
import type { Drawing } from './drawing.js';
import { means } from './meanings.js';

type WriteAction = 'create' | 'update';

const listOfKeys = new GraphQLList(GraphQLID);

export const drawInput = (drawing: Drawing, action: WriteAction, collection: Collection, name: string): GraphQLInputObjectType =>
  new GraphQLInputObjectType({ name, fields: () => drawFields(drawing, action, collection) });

export const drawChanges = (drawing: Drawing, collection: Collection, name: string): GraphQLInputObjectType =>
  new GraphQLInputObjectType({ name, fields: () => drawChangeFields(drawing, collection) });

/** The fields of a collection that the caller may set. */
export const writableFields = (drawing: Drawing, action: WriteAction, collection: Collection): readonly Field[] =>
  writable(drawing, action, collection).filter(
    (field) => field.kind !== 'presentation' && !(field.kind === 'column' && field.column.generated),
  );

/** An update may name its item by key, even if the caller may not write the key. */
function writable(drawing: Drawing, action: WriteAction, collection: Collection): readonly Field[] {
  const fields = visibleFields(drawing.view, collection, action);
  if (action === 'create') return fields;
  const keys = collection.primaryKey.flatMap((name) => collection.fields.get(name) ?? []);
  return [...keys.filter((key) => !fields.includes(key)), ...fields];
}

function drawFields(drawing: Drawing, action: WriteAction, collection: Collection): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {};
  for (const field of writableFields(drawing, action, collection)) {
    for (const [form, config] of Object.entries(drawField(drawing, action, collection, field))) {
      const name = fieldName(collection, field);
      fields[form === '' ? name : derivedName(collection, `${name}${form}`)] = { ...config, description: field.note };
    }
  }
  return fields;
}

/** The forms of a field, by the suffix each adds to its name. */
function drawField(drawing: Drawing, action: WriteAction, collection: Collection, field: Field): GraphQLInputFieldConfigMap {
  if (field.kind === 'relation') return drawToMany(drawing, action, field);
  if (field.kind === 'presentation') return {};
  if (field.kind === 'reference') return drawToOne(drawing, action, field, field.relation.related);
  if (field.relation?.kind === 'm2a') return drawToAny(drawing, action, field, field.relation);
  const related = field.relation === null ? null : drawing.find(field.relation.related, action);
  if (related === null) return { '': drawColumn(drawing, action, collection, field) };
  return drawToOne(drawing, action, field, related.name);
}

/** The item, if the caller may write such items, or its key. */
function drawToOne(drawing: Drawing, action: WriteAction, { name }: Field, related: string): GraphQLInputFieldConfigMap {
  const item = { type: drawing.input(action, related), ...means({ kind: 'item', field: name } as const) };
  return {
    ...(drawing.find(related, action) === null ? {} : { '': item }),
    _key: { type: GraphQLID, ...means({ kind: 'key', field: name }) },
  };
}

function drawToMany(drawing: Drawing, action: WriteAction, { name, relation }: RelationField): GraphQLInputFieldConfigMap {
  const related = drawing.find(relation.related, action);
  const fields: GraphQLInputFieldConfigMap = {};
  if (related !== null)
    fields[''] = { type: new GraphQLList(drawing.input(action, related.name)), ...means({ kind: 'list', field: name }) };
  if (related === null && drawing.find(relation.related, action === 'create' ? 'update' : 'create') === null) return fields;
  fields['_keys'] = { type: listOfKeys, ...means({ kind: 'keys', field: name }) };
  fields['_changes'] = { type: drawing.changes(relation.related), ...means({ kind: 'changes', field: name }) };
  return fields;
}

/** The key of an existing item, whose collection is in another field, or a new item of one of the collections. */
function drawToAny(drawing: Drawing, action: WriteAction, field: ColumnField, relation: ManyToAny): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = { '': { type: GraphQLString, ...means({ kind: 'value', field: field.name }) } };
  for (const name of relation.allowed) {
    if (drawing.find(name, action) === null) continue;
    fields[`__${drawing.nameOf(name)}`] = {
      type: drawing.input(action, name),
      ...means({ kind: 'any', field: field.name, collectionField: relation.collectionField, collection: name }),
    };
  }
  return fields;
}

function drawColumn(drawing: Drawing, action: WriteAction, collection: Collection, field: ColumnField): GraphQLInputFieldConfig {
  const type = isKey(collection, field) ? GraphQLID : (drawing.choices(collection.name, field.name) ?? scalarOf(field));
  const meaning = means({ kind: 'value', field: field.name });
  return { type: action === 'create' && isRequired(drawing, collection, field) ? new GraphQLNonNull(type) : type, ...meaning };
}

const filledByService = ['uuid', 'date-created', 'user-created', 'role-created'];

/** Whether nothing else sets the value: no default, no trigger, no preset, and not the surrounding item in a nested write. */
function isRequired(drawing: Drawing, collection: Collection, field: ColumnField): boolean {
  const { column, special, relation } = field;
  if (column.nullable && !isKey(collection, field)) return false;
  if (hasBeforeTrigger(collection, 'insert')) return false;
  if (column.default !== null || column.autoIncrement || relation !== null || isPart(collection, field.name)) return false;
  if (filledByService.some((flag) => special.has(flag))) return false;
  const grant = grantOf(drawing.view, collection.name, 'create');
  return grant === null || grant === 'all' || !grant.some(({ presets }) => presets !== null && field.name in presets);
}

/** Part of a composite foreign key, which may be set as a whole. */
const isPart = ({ fields }: Collection, name: string): boolean =>
  [...fields.values()].some((field) => field.kind === 'reference' && field.relation.pairs.some(({ column }) => column === name));

function drawChangeFields(drawing: Drawing, collection: Collection): GraphQLInputFieldConfigMap {
  const { name } = collection;
  const list = (action: WriteAction): GraphQLInputFieldConfigMap =>
    drawing.find(name, action) === null ? {} : { [action]: { type: new GraphQLList(new GraphQLNonNull(drawing.input(action, name))) } };
  return { ...list('create'), ...list('update'), delete: { type: listOfKeys } };
}
