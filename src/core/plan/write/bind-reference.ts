// Binds foreign keys of several columns in a payload. The reference field accepts what a many-to-one accepts (a key, an object, null) and
// sets its columns. A column may belong to several foreign keys and may also be sent by itself; all values given for it must agree.

import { rowRules } from '../../access/view.js';
import { forbidden, invalidPayload } from '../../errors/service-error.js';
import type { Collection, KeyPair, ReferenceField } from '../../schema/schema.js';
import type { Canonical } from '../../schema/types/coerced.js';
import { isPlainObject } from '../../util/plain-object.js';
import { bindObject } from './bind-to-one.js';
import { type BoundItem, isReference } from './bound-write.js';
import { type ItemKey, keyOfPayload, keyText, readKey } from './item-key.js';
import type { Payload } from './payload.js';
import type { Binder, ItemInput, Nested, ParentValues } from './write-context.js';
import { coerceField } from './write-value.js';
import { writingFacts } from './writing-facts.js';

/** Values of columns that are known before anything is written; undefined: the column gets a value that is not known yet. */
type Known = Map<string, Canonical | undefined>;

export function bindReferences(
  binder: Binder,
  input: ItemInput,
  fields: readonly ReferenceField[],
  payload: Payload,
  nested: Nested,
): void {
  const known = ownColumns(input, fields, payload);
  for (const field of fields) claimParts(binder, input, field, payload[field.name], known);
  for (const field of fields) {
    const value = payload[field.name];
    if (value === null) clear(field, fields, payload, nested);
    else if (isPlainObject(value)) bindItemForm(binder, input, field, value, known, nested);
    else bindKeyForm(binder, input, field, value, known, nested);
  }
}

/** The columns of these keys that the item itself gives a value. */
function ownColumns(input: ItemInput, fields: readonly ReferenceField[], payload: Payload): Known {
  const known: Known = new Map();
  for (const { column } of fields.flatMap(({ relation }) => relation.pairs)) {
    const isNamed = Object.hasOwn(payload, column) && payload[column] !== null;
    if (isNamed || input.parentValues.has(column) || (input.mode.kind === 'update' && input.collection.primaryKey.includes(column)))
      known.set(column, ownValue({ ...input, payload }, column));
  }
  return known;
}

/** The value of a field of the item, as far as the payload, the key and the parent determine it. */
export function ownValue({ collection, payload, mode, parentValues }: ItemInput, name: string): Canonical | undefined {
  const place = collection.primaryKey.indexOf(name);
  if (mode.kind === 'update' && place !== -1) return plainValue(collection, name, mode.key[place]);
  if (mode.kind === 'upsert' && mode.values !== undefined && mode.match.includes(name))
    return plainValue(collection, name, mode.values[mode.match.indexOf(name)]);
  if (parentValues.has(name)) return parentValues.get(name);
  return Object.hasOwn(payload, name) ? plainValue(collection, name, payload[name]) : undefined;
}

/** The canonical value of a column. For an object in place of a key, the field that the column points at. */
function plainValue(collection: Collection, name: string, value: unknown): Canonical | undefined {
  const field = collection.fields.get(name);
  if (field?.kind !== 'column') return undefined;
  const inside = isPlainObject(value) && field.relation?.kind === 'm2o' ? value[field.relation.pairs[0].target] : value;
  if (inside === undefined || inside === null || isPlainObject(inside)) return undefined;
  const coerced = coerceField(field, inside);
  return coerced.ok ? coerced.value : undefined;
}

/** Adds the columns that the value of a reference determines, and refuses values that contradict known ones. */
function claimParts(binder: Binder, input: ItemInput, field: ReferenceField, value: unknown, known: Known): void {
  if (value === null) {
    const named = field.clears.find((column) => known.has(column));
    if (named !== undefined) throw disagree(field, named);
    return;
  }
  const parts = partsOf(input.collection, relatedOf(binder, field), field, value);
  for (const { column } of field.relation.pairs) {
    const part = parts.get(column);
    if (part === undefined) continue;
    if (known.has(column) && keyText([known.get(column)]) !== keyText([part])) throw disagree(field, column);
    known.set(column, part);
  }
}

const disagree = ({ name }: ReferenceField, column: string) =>
  invalidPayload(`"${name}" and another value given for "${column}" of the same item differ.`);

/** The values of the columns, as far as a key or an object in its place contains them. */
function partsOf(
  collection: Collection,
  related: Collection,
  { relation }: ReferenceField,
  value: unknown,
): ReadonlyMap<string, Canonical> {
  const key = isPlainObject(value) ? null : readLink(related, value);
  const parts = new Map<string, Canonical>();
  for (const { column, target } of relation.pairs) {
    const place = related.primaryKey.indexOf(target);
    const sent = isPlainObject(value) ? value[target] : place === -1 ? undefined : key?.[place];
    const part = plainValue(collection, column, isPlainObject(sent) ? undefined : sent);
    if (part !== undefined) parts.set(column, part);
  }
  return parts;
}

function readLink(related: Collection, value: unknown): ItemKey {
  const key = readKey(related, value);
  if (key === null) throw forbidden();
  return key;
}

function relatedOf({ context }: Binder, { relation }: ReferenceField): Collection {
  const related = context.caller.view.schema.collections.get(relation.related);
  if (related === undefined || related.table === null) throw forbidden();
  return related;
}

