// What a rehearsed write touches: the items it changes or deletes, and the fields that rules on other items may depend on.

import { relatedCollections } from '../../../core/access/unrestricted-reads.js';
import type { Witness } from '../../../core/engine/work/transaction.js';
import type { Filter } from '../../../core/query/query.js';
import type { Collection, Field, Schema } from '../../../core/schema/schema.js';
import { isPending } from '../../../core/sql/pending-key.js';

interface TouchedCollection {
  /** Keys of items that existed before the write, by their JSON text. */
  readonly keys: Map<string, readonly string[]>;
  readonly fields: Set<string>;
  /** Items are created or deleted, so every field counts as changed. */
  moves: boolean;
}

export class TouchedItems {
  readonly #byCollection = new Map<string, TouchedCollection>();

  readonly witness: Witness = (action, { name }, rows) => {
    const touched = this.#of(name);
    if (action !== 'update') touched.moves = true;
    for (const { key, values } of rows) {
      for (const field of values.keys()) touched.fields.add(field);
      if (action !== 'create' && key !== null && !key.some(isPending)) this.add(name, key.map(String));
    }
  };

  add(collection: string, key: readonly string[]): void {
    this.#of(collection).keys.set(JSON.stringify(key), key);
  }

  keysOf(collection: string): readonly (readonly string[])[] {
    return [...(this.#byCollection.get(collection)?.keys.values() ?? [])];
  }

  has(collection: string): boolean {
    return this.#byCollection.has(collection);
  }

  /** Whether the write may change the result of a rule on items of the collection that it does not touch. */
  affects(schema: Schema, collection: Collection, filter: Filter): boolean {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return filter.filters.some((part) => this.affects(schema, collection, part));
      case 'compare':
      case 'json': {
        // `count(books)` depends on the related items.
        const field = collection.fields.get(filter.field.name);
        return field?.kind === 'relation' && this.#changes(field.relation.related, field.relation.relatedField);
      }
      case 'related': {
        const field = collection.fields.get(filter.field.name);
        return field !== undefined && this.#affectsThrough(schema, field, filter.filter);
      }
    }
  }

  #affectsThrough(schema: Schema, field: Field, filter: Filter): boolean {
    if (field.kind === 'relation' && this.#changes(field.relation.related, field.relation.relatedField)) return true;
    return relatedCollections(field).some((name) => {
      const related = schema.collections.get(name);
      if (related === undefined) return false;
      return namesOf(filter).some((named) => this.#changes(name, named)) || this.affects(schema, related, filter);
    });
  }

  #changes(collection: string, field: string): boolean {
    const touched = this.#byCollection.get(collection);
    return touched !== undefined && (touched.moves || touched.fields.has(field));
  }

  #of(name: string): TouchedCollection {
    const known = this.#byCollection.get(name) ?? { keys: new Map(), fields: new Set(), moves: false };
    this.#byCollection.set(name, known);
    return known;
  }
}

/** The fields that a filter names on its own collection. */
const namesOf = (filter: Filter): readonly string[] => ('filters' in filter ? filter.filters.flatMap(namesOf) : [filter.field.name]);
