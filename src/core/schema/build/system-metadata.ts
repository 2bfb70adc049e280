// The definitions of the system collections as the metadata rows they would have, so that one builder serves system and user collections.

import { collectionMetaDefaults, fieldMetaDefaults } from '../meta-defaults.js';
import type { MetaRow } from '../meta-row.js';
import type { Metadata } from '../schema.js';
import type { SystemDefinition, SystemField, SystemRelation } from '../system-definition.js';

/** Definitions never change, and every schema is built from the same ones: their rows are made once. */
const made = new WeakMap<readonly SystemDefinition[], Metadata>();

export function systemMetadata(definitions: readonly SystemDefinition[]): Metadata {
  const metadata = made.get(definitions) ?? makeRows(definitions);
  made.set(definitions, metadata);
  return metadata;
}

function makeRows(definitions: readonly SystemDefinition[]): Metadata {
  const shown = definitions.filter((definition) => !definition.internal);
  return {
    collections: shown.map(collectionRow),
    fields: shown.flatMap((definition) => [...fieldRows(definition), ...aliasRows(definition)]),
    relations: shown.flatMap((definition) => definition.relations.flatMap((relation) => relationRows(definition.collection, relation))),
  };
}

const collectionRow = ({ collection, note, singleton, accountability }: SystemDefinition): MetaRow => ({
  collection,
  ...collectionMetaDefaults,
  note,
  singleton,
  accountability,
  system: true,
});

function fieldRows(definition: SystemDefinition): readonly MetaRow[] {
  const shown = definition.fields.filter((field) => !field.hidden);
  return shown.map((field, index) => fieldRow(definition.collection, field.field, field.special, index + 1, isRequired(field)));
}

const isRequired = (field: SystemField): boolean =>
  !field.nullable && field.default === null && !field.autoIncrement && !field.special.includes('uuid');

/** Alias fields belong to the collections that this one points at. */
function aliasRows(definition: SystemDefinition): readonly MetaRow[] {
  return definition.relations.flatMap((relation) =>
    relation.aliases.map((alias) => fieldRow(relation.related, alias.field, [alias.junctionField === null ? 'o2m' : 'm2m'], null, false)),
  );
}

const fieldRow = (collection: string, field: string, special: readonly string[], sort: number | null, required: boolean): MetaRow => ({
  id: null,
  collection,
  field,
  ...fieldMetaDefaults,
  special: special.length > 0 ? special : null,
  sort,
  required,
  system: true,
});

/** One row per alias: several fields of the one side may list the same foreign key. */
function relationRows(collection: string, relation: SystemRelation): readonly MetaRow[] {
  const aliases = relation.aliases.length > 0 ? relation.aliases : [null];
  return aliases.map((alias) => ({
    id: null,
    many_collection: collection,
    many_field: relation.field,
    one_collection: relation.related,
    one_field: alias?.field ?? null,
    one_collection_field: null,
    one_allowed_collections: null,
    junction_field: alias?.junctionField ?? null,
    sort_field: null,
    one_deselect_action: alias?.deselect ?? 'nullify',
    system: true,
  }));
}
