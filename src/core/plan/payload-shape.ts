// What the names of a payload mean. Payloads of a bulk mostly name the same, so each shape is looked up once per request.

import { lookUpCollection, lookUpField, type SchemaView } from '../access/view.js';
import type { Collection, Field } from '../schema/schema.js';
import type { Payload } from './write-payload.js';

type Action = 'create' | 'update';

export class PayloadShape {
  readonly names: readonly string[];
  /** In the order of the names; undefined for a name that is no field. */
  readonly fields: readonly (Field | undefined)[];
  /** The names whose values may be items of their own. */
  readonly relational: readonly string[];
  readonly #collection: Collection;
  readonly #allowed = new Set<Action>();

  constructor(collection: Collection, names: readonly string[]) {
    this.names = names;
    this.fields = names.map((name) => collection.fields.get(name));
    this.relational = names.filter((_name, index) => isRelational(this.fields[index]));
    this.#collection = collection;
  }

  hasNames(names: readonly string[]): boolean {
    if (names.length !== this.names.length) return false;
    for (let index = 0; index < names.length; index += 1) if (names[index] !== this.names[index]) return false;
    return true;
  }

  /** Unknown and forbidden names fail alike, before anything else is said about the payload. */
  authorize(view: SchemaView, action: Action): void {
    if (this.#allowed.has(action)) return;
    const collection = this.#collection;
    lookUpCollection(view, collection.name, action);
    for (const name of this.names) {
      if (action === 'update' && collection.primaryKey.includes(name)) continue;
      lookUpField(view, collection, name, action);
    }
    this.#allowed.add(action);
  }
}

const isRelational = (field: Field | undefined): boolean =>
  field !== undefined && (field.kind === 'relation' || (field.kind === 'column' && field.relation !== null));

/** Of one request, and so of one caller. */
export class PayloadShapes {
  readonly #latest = new Map<Collection, PayloadShape>();

  of(collection: Collection, payload: Payload): PayloadShape {
    const names = Object.keys(payload);
    const latest = this.#latest.get(collection);
    if (latest?.hasNames(names) === true) return latest;
    const shape = new PayloadShape(collection, names);
    this.#latest.set(collection, shape);
    return shape;
  }
}
