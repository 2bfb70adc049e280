// What a caller sees of the structure: collections he may read, their fields he may read, relations between them. Metadata itself is
// guarded by the read permission on service_collections, service_fields and service_relations.

import { type Caller, findCollection, findField, type SchemaView, visibleFields } from '../../core/access/view.js';
import { forbiddenCollection, forbiddenField } from '../../core/errors/service-error.js';
import { listOf, textOf } from '../../core/schema/meta-row.js';
import type { Collection, Field, Relation } from '../../core/schema/schema.js';
import { type CollectionObject, describeCollection } from './describe-collection.js';
import { describeField, type FieldObject } from './describe-field.js';
import { describeRelation, type RelationObject } from './describe-relation.js';
import { type Guard, guardMetadata } from './guard-metadata.js';
import type { Payload } from './payload.js';

/** Folders are seen for what they hold; an administrator sees all of them. */
function isVisible(view: SchemaView, collection: Collection): boolean {
  if (view.grants.admin) return true;
  if (collection.table !== null) return findCollection(view, collection.name, 'read') !== null;
  return [...view.schema.collections.values()].some(
    (member) =>
      member !== collection && textOf(member.meta, 'group') === collection.name && member.table !== null && isVisible(view, member),
  );
}

export function listCollections(caller: Caller): readonly CollectionObject[] {
  const guard = guardMetadata(caller, 'service_collections');
  const visible = [...caller.view.schema.collections.values()].filter((collection) => isVisible(caller.view, collection));
  return visible.flatMap((collection) => guard(describeCollection(collection), { collection: collection.name }) ?? []);
}

export function oneCollection(caller: Caller, name: string): CollectionObject {
  const found = listCollections(caller).find(({ collection }) => collection === name);
  if (found === undefined) throw forbiddenCollection(name);
  return found;
}

export function listFields(caller: Caller): readonly FieldObject[] {
  const guard = guardMetadata(caller, 'service_fields');
  return [...caller.view.schema.collections.values()].flatMap((collection) => fieldsOf(caller.view, collection, guard));
}

export function listFieldsIn(caller: Caller, name: string): readonly FieldObject[] {
  const guard = guardMetadata(caller, 'service_fields');
  const collection = caller.view.schema.collections.get(name);
  if (collection === undefined || !isVisible(caller.view, collection)) throw forbiddenCollection(name);
  return fieldsOf(caller.view, collection, guard);
}

/** The right to read the field is enough. */
export function oneField(caller: Caller, collection: string, name: string): FieldObject {
  const found = caller.view.schema.collections.get(collection);
  const field = found === undefined ? null : findField(caller.view, found, name, 'read');
  if (found === undefined || field === null) throw forbiddenField(name, collection);
  return showField(caller.view, found, field);
}

const fieldsOf = (view: SchemaView, collection: Collection, guard: Guard): readonly FieldObject[] =>
  visibleFields(view, collection, 'read').flatMap(
    (field) => guard(showField(view, collection, field), { collection: collection.name, field: field.name }) ?? [],
  );

/** A column does not tell which collection it points at, if that one may not be seen. */
function showField(view: SchemaView, collection: Collection, field: Field): FieldObject {
  const shown = describeField(collection, field);
  if (view.grants.admin || shown.schema === null || field.kind !== 'column' || field.relation?.kind !== 'm2o') return shown;
  if (findCollection(view, field.relation.related, 'read') !== null) return shown;
  return { ...shown, schema: { ...shown.schema, foreign_key_table: null, foreign_key_column: null } };
}

export function listRelations(caller: Caller): readonly RelationObject[] {
  const guard = guardMetadata(caller, 'service_relations');
  const visible = distinct(caller.view.schema.relations).flatMap((relation) => showRelation(caller.view, relation) ?? []);
  return visible.flatMap((relation) => guard(relation, keysOf(relation)) ?? []);
}

const keysOf = ({ collection, field, related_collection }: RelationObject): Payload => ({
  many_collection: collection,
  many_field: field,
  one_collection: related_collection,
});

export function listRelationsOf(caller: Caller, collection: string): readonly RelationObject[] {
  const relations = listRelations(caller);
  if (findCollection(caller.view, collection, 'read') === null) throw forbiddenCollection(collection);
  return relations.filter((relation) => relation.collection === collection);
}

export function oneRelation(caller: Caller, collection: string, field: string): RelationObject {
  const found = listRelationsOf(caller, collection).find((relation) => relation.field === field);
  if (found === undefined) throw forbiddenField(field, collection);
  return found;
}

/** A foreign key that is listed from several fields is one relation. */
function distinct(relations: readonly Relation[]): readonly Relation[] {
  const seen = new Map<string, Relation>();
  for (const relation of relations) {
    const key = JSON.stringify([relation.collection, relation.field]);
    if (!seen.has(key)) seen.set(key, relation);
  }
  return [...seen.values()];
}

/** null: one of its ends may not be seen. */
function showRelation(view: SchemaView, relation: Relation): RelationObject | null {
  const shown = describeRelation(view.schema, relation);
  if (view.grants.admin) return shown;
  const many = findCollection(view, relation.collection, 'read');
  if (many === null || findField(view, many, relation.field, 'read') === null) return null;
  if (relation.related === null) return showAny(view, shown);
  const one = findCollection(view, relation.related, 'read');
  if (one === null) return null;
  const alias = textOf(shown.meta, 'one_field');
  const hidden = alias !== null && findField(view, one, alias, 'read') === null;
  return hidden ? { ...shown, meta: { ...shown.meta, one_field: null } } : shown;
}

function showAny(view: SchemaView, shown: RelationObject): RelationObject | null {
  const allowed = listOf(shown.meta, 'one_allowed_collections').filter((name) => findCollection(view, name, 'read') !== null);
  return allowed.length === 0 ? null : { ...shown, meta: { ...shown.meta, one_allowed_collections: allowed } };
}
