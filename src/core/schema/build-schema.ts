// Raw facts, metadata and the definitions of the system collections become one Schema (specification 2.2-2.4). Pure: the schema
// store reads the facts and calls this.

import { buildCollection } from './build-collection.js';
import type { CollectionRelations } from './build-fields.js';
import { buildLinks } from './build-links.js';
import { gatherSources } from './collection-source.js';
import { type Link, linkToManySide, linkToOneSide, linkToRelation } from './link.js';
import type { RawDatabase } from './raw.js';
import type { ManyToAny, ManyToOne, Metadata, OneToMany, Schema } from './schema.js';
import type { SystemDefinition } from './system-definition.js';
import { systemMetadata } from './system-metadata.js';

export function buildSchema(
  version: number,
  database: RawDatabase,
  metadata: Metadata,
  definitions: readonly SystemDefinition[],
  /** The SQL schema of the service's own tables; null: the default one. */
  systemSchema: string | null = null,
): Schema {
  const all = joinMetadata(systemMetadata(definitions), metadata);
  const sources = gatherSources(database, all, definitions, systemSchema);
  const links = buildLinks(sources, all.relations, systemSchema);
  const relations = relationsByCollection(links);
  const collections = new Map([...sources].map(([name, source]) => [name, buildCollection(source, relations.get(name) ?? noRelations)]));
  return { version, collections, relations: links.map(linkToRelation) };
}

const joinMetadata = (first: Metadata, second: Metadata): Metadata => ({
  collections: [...first.collections, ...second.collections],
  fields: [...first.fields, ...second.fields],
  relations: [...first.relations, ...second.relations],
});

const noRelations: CollectionRelations = { manySides: new Map(), oneSides: new Map() };

interface GrowingRelations {
  readonly manySides: Map<string, ManyToOne | ManyToAny>;
  readonly oneSides: Map<string, OneToMany>;
}

/** Where two rows speak of the same field the first counts. */
function relationsByCollection(links: readonly Link[]): ReadonlyMap<string, CollectionRelations> {
  const byCollection = new Map<string, GrowingRelations>();
  const of = (name: string): GrowingRelations => {
    const relations = byCollection.get(name) ?? { manySides: new Map(), oneSides: new Map() };
    byCollection.set(name, relations);
    return relations;
  };
  for (const link of links) {
    const { manySides } = of(link.collection);
    if (!manySides.has(link.field)) manySides.set(link.field, linkToManySide(link));
    const oneSide = linkToOneSide(link);
    if (oneSide && !of(oneSide.collection).oneSides.has(oneSide.field)) of(oneSide.collection).oneSides.set(oneSide.field, oneSide);
  }
  return byCollection;
}
