// Creates, updates and deletes items in two calls: the first shows what would happen, by running it and rolling it back; the second needs the
// hash of that plan and is refused if the items have changed since.

import { type Caller, findCollection, visibleFields } from '../../../core/access/view.js';
import type { TransactionWork, Witness } from '../../../core/engine/work/transaction.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { escapeName } from '../../../core/query/escape-name.js';
import type { Collection } from '../../../core/schema/schema.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import { prepareWrite, type WriteOperation } from '../../../service/operations/items/write-operation.js';
import { collectionsFor } from '../../../service/operations/open-rule.js';
import { choice, described, document, itemKey, list, type ObjectOf, text, withDefault } from '../../../service/operations/shape.js';
import { type AskedChange, expectPlanned, expectUnmoved, hashOf } from './change-plan.js';
import { parse } from './read.js';
import { type Shown, shownChange } from './shown-change.js';
import { isWriter, type ToolCall, tool, userCollection } from './tool.js';

const mostChanged = 100;

const input = {
  collection: text(),
  action: choice(['create', 'update', 'delete']),
  items: described(
    withDefault(list(document(), { max: mostChanged }), undefined),
    'To create: the new items. To update: each with its key and what changes.',
  ),
  keys: described(
    withDefault(list(itemKey, { max: mostChanged }), undefined),
    'To delete: which items. To update them all alike: with "data".',
  ),
  data: described(withDefault(document(), undefined), 'To update: the same for all "keys", or for the one item of a singleton.'),
  hash: described(withDefault(text(), undefined), 'From the plan of exactly this change.'),
};

type Asked = Omit<ObjectOf<typeof input>, 'hash'>;

export const change = tool({
  name: 'change',
  title: 'Change items',
  description:
    'Creates, updates or deletes at most 100 items in two calls. The first call, without "hash", writes nothing: it answers the plan, with items before and after, counts and a hash. Show the plan to the person. Only when they agree, call again with the same arguments and the hash: then all of it happens, or nothing. If the items have changed in between, it is refused.',
  effect: 'writes',
  input,
  isOpen: (caller) =>
    isWriter(caller) && (['create', 'update', 'delete'] as const).some((action) => collectionsFor(caller.view, action).length > 0),
  run: async (call, { hash, ...asked }) => {
    const { caller } = call.work;
    const collection = userCollection(caller, asked.collection, asked.action);
    const body = bodyOf(collection, asked);
    const change = { collection, asked, body, keys: keysOf(collection, asked), text: JSON.stringify(asked) };
    return hash === undefined ? plan(call, change) : apply(call, change, hash);
  },
});

/** The body that a request of REST would have. */
function bodyOf({ singleton }: Collection, { action, items, keys, data }: Asked): unknown {
  if (action === 'create' && items !== undefined && keys === undefined && data === undefined) return items;
  if (action === 'delete' && keys !== undefined && items === undefined && data === undefined) return { keys };
  if (action === 'update' && singleton && data !== undefined && items === undefined && keys === undefined) return data;
  if (action === 'update' && !singleton && items !== undefined && keys === undefined && data === undefined) return items;
  if (action === 'update' && !singleton && items === undefined && keys !== undefined && data !== undefined) return { keys, data };
  throw invalidPayload(
    'To create takes "items"; to update takes "items", or "keys" with "data", or "data" alone for a singleton; to delete takes "keys".',
  );
}

interface Change {
  readonly collection: Collection;
  readonly asked: Asked;
  readonly body: unknown;
  /** Of the items that exist before; null: the one of a singleton. */
  readonly keys: readonly unknown[] | null;
  readonly text: string;
}

function keysOf({ primaryKey, singleton }: Collection, { action, items = [], keys = [] }: Asked): readonly unknown[] | null {
  if (singleton) return null;
  if (action === 'create') return [];
  const ofItems = items.map((item) => primaryKey.map((field) => item[field]));
  return [...keys, ...ofItems.flatMap((parts) => (parts.includes(undefined) ? [] : [parts.length === 1 ? parts[0] : parts]))];
}

