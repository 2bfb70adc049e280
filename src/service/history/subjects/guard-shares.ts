// Hooks on writes of service_shares: a caller can share only items that they may read and share, and only with a role that they have.

import { type Caller, makeView, type SchemaView } from '../../../core/access/view.js';
import type { SchemaStore } from '../../../core/engine/store/schema-store.js';
import type { Hooks, WriteEvent } from '../../../core/engine/write/hooks.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { findVersioned, type MainReader, readMain } from './read-main.js';

const shares = 'service_shares';
/** Fields that only administrators may change after a share was created. */
const fixed = ['collection', 'item', 'times_used'];

type Values = ReadonlyMap<string, unknown>;

export interface ShareDeps {
  readonly reader: MainReader;
  readonly store: SchemaStore;
}

export function guardShares(hooks: Hooks, deps: ShareDeps): void {
  hooks.before(shares, 'create', async (event) => {
    for (const { values } of event.items) await checkNew(deps, event, values);
    return undefined;
  });
  hooks.before(shares, 'update', async ({ work: { caller }, items }) => {
    for (const { values } of items) {
      refuseForeignRole(caller, values);
      if (!caller.accountability.admin && fixed.some((name) => values.has(name))) throw forbidden();
    }
    return undefined;
  });
  for (const action of ['update', 'delete'] as const) hooks.after(shares, action, (event) => endAccess(deps, event));
}

async function checkNew({ reader }: ShareDeps, { work }: WriteEvent, values: Values): Promise<void> {
  const { caller } = work;
  refuseForeignRole(caller, values);
  if (!caller.accountability.admin && Number(values.get('times_used') ?? 0) !== 0) throw forbidden();
  const collection = findVersioned(caller, String(values.get('collection')));
  const item = String(values.get('item'));
  await readMain(reader, work, collection, item);
  const sharing = { ...work, caller: { ...caller, view: viewForSharing(caller.view, collection.name) } };
  await readMain(reader, sharing, collection, item);
}

/** A view in which the `share` permissions of the collection are its read permissions. */
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

/** Makes every process check the sessions of the share again. */
async function endAccess({ store }: ShareDeps, { work }: WriteEvent): Promise<void> {
  await store.bumpEpoch(work.connection, 'session');
  work.afterCommit(() => store.check());
}
