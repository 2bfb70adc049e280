// Binds the values of one item for one action, in this order: presets below the payload, canonical values, special fields, required fields,
// validation rules. Failures are collected so that the client learns of all of them at once.

import { refusal } from '../../errors/refusals.js';
import { invalidPayload } from '../../errors/service-error.js';
import type { Collection, ColumnField, Field, ReferenceField } from '../../schema/schema.js';
import { NamedValues } from '../../util/named-values.js';
import { isPlainObject } from '../../util/plain-object.js';
import { applySpecials, withPresets } from './added-values.js';
import { type BoundVariant, isReference, type WriteValue } from './bound-write.js';
import { checkRequired, checkValidation } from './check-item.js';
import { type ItemKey, keyText } from './item-key.js';
import type { Payload } from './payload.js';
import type { ParentValues, WriteContext } from './write-context.js';
import { coerceField } from './write-value.js';
import { writingFacts } from './writing-facts.js';

export interface VariantInput {
  readonly collection: Collection;
  readonly payload: Payload;
  readonly path: readonly string[];
  readonly parentValues: ParentValues;
  readonly action: 'create' | 'update';
  /** The key of the item to update, if it is known already. */
  readonly key: ItemKey | null;
  readonly relations: ReadonlyMap<string, WriteValue>;
}

export function bindVariant(context: WriteContext, input: VariantInput): BoundVariant {
  const { collection, action, payload, path } = input;
  const merged = withPresets(context, collection, action, payload);
  if (action === 'create' && collection.demanded.length > 0) refuseMissing(input, merged);
  const values = new NamedValues<WriteValue>(writingFacts(collection, context.limits).names);
  const failuresBefore = context.failures.entries.length;
  const { names, fields } = context.shapes.of(collection, merged);
  for (const field of fields) {
    if (field !== undefined && !input.parentValues.has(field.name)) bindField(context, input, field, merged[field.name], values);
  }
  const item = context.failures.entries.length > failuresBefore ? fittingValues(merged, values) : merged;
  applySpecials(context, collection, action, values, names.length > 0);
  checkRequired(context, input, values);
  checkValidation(context, { collection, action, path, item });
  return { values, named: merged === payload ? names : Object.keys(payload) };
}

/** Names are demanded before values are looked at. */
function refuseMissing({ collection, parentValues }: VariantInput, payload: Payload): void {
  const missing = collection.demanded.find((name) => !Object.hasOwn(payload, name) && !parentValues.has(name));
  if (missing !== undefined) throw invalidPayload(`"${missing}" is required.`);
}

/** Leaves out values that do not fit their type: they are reported as such and not validated. */
function fittingValues(payload: Payload, values: ReadonlyMap<string, WriteValue>): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !values.has(name) || values.get(name) !== undefined));
}

function bindField(context: WriteContext, input: VariantInput, field: Field, value: unknown, values: NamedValues<WriteValue>): void {
  const related = input.relations.get(field.name);
  if (field.kind === 'presentation') refuseContent(field, value);
  else if (field.kind === 'reference') bindParts(context, input, field, values);
  else if (related !== undefined) bindRelated(context, input, field, related, value, values);
  else if (field.kind === 'column' && input.collection.primaryKey.includes(field.name)) bindKeyField(context, input, field, value, values);
  else if (field.kind === 'column') bindColumn(context, input, field, value, values);
}

/** Sets the columns of a reference. */
function bindParts(context: WriteContext, input: VariantInput, { relation }: ReferenceField, values: NamedValues<WriteValue>): void {
  for (const { column } of relation.pairs) {
    const field = input.collection.fields.get(column);
    const part = input.relations.get(column);
    if (field !== undefined && part !== undefined && !input.parentValues.has(column))
      bindRelated(context, input, field, part, part, values);
  }
}

/** Sets a column to a value of a related item. In an update, the field may repeat the key of its item. */
function bindRelated(
  context: WriteContext,
  input: VariantInput,
  field: Field,
  related: WriteValue,
  sent: unknown,
  values: NamedValues<WriteValue>,
): void {
  const isKey = field.kind === 'column' && input.collection.primaryKey.includes(field.name);
  if (!isKey || input.action === 'create') values.set(field.name, related);
  else bindKeyField(context, input, field, isReference(related) ? keyInside(field, sent) : related, values);
}

const keyInside = ({ relation }: ColumnField, sent: unknown): unknown =>
  relation?.kind === 'm2o' && isPlainObject(sent) ? sent[relation.pairs[0].target] : undefined;

function refuseContent(field: Field, value: unknown): void {
  if (value !== null) throw invalidPayload(`Field "${field.name}" holds no value.`);
}

/** A key is set once: an update may repeat it, but not change it. */
function bindKeyField(
  context: WriteContext,
  input: VariantInput,
  field: ColumnField,
  value: unknown,
  values: NamedValues<WriteValue>,
): void {
  if (input.action === 'create') {
    if (value !== null) bindColumn(context, input, field, value, values);
    return;
  }
  if (input.key === null) return;
  const present = input.key[input.collection.primaryKey.indexOf(field.name)];
  const result = coerceField(field, value);
  if (!result.ok || keyText([result.value]) !== keyText([present]))
    throw invalidPayload(refusal('key_unchangeable', { field: field.name }));
}

function bindColumn(context: WriteContext, input: VariantInput, field: ColumnField, value: unknown, values: NamedValues<WriteValue>): void {
  if (field.column.generated) throw invalidPayload(refusal('generated_field', { field: field.name }));
  const result = coerceField(field, value, input.path);
  if (!result.ok) context.failures.add(result.entry);
  values.set(field.name, result.ok ? result.value : undefined);
}
