// The structure a caller sees: the collections and fields that their permissions let them read, and the relations between these. The
// `meta` objects are filtered further by the permissions on service_collections, service_fields and service_relations.

import { type Caller, findCollection, findField, type SchemaView, visibleFields } from '../../../core/access/view.js';
import { forbiddenCollection, forbiddenField } from '../../../core/errors/service-error.js';
import { listOf, textOf } from '../../../core/schema/meta-row.js';
import type { Collection, Field, Relation } from '../../../core/schema/schema.js';
import { type CollectionObject, describeCollection } from './describe-collection.js';
import { describeField, type FieldObject } from './describe-field.js';
import type { IndexContext } from './describe-index.js';
import { describeRelation, type RelationObject } from './describe-relation.js';
import { type Guard, guardMetadata, type MetadataCollection, type ResolveStored } from './guard-metadata.js';
import { onWire } from './on-wire.js';
import type { Payload } from './payload.js';
import { type VisibleIndexes, visibleIndexes } from './visible-indexes.js';

/** A folder is visible if it contains a visible collection, at whatever depth; an administrator sees every folder. */
function isVisible(view: SchemaView, collection: Collection): boolean {
  if (view.grants.admin) return true;
  if (collection.table !== null) return findCollection(view, collection.name, 'read') !== null;
  const members = [...view.schema.collections.values()].filter(({ table }) => table !== null);
  return members.some((member) => isInside(view, member, collection.name) && findCollection(view, member.name, 'read') !== null);
}

/** Stops at a cycle: metadata may state that folders contain each other. */
function isInside({ schema }: SchemaView, collection: Collection, folder: string): boolean {
  const passed = new Set<string>();
  for (let at: Collection | undefined = collection; at !== undefined && !passed.has(at.name); ) {
    passed.add(at.name);
    const group: string | null = textOf(at.meta, 'group');
    if (group === folder) return true;
    at = group === null ? undefined : schema.collections.get(group);
  }
  return false;
}

export interface VisibleStructure extends VisibleIndexes {
  collections(): Promise<readonly CollectionObject[]>;
  collection(name: string): Promise<CollectionObject>;
  fields(): Promise<readonly FieldObject[]>;
  fieldsIn(collection: string): Promise<readonly FieldObject[]>;
  /** Needs the permission to read the field, but none on service_fields. */
  field(collection: string, name: string): FieldObject;
  relations(): Promise<readonly RelationObject[]>;
  relationsOf(collection: string): Promise<readonly RelationObject[]>;
  relation(collection: string, field: string): Promise<RelationObject>;
}

