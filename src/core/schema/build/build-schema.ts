// Builds a Schema (specification 2.2-2.4) from the raw facts of the catalogue, the metadata rows and the definitions of the system
// collections. Pure: the schema store reads the inputs and calls this for every new snapshot.
//
// Steps: system definitions become metadata rows (system-metadata.ts), so that one builder serves both; tables, rows and definitions are
// joined per collection (collection-source.ts); relations are built over all collections (build-links.ts); then each collection is built
// with its share of the relations.

import type { RawDatabase } from '../raw.js';
import type { Collection, ManyToAny, ManyToOne, Metadata, OneToMany, Schema } from '../schema.js';
import type { SystemHome } from '../system-home.js';
import { buildCollection } from './build-collection.js';
import type { CollectionRelations } from './build-fields.js';
import { buildLinks } from './build-links.js';
import { gatherSources } from './collection-source.js';
import { type Link, linkToManySide, linkToOneSide, linkToRelation } from './link.js';
import { systemMetadata } from './system-metadata.js';

export function buildSchema(version: number, database: RawDatabase, metadata: Metadata, system: SystemHome): Schema {
  const all = joinMetadata(systemMetadata(system.definitions), metadata);
  const sources = gatherSources(database, all, system);
  const links = buildLinks(sources, all.relations);
  const relations = relationsByCollection(links);
  const built = [...sources].map(([name, source]) => [name, buildCollection(source, relations.get(name) ?? noRelations)] as const);
  const names = new Set(sources.keys());
  const nameOf = (name: string): string => (names.has(name) ? name : system.nameOf(name));
  return { version, wire: system.wire, collections: new NamedCollections(built, nameOf), relations: links.map(linkToRelation), nameOf };
}

/** Lists every collection once, under the name of the wire, and finds a system collection by its name on any wire and in the code. */
class NamedCollections extends Map<string, Collection> {
  readonly #nameOf: (name: string) => string;

  constructor(entries: readonly (readonly [string, Collection])[], nameOf: (name: string) => string) {
    super();
    this.#nameOf = nameOf;
    for (const [name, collection] of entries) this.set(name, collection);
  }

  override get(name: string): Collection | undefined {
    return super.get(name) ?? super.get(this.#nameOf(name));
  }

  override has(name: string): boolean {
    return super.has(this.#nameOf(name));
  }
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

/** When two rows describe the same field, the first wins. */
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
