// What writing files brings with it, by whichever door: the service alone says where contents lie and how large they are, and a content
// goes when its item goes or gets another one.

import type { Hooks, WriteEvent, WrittenItem } from '../../core/engine/hooks.js';
import { forbiddenField, invalidPayload } from '../../core/errors/service-error.js';
import type { Collection } from '../../core/schema/schema.js';
import { coerceValue } from '../../core/schema/values.js';
import { asService, type ContentFacts, type FilesContext, filesCollection } from './files-context.js';
import { removeContents } from './remove-contents.js';
import { findStorage } from './storage.js';

type Values = ReadonlyMap<string, unknown>;
type Item = Readonly<Record<string, unknown>>;

/** Fields of the service: set by it, and by nobody else. */
const owned = ['filename_disk', 'filesize', 'uploaded_on', 'tus_id', 'tus_data'] as const;
/** Besides: what is said once, when the item is made. */
const ownedLater = [...owned, 'storage', 'uploaded_by', 'created_on'] as const;

export function guardFiles(hooks: Hooks, context: FilesContext): void {
  hooks.before(filesCollection, 'create', async (event) => prepareNew(context, event));
  hooks.before(filesCollection, 'update', (event) => prepareChange(context, event));
  hooks.before(filesCollection, 'delete', async (event) => {
    const items = await readPlaces(context, event);
    event.work.afterCommit(() => removeContents(context, items));
    return undefined;
  });
}

function prepareNew(context: FilesContext, event: WriteEvent): readonly Values[] {
  return withFacts(context, event, ({ values }) => {
    const given = owned.find((name) => isGiven(values, name));
    if (given !== undefined) throw forbiddenField(given, filesCollection);
    if (findStorage(context.storages, values.get('storage')) === null) throw invalidPayload(unknownStorage(context));
  });
}

const unknownStorage = ({ storages }: FilesContext): string =>
  `"storage" has to be one of ${storages.map(({ name }) => `"${name}"`).join(', ')}.`;

async function prepareChange(context: FilesContext, event: WriteEvent): Promise<readonly Values[]> {
  const replaces = context.pending.has(event.work.caller);
  const touches = event.items.some(({ values }) => ownedLater.some((name) => values.has(name)));
  if (!replaces && !touches) return event.items.map(({ values }) => values);
  const present = new Map((await readPlaces(context, event)).map((item) => [String(item['id']), item]));
  const prepared = withFacts(context, event, ({ key, values }) => refuseOwned(values, present.get(String(key)) ?? {}));
  if (replaces) event.work.afterCommit(() => removeContents(context, [...present.values()]));
  return prepared;
}

/** Clients that send whole items back are understood: what is as it was is no change. */
function refuseOwned(values: Values, present: Item): void {
  for (const name of ownedLater) {
    if (values.has(name) && wireText(values.get(name)) !== wireText(present[name])) throw forbiddenField(name, filesCollection);
  }
}

const wireText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const isGiven = (values: Values, name: string): boolean => values.has(name) && values.get(name) !== null;

/** The facts of waiting contents go to the items of the request itself, in order; everything else is checked. */
function withFacts(context: FilesContext, event: WriteEvent, check: (item: WrittenItem) => void): readonly Values[] {
  const pending = context.pending.get(event.work.caller);
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
    if (!coerced.ok) throw new Error(`${name} ${coerced.message}`);
    values.set(name, coerced.value);
  }
  return values;
}

const readPlaces = (context: FilesContext, { work, items }: WriteEvent): Promise<readonly Item[]> =>
  context.reader.objects(asService(context, work), filesCollection, {
    fields: ['id', ...ownedLater],
    filter: { id: { _in: items.map(({ key }) => key) } },
    limit: -1,
  });