async function plan(call: ToolCall, change: Change): Promise<string> {
  const { writer } = call.deps.serve.operations;
  const { caller } = call.work;
  // Flows take part as they would, but leave nothing behind.
  const origin = { depth: 0, trail: [], isSilent: false, isRehearsal: true };
  const { shown, state } = await writer.transaction(caller, (work) => write(call, work, change, null), {
    ...timed(call),
    dryRun: true,
    origin,
  });
  const hash = hashOf(call.deps.sign, askedBy(call, change), state);
  return shownChange({ applied: false, hash }, shown);
}

/** A hash is good for one change: when it comes again, it is answered what the first time was answered. */
async function apply(call: ToolCall, change: Change, hash: string): Promise<string> {
  const { caller } = call.work;
  expectPlanned(call.deps.sign, askedBy(call, change), hash);
  const keyed = { key: `plan ${hash}`, content: change.text };
  const { answer } = await call.deps.serve.operations.idempotency.run(
    caller,
    keyed,
    async (work) => {
      const { shown } = await write(call, work, change, hash);
      return () => ({ status: 200, text: shownChange({ applied: true }, shown) });
    },
    timed(call),
  );
  return answer.text ?? '{}';
}

const askedBy = ({ work }: ToolCall, { text }: Change): AskedChange => ({ text, accountability: work.caller.accountability });

const timed = ({ work: { clock = null } }: ToolCall) => ({ clock });

interface Written {
  readonly shown: Shown;
  /** The JSON text of the items before. */
  readonly state: string;
}

/** `hash`: of the plan; null: this is the plan. */
async function write(
  call: ToolCall,
  work: TransactionWork,
  { collection, asked, body, keys }: Change,
  hash: string | null,
): Promise<Written> {
  const { operations } = call.deps.serve;
  const fields = shownFields(work.caller, collection, asked);
  if (fields !== null && keys !== null && keys.length > 0) await operations.writer.lock(work, collection.name, keys);
  const state = fields === null ? '' : await readState(call, work, collection, fields, keys);
  if (hash !== null) expectUnmoved(call.deps.sign, hash, state);
  const counts = new Map<string, number>();
  const witness: Witness = (action, { name }, rows) => {
    if (findCollection(work.caller.view, name, 'read') === null && name !== collection.name) return;
    counts.set(`${action} ${name}`, (counts.get(`${action} ${name}`) ?? 0) + rows.length);
  };
  const query = fields === null ? '' : `fields=${encodeURIComponent(fields.map(escapeName).join(','))}`;
  const run = prepareWrite(operations, work.caller, { ...targetOf(collection, asked), query, body });
  const answer = await run({ ...work, witness });
  await work.connection.flush();
  const { text: after } = answer();
  return { state, shown: { primaryKey: collection.primaryKey, before: state, after, counts } };
}

const methods = { create: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

const targetOf = ({ name }: Collection, { action }: Asked): Omit<WriteOperation, 'query' | 'body'> => ({
  method: methods[action],
  collection: name,
  segment: null,
  ifMatch: null,
  url: `/items/${name}`,
});

/** The values of the item itself, and the lists that the change names; null: the caller may not read the collection. */
function shownFields({ view }: Caller, collection: Collection, { items = [], data = {} }: Asked): readonly string[] | null {
  if (findCollection(view, collection.name, 'read') === null) return null;
  const named = new Set([...items, data].flatMap((values: PlainObject) => Object.keys(values)));
  const fields = visibleFields(view, collection, 'read').filter(
    ({ name, kind }) => kind === 'column' || (kind !== 'presentation' && named.has(name)),
  );
  return fields.map(({ name }) => name);
}

async function readState(
  call: ToolCall,
  work: TransactionWork,
  { name, primaryKey }: Collection,
  names: readonly string[],
  keys: readonly unknown[] | null,
): Promise<string> {
  const { reader } = call.deps.serve.operations;
  const fields = names.map(escapeName);
  if (keys === null) return reader.singleton(work, name, parse(call, { fields }));
  if (keys.length === 0) return '';
  const sort = primaryKey.filter((part) => names.includes(part)).map(escapeName);
  return (await reader.items(work, name, parse(call, { fields, sort, limit: -1 }), keys)).items;
}
