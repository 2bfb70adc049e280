// Binds to-many relations in a payload (specification 4.2): one-to-many, and the first step of many-to-many and many-to-any. The basic form
// is the complete list of related items; the detailed form names what to create, update and remove.

import { forbidden, invalidPayload } from '../../errors/service-error.js';
import type { Collection, OneToMany, RelationField } from '../../schema/schema.js';
import type { Canonical } from '../../schema/types/coerced.js';
import { isPlainObject } from '../../util/plain-object.js';
import { completeKey, ownValue } from './bind-reference.js';
import { bindKeyed } from './bind-to-one.js';
import type { BoundItem, BoundToMany } from './bound-write.js';
import { choosesOwnKey, type ItemKey, keyOfPayload, keyText, readKey } from './item-key.js';
import { asList, asPayload, type Payload } from './payload.js';
import type { Binder, ItemInput, ParentValues } from './write-context.js';

interface ListContext {
  readonly binder: Binder;
  readonly related: Collection;
  readonly path: readonly string[];
  readonly parentValues: ParentValues;
  readonly name: string;
  /** Whether entries of the list may exist already. */
  readonly mayExist: boolean;
}

export function bindToMany(binder: Binder, input: ItemInput, field: RelationField, value: unknown): BoundToMany {
  const { relation } = field;
  const related = binder.context.caller.view.schema.collections.get(relation.related);
  if (related === undefined || related.table === null) throw forbidden();
  const path = [...input.path, field.name];
  const list = {
    binder,
    related,
    path,
    parentValues: parentValuesOf(input, relation),
    name: field.name,
    mayExist: input.mode.kind !== 'create',
  };
  if (value === null) return { relation, related, form: 'basic', entries: [], removed: [] };
  if (Array.isArray(value))
    return { relation, related, form: 'basic', entries: dropRepeated(value.map((entry) => bindEntry(list, entry))), removed: [] };
  if (isPlainObject(value)) return { relation, related, form: 'detailed', ...bindDetailed(list, value) };
  throw invalidPayload(`"${field.name}" must be a list, or an object with create, update and delete.`);
}

/** The fields that refer to the parent, with their values as far as they are known. */
function parentValuesOf(input: ItemInput, { relatedField, pairs }: OneToMany): ParentValues {
  const parentValues = new Map<string, Canonical | undefined>([[relatedField, undefined]]);
  for (const { column, target } of pairs) parentValues.set(column, ownValue(input, target));
  return parentValues;
}

function bindEntry(list: ListContext, entry: unknown): BoundItem {
  if (!isPlainObject(entry)) return linkTo(list, entry);
  const parts = keyOfPayload(list.related, entry) ?? keyInList(list, entry);
  if (parts === null) return bindNew(list, entry);
  return bindKeyed(list.binder, list.related, entry, parts, list.path, list.parentValues);
}

/** A key that the parent completes, as in a junction: `{tag: 3}` in a list of book 1 is the item "1,3", which may or may not exist. */
function keyInList({ binder, related, parentValues, mayExist }: ListContext, entry: Payload): readonly unknown[] | null {
  if (!mayExist || !choosesOwnKey(related)) return null;
  return completeKey(binder, related, entry, parentValues);
}

const bindNew = (list: ListContext, entry: unknown): BoundItem =>
  list.binder.bindItem({
    collection: list.related,
    payload: asPayload(entry, `An entry of "${list.name}"`),
    mode: { kind: 'create' },
    path: list.path,
    parentValues: list.parentValues,
  });

function linkTo(list: ListContext, raw: unknown): BoundItem {
  if (raw === null || typeof raw === 'boolean') throw invalidPayload(`An entry of "${list.name}" must be a key or an object.`);
  return {
    collection: list.related,
    path: list.path,
    intent: { kind: 'link', key: asExisting(list, raw) },
    toOne: [],
    links: [],
    toMany: [],
  };
}

function asExisting(list: ListContext, raw: unknown): ItemKey {
  const key = readKey(list.related, raw);
  if (key === null) throw forbidden();
  return key;
}

/** A repeated key counts once. */
function dropRepeated(entries: readonly BoundItem[]): readonly BoundItem[] {
  const seen = new Set<string>();
  return entries.filter(({ intent }) => {
    if (intent.kind !== 'link') return true;
    const text = keyText(intent.key);
    return !seen.has(text) && seen.add(text) !== undefined;
  });
}

function bindDetailed(list: ListContext, value: Readonly<Record<string, unknown>>): Pick<BoundToMany, 'entries' | 'removed'> {
  const unknown = Object.keys(value).find((name) => !['create', 'update', 'delete'].includes(name));
  if (unknown !== undefined) throw invalidPayload(`"${list.name}" takes create, update and delete, not "${unknown}".`);
  const part = (name: string): readonly unknown[] =>
    value[name] === undefined || value[name] === null ? [] : asList(value[name], `"${name}" of "${list.name}"`);
  const created = part('create').map((entry) => bindNew(list, entry));
  const updated = part('update').map((entry) => bindChange(list, entry));
  return { entries: [...updated, ...created], removed: part('delete').map((raw) => bindRemoved(list, raw)) };
}

function bindChange(list: ListContext, entry: unknown): BoundItem {
  const payload = asPayload(entry, `An entry of "update" of "${list.name}"`);
  const parts = keyOfPayload(list.related, payload) ?? completeKey(list.binder, list.related, payload, list.parentValues);
  if (parts === null)
    throw invalidPayload(`Every entry of "update" of "${list.name}" must name its key (${list.related.primaryKey.join(', ')}).`);
  return bindKeyed(list.binder, list.related, payload, parts, list.path, list.parentValues);
}

function bindRemoved(list: ListContext, raw: unknown): ItemKey {
  if (isPlainObject(raw) || raw === null || typeof raw === 'boolean') throw invalidPayload(`"delete" of "${list.name}" takes keys.`);
  return asExisting(list, raw);
}
