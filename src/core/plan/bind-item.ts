// One item of a payload, at any depth: what it points at, what points at it, and its own values, bound for creating, for updating
// or for both.

import { findCollection, findField } from '../access/view.js';
import { forbiddenCollection, invalidPayload, ServiceError } from '../errors/service-error.js';
import type { Collection, Field } from '../schema/schema.js';
import { bindToMany } from './bind-to-many.js';
import { bindToOne } from './bind-to-one.js';
import { bindVariant, type VariantInput } from './bind-variant.js';
import type { BoundItem, Intent, Match, Variant, WriteValue } from './bound-write.js';
import type { Binder, ItemInput, Nested } from './item-input.js';
import type { ItemKey } from './item-key.js';
import { withPresets } from './presets.js';
import { Failures, type WriteContext } from './write-context.js';
import { isPayload, type Payload } from './write-payload.js';
import { coerceField } from './write-value.js';

export function bindItem(context: WriteContext, input: ItemInput): BoundItem {
  const { collection, path, way } = input;
  if (path.length > context.limits.depth) throw invalidPayload(`Items may be nested at most ${context.limits.depth} levels deep.`);
  authorizeItem(context, input);
  const binder: Binder = { context, bindItem: (inner) => bindItem(context, inner) };
  const nested = bindNested(
    binder,
    input,
    way.kind === 'upsert' ? input.payload : withPresets(context, collection, way.kind, input.payload),
  );
  const intent = bindIntent(context, input, nested.values);
  return { collection, path, intent, toOne: nested.toOne, links: nested.links, toMany: nested.toMany };
}

/** Names first: nothing else is said about a payload that names what the caller may not write. */
function authorizeItem(context: WriteContext, { collection, payload, way }: ItemInput): void {
  if (collection.readOnly) throw forbiddenCollection(collection.name);
  const { view } = context.caller;
  const shape = context.shapes.of(collection, payload);
  if (way.kind !== 'upsert') shape.authorize(view, way.kind);
  else if (!mayWrite(context, collection, payload, 'create')) shape.authorize(view, 'update');
}

function mayWrite(context: WriteContext, collection: Collection, payload: Payload, action: 'create' | 'update'): boolean {
  const { view } = context.caller;
  return (
    findCollection(view, collection.name, action) !== null &&
    Object.keys(payload).every((name) => findField(view, collection, name, action) !== null)
  );
}

const nothingNested: Nested = { toOne: [], links: [], toMany: [], values: new Map() };

function bindNested(binder: Binder, input: ItemInput, payload: Payload): Nested {
  const { relational } = binder.context.shapes.of(input.collection, payload);
  if (relational.length === 0) return nothingNested;
  let found: Nested | null = null;
  const nested = (): Nested => {
    found ??= { toOne: [], links: [], toMany: [], values: new Map() };
    return found;
  };
  for (const name of relational) {
    const field = input.collection.fields.get(name);
    if (input.given.has(name) && isPayload(payload[name])) throw invalidPayload(`"${name}" is set by the relation the item stands in.`);
    if (field !== undefined && !input.given.has(name)) bindRelation(binder, input, field, payload[name], payload, nested);
  }
  return found ?? nothingNested;
}

/** `nested` is made by the first who has something to put there: mostly nobody has. */
function bindRelation(binder: Binder, input: ItemInput, field: Field, value: unknown, payload: Payload, nested: () => Nested): void {
  if (field.kind === 'relation') nested().toMany.push(bindToMany(binder, input, field, value));
  else if (field.kind === 'column' && field.relation !== null && value !== null)
    bindToOne(binder, input, field, field.relation, value, payload, nested);
}

function bindIntent(context: WriteContext, input: ItemInput, relations: ReadonlyMap<string, WriteValue>): Intent {
  const { way } = input;
  switch (way.kind) {
    case 'create':
      return { kind: 'create', create: bindVariant(context, variantInput(input, 'create', null, relations)) };
    case 'update':
      return { kind: 'update', key: way.key, update: bindVariant(context, variantInput(input, 'update', way.key, relations)) };
    case 'upsert':
      return {
        kind: 'upsert',
        match: bindMatch(input, way.match),
        create: tryVariant(context, variantInput(input, 'create', null, relations)),
        update: tryVariant(context, variantInput(input, 'update', null, relations)),
      };
  }
}

const variantInput = (
  input: ItemInput,
  action: 'create' | 'update',
  key: ItemKey | null,
  relations: ReadonlyMap<string, WriteValue>,
): VariantInput => ({
  collection: input.collection,
  payload: input.payload,
  path: input.path,
  given: input.given,
  action,
  key,
  relations,
});

function tryVariant(context: WriteContext, input: VariantInput): Variant {
  const failures = new Failures();
  try {
    context.shapes.of(input.collection, input.payload).authorize(context.caller.view, input.action);
    const variant = bindVariant({ ...context, failures }, input);
    failures.refuseAny();
    return { kind: 'ready', variant };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'refused', error };
    throw error;
  }
}

function bindMatch(input: ItemInput, names: readonly string[]): Match {
  const values = names.map((name) => {
    const field = input.collection.fields.get(name);
    const result = field?.kind === 'column' ? coerceField(field, input.payload[name]) : null;
    if (result === null || !result.ok || result.value === null) throw invalidPayload(`"${name}" must have a value in every item.`);
    return result.value;
  });
  return { fields: names, values };
}
