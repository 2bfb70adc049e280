// Binds one item of a payload, at any depth: the items it points at, the items that point at it, and its own values, for creating, for
// updating, or for both (upsert).

import { findCollection, findField } from '../../access/view.js';
import { refusal } from '../../errors/refusals.js';
import { invalidPayload, readOnlyCollection, ServiceError } from '../../errors/service-error.js';
import type { Collection, Field, ReferenceField } from '../../schema/schema.js';
import { isPlainObject } from '../../util/plain-object.js';
import { withPresets } from './added-values.js';
import { bindReferences, checkParts } from './bind-reference.js';
import { bindToMany } from './bind-to-many.js';
import { bindToOne } from './bind-to-one.js';
import { bindVariant, type VariantInput } from './bind-variant.js';
import type { BoundItem, Intent, Match, Variant, WriteValue } from './bound-write.js';
import type { ItemKey } from './item-key.js';
import type { Payload } from './payload.js';
import { type Binder, countItems, Failures, type ItemInput, type Nested, type WriteContext } from './write-context.js';
import { coerceField } from './write-value.js';
import { writingFacts } from './writing-facts.js';

export function bindItem(context: WriteContext, whole: ItemInput): BoundItem {
  const input = withoutUnused(context, whole);
  const { collection, path, mode } = input;
  if (path.length > context.limits.depth) throw invalidPayload(refusal('nested_too_deeply', { limit: context.limits.depth }));
  countItems(context, 1);
  authorizeItem(context, input);
  const binder: Binder = { context, bindItem: (inner) => bindItem(context, inner) };
  const payload = mode.kind === 'upsert' ? input.payload : withPresets(context, collection, mode.kind, input.payload);
  const nested = checkParts(binder, input, bindNested(binder, input, payload));
  const intent = bindIntent(context, input, nested.values);
  return { collection, path, intent, toOne: nested.toOne, links: nested.links, toMany: nested.toMany };
}

/** What stands in answers for a concealed value: sent back, it asks for nothing. */
const asterisks = '**********';

/** Without what clients send of whole objects and what is not written: names of no field, and concealed values as they were answered. */
function withoutUnused(context: WriteContext, input: ItemInput): ItemInput {
  const { unused } = input.collection;
  const { concealed } = writingFacts(input.collection, context.limits);
  if (unused.size === 0 && concealed.size === 0) return input;
  const isUsed = ([name, value]: readonly [string, unknown]): boolean =>
    !(value === asterisks && concealed.has(name)) && (!unused.has(name) || (unused.get(name) === 'null' && value !== null));
  const entries = Object.entries(input.payload);
  const used = entries.filter(isUsed);
  return used.length === entries.length ? input : { ...input, payload: Object.fromEntries(used) };
}

/** Checks names first: a payload that names what the caller may not write gets no other error. */
function authorizeItem(context: WriteContext, { collection, payload, mode }: ItemInput): void {
  const { view } = context.caller;
  const shape = context.shapes.of(collection, payload);
  if (mode.kind !== 'upsert') shape.authorize(view, mode.kind);
  else if (mode.onlyKey !== true && !mayWrite(context, collection, payload, 'create')) shape.authorize(view, 'update');
  // An item that only names a key needs no permission to write, so the reason is withheld.
  const reason = mode.kind === 'upsert' && mode.onlyKey === true ? null : collection.readOnlyReason;
  if (collection.readOnly) throw readOnlyCollection(collection.name, reason);
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
  const references: ReferenceField[] = [];
  for (const name of relational) {
    const field = input.collection.fields.get(name);
    if (input.parentValues.has(name) && isPlainObject(payload[name]))
      throw invalidPayload(`"${name}" is set by the relation that the item is nested in.`);
    if (field === undefined || input.parentValues.has(name)) continue;
    if (field.kind === 'reference') references.push(field);
    else bindRelation(binder, input, field, payload[name], payload, nested);
  }
  if (references.length > 0) bindReferences(binder, input, references, payload, nested());
  return found ?? nothingNested;
}

/** `nested` is created on first use: most items have no nested ones. */
function bindRelation(binder: Binder, input: ItemInput, field: Field, value: unknown, payload: Payload, nested: () => Nested): void {
  if (field.kind === 'relation') nested().toMany.push(bindToMany(binder, input, field, value));
  else if (field.kind === 'column' && field.relation !== null && value !== null)
    bindToOne(binder, input, field, field.relation, value, payload, nested);
}

function bindIntent(context: WriteContext, input: ItemInput, relations: ReadonlyMap<string, WriteValue>): Intent {
  const { mode } = input;
  switch (mode.kind) {
    case 'create':
      return { kind: 'create', create: bindVariant(context, variantInput(input, 'create', null, relations)) };
    case 'update':
      return { kind: 'update', key: mode.key, update: bindVariant(context, variantInput(input, 'update', mode.key, relations)) };
    case 'upsert':
      return {
        kind: 'upsert',
        match: mode.values === undefined ? bindMatch(input, mode.match) : { fields: mode.match, values: mode.values },
        create: tryVariant(context, variantInput(input, 'create', null, relations)),
        update: mode.onlyKey === true ? untouched : tryVariant(context, variantInput(input, 'update', null, relations)),
      };
  }
}

/** An item that is named by its key alone is linked and not changed. */
const untouched: Variant = { kind: 'ready', variant: { values: new Map(), named: [] } };

const variantInput = (
  input: ItemInput,
  action: 'create' | 'update',
  key: ItemKey | null,
  relations: ReadonlyMap<string, WriteValue>,
): VariantInput => ({
  collection: input.collection,
  payload: input.payload,
  path: input.path,
  parentValues: input.parentValues,
  action,
  key,
  relations,
});

function tryVariant(context: WriteContext, input: VariantInput): Variant {
  const failures = new Failures();
  try {
    context.shapes.of(input.collection, input.payload).authorize(context.caller.view, input.action);
    const variant = bindVariant({ ...context, failures }, input);
    failures.throwIfAny();
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