/** Every method throws FORBIDDEN for what the caller may not see, whether or not it exists. */
export function visibleStructure(
  caller: Caller,
  resolveStored: ResolveStored,
  ddl: Pick<IndexContext, 'keysNeedIndexes'>,
): VisibleStructure {
  const { view } = caller;
  const guardOf = (metadata: MetadataCollection): Promise<Guard> => guardMetadata(caller, metadata, resolveStored);

  const collections = async (): Promise<readonly CollectionObject[]> => {
    const guard = await guardOf('service_collections');
    // Guests of a share do not see folders, which would reveal something about other collections.
    const isGuest = caller.accountability.share !== null;
    const visible = [...view.schema.collections.values()].filter(
      (collection) => isVisible(view, collection) && !(isGuest && collection.table === null),
    );
    return visible.flatMap(
      (collection) => guard(onWire(describeCollection(collection), view.schema), { collection: collection.name }) ?? [],
    );
  };
  const relations = async (): Promise<readonly RelationObject[]> => {
    const guard = await guardOf('service_relations');
    const visible = distinct(view.schema.relations).flatMap((relation) => showRelation(view, relation) ?? []);
    return visible.flatMap((relation) => guard(relation, keysOf(relation)) ?? []);
  };
  const relationsOf = async (collection: string): Promise<readonly RelationObject[]> => {
    const all = await relations();
    if (findCollection(view, collection, 'read') === null) throw forbiddenCollection(collection);
    const called = view.schema.nameOf(collection);
    return all.filter((relation) => relation.collection === called);
  };

  return {
    ...visibleIndexes(view, ddl),
    collections,
    async collection(name) {
      const called = view.schema.nameOf(name);
      const found = (await collections()).find(({ collection }) => collection === called);
      // Lists include folders for orientation; a single folder can be read by administrators only.
      if (found === undefined || (found.schema === null && !caller.accountability.admin)) throw forbiddenCollection(name);
      return found;
    },
    async fields() {
      const guard = await guardOf('service_fields');
      return [...view.schema.collections.values()].flatMap((collection) => fieldsOf(view, collection, guard));
    },
    async fieldsIn(name) {
      const guard = await guardOf('service_fields');
      const collection = view.schema.collections.get(name);
      if (collection === undefined || !isVisible(view, collection)) throw forbiddenCollection(name);
      return fieldsOf(view, collection, guard);
    },
    field(name, fieldName) {
      const collection = view.schema.collections.get(name);
      const field = collection === undefined ? null : findField(view, collection, fieldName, 'read');
      if (collection === undefined || field === null) throw forbiddenField(fieldName, name);
      return showField(view, collection, field);
    },
    relations,
    relationsOf,
    async relation(collection, field) {
      const found = (await relationsOf(collection)).find((relation) => relation.field === field);
      if (found === undefined) throw forbiddenField(field, collection);
      return found;
    },
  };
}

const fieldsOf = (view: SchemaView, collection: Collection, guard: Guard): readonly FieldObject[] =>
  visibleFields(view, collection, 'read').flatMap(
    (field) => guard(showField(view, collection, field), { collection: collection.name, field: field.name }) ?? [],
  );

/** Leaves out the foreign key if the caller may not read the collection that it points to. */
function showField(view: SchemaView, collection: Collection, field: Field): FieldObject {
  const shown = onWire(describeField(collection, field), view.schema);
  if (view.grants.admin || shown.schema === null || field.kind !== 'column' || field.relation?.kind !== 'm2o') return shown;
  if (findCollection(view, field.relation.related, 'read') !== null) return shown;
  return { ...shown, schema: { ...shown.schema, foreign_key_table: null, foreign_key_column: null } };
}

const keysOf = ({ collection, field, related_collection }: RelationObject): Payload => ({
  many_collection: collection,
  many_field: field,
  one_collection: related_collection,
});

/** One relation per many side: several alias fields may list the same foreign key. */
function distinct(relations: readonly Relation[]): readonly Relation[] {
  const seen = new Map<string, Relation>();
  for (const relation of relations) {
    const key = JSON.stringify([relation.collection, relation.field]);
    if (!seen.has(key)) seen.set(key, relation);
  }
  return [...seen.values()];
}

/** null if the caller may not see one of its two sides. */
function showRelation(view: SchemaView, relation: Relation): RelationObject | null {
  const shown = onWire(describeRelation(view.schema, relation), view.schema);
  if (view.grants.admin) return shown;
  const many = findCollection(view, relation.collection, 'read');
  if (many === null || findField(view, many, relation.field, 'read') === null) return null;
  if (relation.related === null) return showAny(view, shown);
  const one = findCollection(view, relation.related, 'read');
  if (one === null) return null;
  const sides = { one_field: one, junction_field: many, sort_field: many };
  const hidden = Object.entries(sides).filter(([key, side]) => {
    const name = textOf(shown.meta, key);
    return name !== null && findField(view, side, name, 'read') === null;
  });
  return { ...shown, meta: { ...shown.meta, ...Object.fromEntries(hidden.map(([key]) => [key, null])) } };
}

function showAny(view: SchemaView, shown: RelationObject): RelationObject | null {
  const allowed = listOf(shown.meta, 'one_allowed_collections').filter((name) => findCollection(view, name, 'read') !== null);
  return allowed.length === 0 ? null : { ...shown, meta: { ...shown.meta, one_allowed_collections: allowed } };
}
