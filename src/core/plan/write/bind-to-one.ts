// Binds to-one relations in a payload (specification 4.2): many-to-one, and the second step of many-to-any. A key links an item, an object
// without a key creates one, and an object with a key updates and links the item it names.

import { findCollection, lookUpCollection, rowRules } from '../../access/view.js';
import { forbidden, invalidPayload } from '../../errors/service-error.js';
import type { Collection, ColumnField, ManyToAny, ManyToOne } from '../../schema/schema.js';
import { isPlainObject } from '../../util/plain-object.js';
import type { BoundItem, BoundLink } from './bound-write.js';
import { choosesOwnKey, keyOfPayload, readKeyParts } from './item-key.js';
import type { Payload } from './payload.js';
import type { Binder, ItemInput, Nested, ParentValues, WriteContext } from './write-context.js';
import { coerceField } from './write-value.js';
import { writingFacts } from './writing-facts.js';

export function bindToOne(
  binder: Binder,
  input: ItemInput,
  field: ColumnField,
  relation: ManyToOne | ManyToAny,
  value: unknown,
  payload: Payload,
  nested: () => Nested,
): void {
  const { context } = binder;
  const target = relation.kind === 'm2o' ? findTarget(context, relation) : chooseTarget(context, field, relation, payload);
  // Stored is the name of the wire, whichever was sent.
  if (relation.kind === 'm2a' && payload[relation.collectionField] !== target.related.name)
    nested().values.set(relation.collectionField, target.related.name);
  if (!isPlainObject(value)) {
    const link = bindLink(context, input, field, target, value);
    if (link !== null) nested().links.push(link);
    return;
  }
  const item = bindObject(binder, target.related, value, [...input.path, field.name]);
  nested().toOne.push({ field: field.name, relatedFields: [target.relatedField], item });
  nested().values.set(field.name, { item, field: target.relatedField });
}

interface Target {
  readonly related: Collection;
  readonly relatedField: string;
}

function findTarget(context: WriteContext, relation: ManyToOne): Target {
  const related = context.caller.view.schema.collections.get(relation.related);
  if (related === undefined || related.table === null) throw forbidden();
  return { related, relatedField: relation.pairs[0].target };
}

/** The collection that the value points into, one of the allowed ones; the payload itself must name it. */
function chooseTarget(context: WriteContext, field: ColumnField, relation: ManyToAny, payload: Payload): Target {
  const name = Object.hasOwn(payload, relation.collectionField) ? payload[relation.collectionField] : undefined;
  if (typeof name !== 'string')
    throw invalidPayload(`"${field.name}" needs "${relation.collectionField}", the name of the collection it points into.`);
  const { collections, nameOf } = context.caller.view.schema;
  const related = relation.allowed.includes(nameOf(name)) ? collections.get(name) : undefined;
  const [relatedField, ...more] = related?.primaryKey ?? [];
  if (related === undefined || relatedField === undefined || more.length > 0) {
    throw invalidPayload(`"${relation.collectionField}" of "${field.name}" must be one of ${relation.allowed.join(', ')}.`);
  }
  return { related, relatedField };
}

/**
 * A key, which is the value of the column itself. Returns null when there is nothing to look up: the database enforces the foreign key, or
 * the value does not fit the column and is refused for that.
 */
function bindLink(context: WriteContext, input: ItemInput, field: ColumnField, target: Target, value: unknown): BoundLink | null {
  if (!coerceField(field, value).ok) return null;
  const relatedField = target.related.fields.get(target.relatedField);
  const far = relatedField?.kind === 'column' ? coerceField(relatedField, value) : null;
  if (far === null || !far.ok) throw forbidden();
  const leftToDatabase = writingFacts(input.collection, context.limits).enforced.has(field.name) || input.collection.loose.has(field.name);
  const enforced = leftToDatabase && rowRules(context.caller.view, target.related.name, 'read') === 'all';
  const ofPreset = !Object.hasOwn(input.payload, field.name);
  if (ofPreset || enforced) return null;
  return { related: target.related, relatedFields: [target.relatedField], values: [far.value] };
}

export function bindObject(binder: Binder, related: Collection, payload: Payload, path: readonly string[]): BoundItem {
  const parts = keyOfPayload(related, payload);
  if (parts === null) {
    lookUpCollection(binder.context.caller.view, related.name, 'create');
    return binder.bindItem({ collection: related, payload, mode: { kind: 'create' }, path, parentValues: new Map() });
  }
  return bindKeyed(binder, related, payload, parts, path, new Map());
}

/** An object with a key: links the existing item and changes the fields it names. If clients choose the keys, the item may also be new. */
export function bindKeyed(
  binder: Binder,
  collection: Collection,
  payload: Payload,
  parts: readonly unknown[],
  path: readonly string[],
  parentValues: ParentValues,
): BoundItem {
  const key = readKeyParts(collection, parts);
  if (key === null) throw forbidden();
  const onlyKey = Object.keys(payload).every((name) => isOfKey(collection, name));
  const isBare = onlyKey && !Object.values(payload).some(isPlainObject);
  // A caller that may not create items can only mean an existing one, which requires no more permission than the bare key.
  const mayBeNew = choosesOwnKey(collection) && (!isBare || findCollection(binder.context.caller.view, collection.name, 'create') !== null);
  const mode = { kind: 'upsert', match: collection.primaryKey, values: key, onlyKey } as const;
  if (mayBeNew) return binder.bindItem({ collection, payload, mode, path, parentValues });
  if (isBare) return { collection, path, intent: { kind: 'link', key }, toOne: [], links: [], toMany: [] };
  return binder.bindItem({ collection, payload, mode: { kind: 'update', key }, path, parentValues });
}

/** Whether the name is a field of the key, or a reference over nothing but such fields. */
function isOfKey({ primaryKey, fields }: Collection, name: string): boolean {
  const field = fields.get(name);
  return field?.kind === 'reference' ? field.relation.pairs.every(({ column }) => primaryKey.includes(column)) : primaryKey.includes(name);
}
