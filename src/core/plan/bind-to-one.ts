// Many-to-one and the far leg of many-to-any in a payload (specification 4.2): a key links, an object without a key creates, an
// object with a key updates what it names and links it.

import { lookUpCollection, rowRules } from '../access/view.js';
import { forbidden, invalidPayload } from '../errors/service-error.js';
import type { Collection, ColumnField, ManyToAny, ManyToOne } from '../schema/schema.js';
import type { BoundItem, BoundLink } from './bound-write.js';
import type { Binder, ItemInput, Nested } from './item-input.js';
import { choosesOwnKey, keyOfPayload, readKeyParts } from './item-key.js';
import type { WriteContext } from './write-context.js';
import { isPayload, type Payload } from './write-payload.js';
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
  if (!isPayload(value)) {
    const link = bindLink(context, input, field, target, value);
    if (link !== null) nested().links.push(link);
    return;
  }
  const item = bindObject(binder, target.related, value, [...input.path, field.name]);
  nested().toOne.push({ field: field.name, relatedField: target.relatedField, item });
  nested().values.set(field.name, { item, field: target.relatedField });
}

interface Target {
  readonly related: Collection;
  readonly relatedField: string;
}

function findTarget(context: WriteContext, relation: ManyToOne): Target {
  const related = context.caller.view.schema.collections.get(relation.related);
  if (related === undefined || related.table === null) throw forbidden();
  return { related, relatedField: relation.relatedField };
}

/** Which of the allowed collections the entry points into; the payload must say so itself. */
function chooseTarget(context: WriteContext, field: ColumnField, relation: ManyToAny, payload: Payload): Target {
  const name = Object.hasOwn(payload, relation.collectionField) ? payload[relation.collectionField] : undefined;
  if (typeof name !== 'string')
    throw invalidPayload(`"${field.name}" needs "${relation.collectionField}", the name of the collection it points into.`);
  const related = relation.allowed.includes(name) ? context.caller.view.schema.collections.get(name) : undefined;
  const [relatedField, ...more] = related?.primaryKey ?? [];
  if (related === undefined || relatedField === undefined || more.length > 0) {
    throw invalidPayload(`"${relation.collectionField}" of "${field.name}" must be one of ${relation.allowed.join(', ')}.`);
  }
  return { related, relatedField };
}

/**
 * A key of the related item, which is the value of the column itself. Null: nothing is to be looked up, because the database does so or
 * because the value fits no column and is refused as such.
 */
function bindLink(context: WriteContext, input: ItemInput, field: ColumnField, target: Target, value: unknown): BoundLink | null {
  if (!coerceField(field, value).ok) return null;
  const relatedField = target.related.fields.get(target.relatedField);
  const far = relatedField?.kind === 'column' ? coerceField(relatedField, value) : null;
  if (far === null || !far.ok) throw forbidden();
  const enforced =
    writingFacts(input.collection, context.limits).enforced.has(field.name) &&
    rowRules(context.caller.view, target.related.name, 'read') === 'all';
  const ofPreset = !Object.hasOwn(input.payload, field.name);
  if (ofPreset || enforced) return null;
  return { field: field.name, related: target.related, relatedField: target.relatedField, value: far.value };
}

function bindObject(binder: Binder, related: Collection, payload: Payload, path: readonly string[]): BoundItem {
  const parts = keyOfPayload(related, payload);
  if (parts === null) {
    lookUpCollection(binder.context.caller.view, related.name, 'create');
    return binder.bindItem({ collection: related, payload, way: { kind: 'create' }, path, given: new Set() });
  }
  return bindKeyed(binder, related, payload, parts, path, new Set());
}

/** An object with a key: links what is there and changes what it names; a key that clients choose may also be new. */
export function bindKeyed(
  binder: Binder,
  collection: Collection,
  payload: Payload,
  parts: readonly unknown[],
  path: readonly string[],
  given: ReadonlySet<string>,
): BoundItem {
  const key = readKeyParts(collection, parts);
  if (key === null) throw forbidden();
  const onlyKey = Object.keys(payload).every((name) => collection.primaryKey.includes(name));
  if (choosesOwnKey(collection))
    return binder.bindItem({ collection, payload, way: { kind: 'upsert', match: collection.primaryKey }, path, given });
  if (onlyKey) return { collection, path, intent: { kind: 'link', key }, toOne: [], links: [], toMany: [] };
  return binder.bindItem({ collection, payload, way: { kind: 'update', key }, path, given });
}
