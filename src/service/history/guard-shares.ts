// Creating and changing shares as items: nobody opens what they may not share, nor with more rights than their own.

import { type Caller, makeView, type SchemaView } from '../../core/access/view.js';
import type { Hooks, WriteEvent } from '../../core/engine/hooks.js';
import type { SchemaStore } from '../../core/engine/schema-store.js';
import { forbidden } from '../../core/errors/service-error.js';
import { findVersioned, type MainReader, readMain } from './read-main.js';

const shares = 'service_shares';
/** What a share is about, and how often it was used, is no more than its maker's business; administrators may mend it. */
const fixed = ['collection', 'item', 'times_used'];

type Values = ReadonlyMap<string, unknown>;

export interface ShareContext {
  readonly reader: MainReader;
  readonly store: SchemaStore;
}

export function guardShares(hooks: Hooks, context: ShareContext): void {
  hooks.before(shares, 'create', async (event) => {
    for (const { values } of event.items) await checkNew(context, event, values);
    return undefined;
  });
  hooks.before(shares, 'update', async ({ work: { caller }, items }) => {
    for (const { values } of items) {
      refuseForeignRole(caller, values);
      if (!caller.accountability.admin && fixed.some((name) => values.has(name))) throw forbidden();
    }
    return undefined;
  });
  for (const action of ['update', 'delete'] as const) hooks.after(shares, action, (event) => endAccess(context, event));
}

async function checkNew({ reader }: ShareContext, { work }: WriteEvent, values: Values): Promise<void> {
  const { caller } = work;
  refuseForeignRole(caller, values);
  if (!caller.accountability.admin && Number(values.get('times_used') ?? 0) !== 0) throw forbidden();
  const collection = findVersioned(caller, String(values.get('collection')));
  const item = String(values.get('item'));
  await readMain(reader, work, collection, item);
  const sharing = { ...work, caller: { ...caller, view: viewForSharing(caller.view, collection.name) } };
  await readMain(reader, sharing, collection, item);
}

/** The items that may be shared, as if they were those that may be read. */
function viewForSharing({ schema, grants }: SchemaView, collection: string): SchemaView {
  if (grants.admin) return makeView(schema, grants);
  const share = grants.byCollection.get(collection)?.share;
  if (share === undefined) throw forbidden();
  return makeView(schema, {
    key: `${grants.key} sharing ${collection}`,
    admin: false,
    byCollection: new Map([[collection, { read: share }]]),
  });
}

function refuseForeignRole({ accountability: { admin, roles } }: Caller, values: Values): void {
  const role = values.get('role');
  if (!admin && typeof role === 'string' && !roles.includes(role)) throw forbidden();
}

/** Whoever is in by the share is looked up again. */
async function endAccess({ store }: ShareContext, { work }: WriteEvent): Promise<void> {
  await store.bumpEpoch(work.connection, 'session');
  work.afterCommit(() => store.look());
}
