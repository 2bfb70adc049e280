// From payloads to a BoundWrite: the entry of every create, update, upsert and delete. All failing fields of all items are
// answered at once; a name the caller may not use ends the binding at once.

import type { Action } from '../access/permission.js';
import { lookUpCollection } from '../access/view.js';
import { forbidden, forbiddenCollection, invalidPayload, invalidQuery } from '../errors/service-error.js';
import type { Collection } from '../schema/schema.js';
import { bindItem } from './bind-item.js';
import { asBoundDelete, asBoundWrite, type BoundDelete, type BoundItem, type BoundWrite } from './bound-write.js';
import { type ItemKey, keyOfPayload, keyText, readKey, readKeyParts } from './item-key.js';
import { findUniqueKey } from './unique-key.js';
import type { WriteContext } from './write-context.js';
import { asPayload } from './write-payload.js';

const atRoot: readonly string[] = [];

export function bindCreate(context: WriteContext, name: string, payloads: readonly unknown[]): BoundWrite {
  const bound = bindNewItems(context, name, payloads);
  context.failures.refuseAny();
  return bound;
}

/** Some of the items of a request; null when something failed here or before, which the caller has to refuse in the end. */
export function bindCreatePart(context: WriteContext, name: string, payloads: readonly unknown[]): BoundWrite | null {
  const bound = bindNewItems(context, name, payloads);
  return context.failures.entries.length > 0 ? null : bound;
}

function bindNewItems(context: WriteContext, name: string, payloads: readonly unknown[]): BoundWrite {
  const collection = lookUpWritable(context, name, 'create');
  const way = { kind: 'create' } as const;
  const given: ReadonlySet<string> = new Set();
  // Shared and written out: a spread for each item would cost a quarter of the whole binding of a bulk.
  const items = payloads.map((payload) =>
    bindItem(context, { collection, payload: asPayload(payload, 'An item'), way, path: atRoot, given }),
  );
  return asBoundWrite({ collection, items });
}

/** The same payload for every key; what it points at is written once and shared. */
export function bindUpdate(context: WriteContext, name: string, keys: readonly unknown[], payload: unknown): BoundWrite {
  const collection = lookUpWritable(context, name, 'update');
  const unique = uniqueKeys(collection, keys);
  const [first, ...rest] = unique;
  if (first === undefined) return finish(context, collection, []);
  const input = { collection, payload: asPayload(payload, 'The data'), path: [], given: new Set<string>() };
  refuseOtherKeys(collection, input.payload, unique);
  const model = bindItem(context, { ...input, way: { kind: 'update', key: first } });
  return finish(context, collection, [
    model,
    ...rest.map((key) => repeatFor(context, model, key, () => bindItem(context, { ...input, way: { kind: 'update', key } }))),
  ]);
}

/** Items that own what points at them need their own copies of it; otherwise the bound values serve every key. */
function repeatFor(context: WriteContext, model: BoundItem, key: ItemKey, bindAgain: () => BoundItem): BoundItem {
  if (model.intent.kind !== 'update') return model;
  const intent = { ...model.intent, key };
  if (model.toMany.length === 0) return { ...model, intent };
  const found = context.failures.entries.length;
  return { ...model, intent, toMany: found > 0 ? [] : bindAgain().toMany };
}

/** Each payload names the item it changes. */
export function bindBatch(context: WriteContext, name: string, payloads: readonly unknown[]): BoundWrite {
  const collection = lookUpWritable(context, name, 'update');
  const items = payloads.map((raw) => {
    const payload = asPayload(raw, 'An item');
    const parts = keyOfPayload(collection, payload);
    if (parts === null) throw invalidPayload(`Every item of a batch must name its key (${collection.primaryKey.join(', ')}).`);
    return bindItem(context, {
      collection,
      payload,
      way: { kind: 'update', key: existing(readKeyParts(collection, parts)) },
      path: [],
      given: new Set(),
    });
  });
  return finish(context, collection, items);
}

/** Updates what a unique key finds and creates the rest. */
export function bindUpsert(context: WriteContext, name: string, payloads: readonly unknown[], conflict: readonly string[]): BoundWrite {
  const collection = lookUpWritable(context, name, 'create');
  lookUpCollection(context.caller.view, name, 'update');
  const match = findUniqueKey(context, collection, conflict);
  if (match === null) throw invalidQuery(`"on_conflict" must name the fields of a unique key of "${name}".`);
  const items = payloads.map((payload) =>
    bindItem(context, { collection, payload: asPayload(payload, 'An item'), way: { kind: 'upsert', match }, path: [], given: new Set() }),
  );
  return finish(context, collection, items);
}

export function bindDelete(context: WriteContext, name: string, keys: readonly unknown[]): BoundDelete {
  const collection = lookUpWritable(context, name, 'delete');
  return asBoundDelete({ collection, keys: uniqueKeys(collection, keys) });
}

function lookUpWritable(context: WriteContext, name: string, action: Action): Collection {
  const collection = lookUpCollection(context.caller.view, name, action);
  if (collection.readOnly) throw forbiddenCollection(name);
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

/** A value that cannot be a key is the key of no item. */
function existing(key: ItemKey | null): ItemKey {
  if (key === null) throw forbidden();
  return key;
}

function refuseOtherKeys(collection: Collection, payload: Readonly<Record<string, unknown>>, keys: readonly ItemKey[]): void {
  const named = collection.primaryKey.some((name) => Object.hasOwn(payload, name));
  if (named && keys.length > 1) throw invalidPayload('The data for several items cannot name a key.');
}

function finish(context: WriteContext, collection: Collection, items: readonly BoundItem[]): BoundWrite {
  context.failures.refuseAny();
  return asBoundWrite({ collection, items });
}
