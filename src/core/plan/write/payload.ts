// Payloads as clients send them, and the meaning of their names.

import { lookUpCollection, lookUpField, type SchemaView } from '../../access/view.js';
import { invalidPayload } from '../../errors/service-error.js';
import type { Collection, Field } from '../../schema/schema.js';
import { isPlainObject } from '../../util/plain-object.js';

export type Payload = Readonly<Record<string, unknown>>;

export function asPayload(value: unknown, what: string): Payload {
  if (!isPlainObject(value)) throw invalidPayload(`${what} must be an object.`);
  return value;
}

export function asList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidPayload(`${what} must be a list.`);
  return value;
}

type Action = 'create' | 'update';

/** The names of a payload, looked up. The payloads of a bulk mostly have the same names, so each shape is looked up once per request. */
export class PayloadShape {
  readonly names: readonly string[];
  /** The fields in the order of the names; undefined for a name that is no field. */
  readonly fields: readonly (Field | undefined)[];
  /** The names whose values may be nested items. */
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

  /** Unknown and forbidden names fail with the same error, before any other check of the payload. */
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
  field !== undefined && (field.kind === 'relation' || field.kind === 'reference' || (field.kind === 'column' && field.relation !== null));

/** The shapes of one request, and therefore of one caller. */
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
