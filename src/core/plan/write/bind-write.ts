// The entry for every create, update, upsert and delete: turns payloads into a BoundWrite. The failing fields of all items are reported
// together, but a name that the caller may not use ends the binding at once.

import type { Action } from '../../access/permission.js';
import { lookUpCollection, lookUpField } from '../../access/view.js';
import { forbidden, invalidPayload, invalidQuery, readOnlyCollection } from '../../errors/service-error.js';
import type { Collection } from '../../schema/schema.js';
import { bindItem } from './bind-item.js';
import { asBoundDelete, asBoundWrite, type BoundDelete, type BoundItem, type BoundWrite } from './bound-write.js';
import { type ItemKey, keyOfPayload, keyText, readKey, readKeyParts } from './item-key.js';
import { asPayload } from './payload.js';
import { countItems, type ParentValues, type WriteContext } from './write-context.js';

const atRoot: readonly string[] = [];

export function bindCreate(context: WriteContext, name: string, payloads: readonly unknown[]): BoundWrite {
  const collection = lookUpWritable(context, name, 'create');
  const items = payloads.map((payload) => bindNewItem(context, collection, payload));
  return finish(context, collection, items);
}

/**
 * Binds a part of the list of items in a request; failures name the places of their items in the list. Returns null if anything has failed so
 * far; the caller must then refuse the whole request.
 */
export function bindCreatePart(context: WriteContext, name: string, payloads: readonly unknown[]): BoundWrite | null {
  const collection = lookUpWritable(context, name, 'create');
  const items = payloads.map((payload) => {
    context.failures.nextItem();
    return bindNewItem(context, collection, payload);
  });
  return context.failures.entries.length > 0 ? null : asBoundWrite({ collection, items });
}

// Shared by all items, and written out below: a spread per item would cost a quarter of the whole binding of a bulk.
const creating = { kind: 'create' } as const;
const noParent: ParentValues = new Map();

const bindNewItem = (context: WriteContext, collection: Collection, payload: unknown): BoundItem =>
  bindItem(context, { collection, payload: asPayload(payload, 'An item'), mode: creating, path: atRoot, parentValues: noParent });

/** Applies one payload to every key. Nested to-one items are written once and shared. */
export function bindUpdate(context: WriteContext, name: string, keys: readonly unknown[], payload: unknown): BoundWrite {
  const collection = lookUpWritable(context, name, 'update');
  const unique = uniqueKeys(collection, keys);
  const [first, ...rest] = unique;
  if (first === undefined) return finish(context, collection, []);
  const input = { collection, payload: asPayload(payload, 'The data'), path: [], parentValues: new Map() };
  refuseOtherKeys(collection, input.payload, unique);
  const model = bindItem(context, { ...input, mode: { kind: 'update', key: first } });
  return finish(context, collection, [
    model,
    ...rest.map((key) => repeatFor(context, model, key, () => bindItem(context, { ...input, mode: { kind: 'update', key } }))),
  ]);
}

/** An item with to-many relations needs its own copies of the nested items; otherwise one binding serves every key. */
function repeatFor(context: WriteContext, model: BoundItem, key: ItemKey, bindAgain: () => BoundItem): BoundItem {
  if (model.intent.kind !== 'update') return model;
  const intent = { ...model.intent, key };
  if (model.toMany.length === 0) {
    countItems(context, 1);
    return { ...model, intent };
  }
  const found = context.failures.entries.length;
  return { ...model, intent, toMany: found > 0 ? [] : bindAgain().toMany };
}

/** Each payload contains the key of the item it changes. */
export function bindBatch(context: WriteContext, name: string, payloads: readonly unknown[]): BoundWrite {
  const collection = lookUpWritable(context, name, 'update');
  const items = payloads.map((raw) => {
    context.failures.nextItem();
    const payload = asPayload(raw, 'An item');
    const parts = keyOfPayload(collection, payload);
    if (parts === null) throw invalidPayload(`Every item of a batch must name its key (${collection.primaryKey.join(', ')}).`);
    return bindItem(context, {
      collection,
      payload,
      mode: { kind: 'update', key: existing(readKeyParts(collection, parts)) },
      path: [],
      parentValues: new Map(),
    });
  });
  return finish(context, collection, items);
}

/** Updates the items that a unique key finds and creates the others. */
export function bindUpsert(context: WriteContext, name: string, payloads: readonly unknown[], conflict: readonly string[]): BoundWrite {
  const collection = lookUpWritable(context, name, 'create');
  lookUpCollection(context.caller.view, name, 'update');
  const match = findUniqueKey(context, collection, conflict);
  if (match === null) throw invalidQuery(`"on_conflict" must name the fields of a unique key of "${name}".`);
  const items = payloads.map((payload) => {
    context.failures.nextItem();
    return bindItem(context, {
      collection,
      payload: asPayload(payload, 'An item'),
      mode: { kind: 'upsert', match },
      path: [],
      parentValues: new Map(),
    });
  });
  return finish(context, collection, items);
}

export function bindDelete(context: WriteContext, name: string, keys: readonly unknown[]): BoundDelete {
  const collection = lookUpWritable(context, name, 'delete');
  countItems(context, keys.length);
  return asBoundDelete({ collection, keys: uniqueKeys(collection, keys) });
}

function lookUpWritable(context: WriteContext, name: string, action: Action): Collection {
  const collection = lookUpCollection(context.caller.view, name, action);
  if (collection.readOnly) throw readOnlyCollection(name, collection.readOnlyReason);
  return collection;
}

export function uniqueKeys(collection: Collection, keys: readonly unknown[]): readonly ItemKey[] {
  const byText = new Map<string, ItemKey>();
  for (const raw of keys) {
    const key = existing(readKey(collection, raw));
    byText.set(keyText(key), key);
  }
  return [...byText.values()];
}

/** A value that cannot be a key identifies no item. */
function existing(key: ItemKey | null): ItemKey {
  if (key === null) throw forbidden();
  return key;
}

function refuseOtherKeys(collection: Collection, payload: Readonly<Record<string, unknown>>, keys: readonly ItemKey[]): void {
  const named = collection.primaryKey.some((name) => Object.hasOwn(payload, name));
  if (named && keys.length > 1) throw invalidPayload('The data for several items cannot name a key.');
}

function finish(context: WriteContext, collection: Collection, items: readonly BoundItem[]): BoundWrite {
  context.failures.throwIfAny();
  return asBoundWrite({ collection, items });
}

/**
 * Returns the given fields, in their order, if they form a unique key: the primary key, a unique column, or a unique index. Otherwise null.
 */
function findUniqueKey(context: WriteContext, collection: Collection, names: readonly string[]): readonly string[] | null {
  const fields = names.map((name) => lookUpField(context.caller.view, collection, name, 'read'));
  if (fields.length === 0 || fields.some((field) => field.kind !== 'column' || field.concealed)) return null;
  return uniqueKeysOf(collection).some((key) => sameNames(key, names)) ? names : null;
}

function uniqueKeysOf(collection: Collection): readonly (readonly string[])[] {
  const indexes = collection.table?.indexes.filter((index) => index.unique && !index.partial) ?? [];
  const columns = collection.table?.columns.filter((column) => column.unique) ?? [];
  return [collection.primaryKey, ...indexes.map((index) => index.columns), ...columns.map((column) => [column.name])];
}

const sameNames = (key: readonly string[], names: readonly string[]): boolean =>
  key.length === names.length && new Set([...key, ...names]).size === key.length;