function clear(field: ReferenceField, fields: readonly ReferenceField[], payload: Payload, nested: Nested): void {
  if (field.clears.length === 0) {
    const columns = field.relation.pairs.map(({ column }) => `"${column}"`).join(' and ');
    throw invalidPayload(`"${field.name}" cannot be null: ${columns} cannot.`);
  }
  for (const column of field.clears) {
    const isSet = fields.some((other) => payload[other.name] !== null && other.relation.pairs.some((pair) => pair.column === column));
    if (isSet) throw disagree(field, column);
    nested.values.set(column, null);
  }
}

/** An object: a new or changed item. A new item takes over known values of the columns that it does not name itself. */
function bindItemForm(binder: Binder, input: ItemInput, field: ReferenceField, value: Payload, known: Known, nested: Nested): void {
  const related = relatedOf(binder, field);
  const { pairs } = field.relation;
  const isOpen = ({ column, target }: KeyPair): boolean => value[target] === undefined && known.get(column) !== undefined;
  const shared = keyOfPayload(related, value) === null ? pairs.filter(isOpen) : [];
  const payload = { ...Object.fromEntries(shared.map(({ column, target }) => [target, known.get(column)])), ...value };
  const item = bindObject(binder, related, payload, [...input.path, field.name]);
  for (const pair of pairs) {
    const isGiven = payload[pair.target] !== undefined && known.get(pair.column) !== undefined;
    if (isGiven) setPlain(nested, pair.column, known);
    else setPart(nested, field, pair, item, known);
  }
  nested.toOne.push({ field: field.name, relatedFields: pairs.map(({ target }) => target), item });
}

/** If the column also refers to an item that is looked up, the reference stays and the two are compared then. */
function setPlain(nested: Nested, column: string, known: Known): void {
  if (!isReference(nested.values.get(column))) nested.values.set(column, known.get(column));
}

function setPart(nested: Nested, field: ReferenceField, { column, target }: KeyPair, item: BoundItem, known: Known): void {
  const value = known.get(column);
  if (value === undefined && known.has(column)) throw disagree(field, column);
  const present = nested.values.get(column);
  const others = [...(value === undefined ? [] : [value]), ...(isReference(present) ? [present] : [])];
  nested.values.set(column, { item, field: target, ...(others.length === 0 ? {} : { agrees: others }) });
}

/** A key of an existing item. If the foreign key points at other fields than the primary key, the item is looked up. */
function bindKeyForm(binder: Binder, input: ItemInput, field: ReferenceField, value: unknown, known: Known, nested: Nested): void {
  const related = relatedOf(binder, field);
  const { pairs } = field.relation;
  const key = readLink(related, value);
  if (pairs.every(({ target }) => related.primaryKey.includes(target))) {
    // A part that fits no column cannot be the key of an item that this one could point at.
    if (pairs.some(({ column }) => known.get(column) === undefined)) throw forbidden();
    for (const { column } of pairs) setPlain(nested, column, known);
    if (!isEnforced(binder, related)) nested.links.push({ related, relatedFields: related.primaryKey, values: key });
    return;
  }
  const path = [...input.path, field.name];
  const item: BoundItem = { collection: related, path, intent: { kind: 'link', key }, toOne: [], links: [], toMany: [] };
  for (const pair of pairs) setPart(nested, field, pair, item, known);
  nested.toOne.push({ field: field.name, relatedFields: pairs.map(({ target }) => target), item });
}

/** For a caller that may read all related items, the foreign key constraint reports a missing one; no lookup is needed. */
const isEnforced = ({ context }: Binder, related: Collection): boolean => rowRules(context.caller.view, related.name, 'read') === 'all';

/**
 * For new items whose foreign keys are sent column by column: what they point at must be visible to the caller, as it must be for a
 * reference.
 */
export function checkParts(binder: Binder, input: ItemInput, nested: Nested): Nested {
  const { references } = writingFacts(input.collection, binder.context.limits);
  if (references.length === 0 || input.mode.kind === 'update') return nested;
  const links = references.flatMap((field) => {
    const related = relatedOf(binder, field);
    const { pairs } = field.relation;
    const isNamed = pairs.some(({ column }) => Object.hasOwn(input.payload, column)) && !Object.hasOwn(input.payload, field.name);
    if (!isNamed || isEnforced(binder, related)) return [];
    const values = pairs.map(({ column, target }) => targetValue(related, target, ownValue(input, column)));
    return values.includes(undefined) ? [] : [{ related, relatedFields: pairs.map(({ target }) => target), values }];
  });
  return links.length === 0 ? nested : { ...nested, links: [...nested.links, ...links] };
}

function targetValue(related: Collection, target: string, value: Canonical | undefined): Canonical | undefined {
  return value === undefined ? undefined : plainValue(related, target, value);
}

/** The parts of a key as given by its fields, by references over them and by the list that the item is in; null if one is missing. */
export function completeKey(
  binder: Binder,
  collection: Collection,
  payload: Payload,
  parentValues: ParentValues,
): readonly unknown[] | null {
  const named = writingFacts(collection, binder.context.limits).references.filter(({ name }) => (payload[name] ?? null) !== null);
  const pointed = new Map(named.flatMap((field) => [...partsOf(collection, relatedOf(binder, field), field, payload[field.name])]));
  const parts = collection.primaryKey.map((name) => {
    if (Object.hasOwn(payload, name)) return plainValue(collection, name, payload[name]);
    return parentValues.get(name) ?? pointed.get(name);
  });
  return parts.includes(undefined) ? null : parts;
}
