// Hooks on writes of service_files, whatever door they come through: only the service sets where a content is stored and its size, and a
// content is removed when its item is deleted or gets another content.

import { findField } from '../../core/access/view.js';
import type { Hooks, WriteEvent, WrittenItem } from '../../core/engine/write/hooks.js';
import { forbiddenField, invalidPayload } from '../../core/errors/service-error.js';
import type { Collection } from '../../core/schema/schema.js';
import { coerceValue } from '../../core/schema/types/coerce-value.js';
import { findStorage } from './storage/storage.js';
import { checkHeaderValues } from './transfer/file-payload.js';
import { asService, type ContentFacts, type FilesDeps, filesCollection } from './transfer/files-deps.js';
import { removeContents } from './transfer/keep-contents.js';

type Values = ReadonlyMap<string, unknown>;
type Item = Readonly<Record<string, unknown>>;

/** Fields that only the service sets. */
const owned = ['filename_disk', 'filesize', 'uploaded_on', 'tus_id', 'tus_data'] as const;
/** Fields that cannot be changed after the item is created. */
const ownedLater = [...owned, 'storage', 'uploaded_by', 'created_on'] as const;

export function guardFiles(hooks: Hooks, deps: FilesDeps): void {
  hooks.before(filesCollection, 'create', async (event) => prepareNew(deps, event));
  hooks.before(filesCollection, 'update', (event) => prepareChange(deps, event));
  hooks.before(filesCollection, 'delete', async (event) => {
    const items = await readPlaces(deps, event);
    event.work.afterCommit(() => removeContents(deps, items));
    return undefined;
  });
}

function prepareNew(deps: FilesDeps, event: WriteEvent): readonly Values[] {
  for (const { values } of event.items) checkHeaderValues(values);
  return withFacts(deps, event, ({ values }) => {
    const given = owned.find((name) => isGiven(values, name));
    if (given !== undefined) throw forbiddenField(given, filesCollection);
    if (findStorage(deps.storages, values.get('storage')) === null) throw invalidPayload(unknownStorage(deps));
  });
}

const unknownStorage = ({ storages }: FilesDeps): string =>
  `"storage" has to be one of ${storages.map(({ name }) => `"${name}"`).join(', ')}.`;

async function prepareChange(deps: FilesDeps, event: WriteEvent): Promise<readonly Values[]> {
  for (const { values } of event.items) checkHeaderValues(values);
  const replaces = deps.pending.has(event.work.caller);
  const touches = event.items.some(({ values }) => ownedLater.some((name) => values.has(name)));
  if (!replaces && !touches) return event.items.map(({ values }) => values);
  const present = await readPlaces(deps, event);
  const seen = touches ? await readSeen(deps, event) : [];
  const [presentByKey, seenByKey] = [byId(present), byId(seen)];
  const prepared = withFacts(deps, event, ({ key, values }) =>
    refuseOwned(values, presentByKey.get(String(key)) ?? {}, seenByKey.get(String(key)) ?? {}),
  );
  if (replaces) event.work.afterCommit(() => removeContents(deps, present));
  return prepared;
}

const byId = (items: readonly Item[]): ReadonlyMap<string, Item> => new Map(items.map((item) => [String(item['id']), item]));

/**
 * Refuses a change of the fixed fields. Clients send whole items back, so an equal value is accepted. `seen` is what the caller may read of
 * the item: a field they cannot see is refused with any value, so that its value cannot be found by guessing.
 */
function refuseOwned(values: Values, present: Item, seen: Item): void {
  for (const name of ownedLater) {
    if (!values.has(name)) continue;
    const sent = wireText(values.get(name));
    if (!Object.hasOwn(seen, name) || sent !== wireText(seen[name]) || sent !== wireText(present[name]))
      throw forbiddenField(name, filesCollection);
  }
}

const wireText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const isGiven = (values: Values, name: string): boolean => values.has(name) && values.get(name) !== null;

/** Adds the facts of the stored contents to the top-level items of the request, in order; all other items are checked. */
function withFacts(deps: FilesDeps, event: WriteEvent, check: (item: WrittenItem) => void): readonly Values[] {
  const pending = deps.pending.get(event.work.caller);
  const facts = [...(pending?.facts ?? [])];
  const values = event.items.map((item) => {
    const fact = item.parent === null ? facts.shift() : undefined;
    if (fact !== undefined) return new Map([...item.values, ...canonical(event.collection, fact)]);
    check(item);
    return item.values;
  });
  if (pending !== undefined)
    event.work.afterCommit(() => {
      pending.kept = true;
    });
  return values;
}

function canonical({ fields }: Collection, facts: ContentFacts): Values {
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(facts)) {
    const field = fields.get(name);
    if (field?.kind !== 'column') continue;
    const coerced = coerceValue(field.type, value, field.column);
    if (!coerced.ok) throw new Error(`${name} ${coerced.fault.sentence}`);
    values.set(name, coerced.value);
  }
  return values;
}

/** The fixed fields that the caller may read; empty if they may not read the items or their keys. */
async function readSeen(deps: FilesDeps, { work, items, collection }: WriteEvent): Promise<readonly Item[]> {
  const isSeen = (name: string): boolean => findField(work.caller.view, collection, name, 'read') !== null;
  if (!isSeen('id')) return [];
  const keys = items.map(({ key }) => key);
  const query = { fields: ['id', ...ownedLater.filter(isSeen)], filter: { id: { _in: keys } }, limit: -1 };
  return deps.reader.objects(work, filesCollection, query);
}

const readPlaces = (deps: FilesDeps, { work, items }: WriteEvent): Promise<readonly Item[]> =>
  deps.reader.objects(asService(deps, work), filesCollection, {
    fields: ['id', ...ownedLater],
    filter: { id: { _in: items.map(({ key }) => key) } },
    limit: -1,
  });
