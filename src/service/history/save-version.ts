// Keeping changes aside in a version. Two saves at once are both kept: the version is held while they are laid over one another.

import { type Caller, findField, lookUpCollection } from '../../core/access/view.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import { forbidden, forbiddenField, invalidPayload } from '../../core/errors/service-error.js';
import type { Collection } from '../../core/schema/schema.js';
import { activityRows, revisionRows } from './history-rows.js';
import { findVersioned } from './read-main.js';
import { type Delta, findVersion, isDelta, type VersionContext } from './version-context.js';

/** The changes so far, the new ones among them. */
export async function saveVersion(context: VersionContext, work: TransactionWork, id: string, payload: unknown): Promise<Delta> {
  if (!isDelta(payload)) throw invalidPayload('The changes have to be an object.');
  const { caller } = work;
  lookUpCollection(caller.view, 'service_versions', 'update');
  await context.writer.lock(work, 'service_versions', [id]);
  const version = await findVersion(context, work, { id });
  await context.writer.update(work, 'service_versions', [id], {});
  const collection = findVersioned(caller, version.collection);
  refuseFields(caller, collection, payload);
  const delta = { ...version.delta, ...payload };
  const stamp = { date_updated: new Date().toISOString(), user_updated: caller.accountability.user };
  await context.versions.update(work.connection, { delta, ...stamp }, { id });
  await recordSave(context, work, version, payload, delta);
  return delta;
}

/** What the caller could not write to the item cannot be written past it, and secrets are kept nowhere in clear. */
function refuseFields({ view }: Caller, collection: Collection, payload: Delta): void {
  if (view.schema.collections.get(collection.name)?.readOnly === true) throw forbidden();
  for (const name of Object.keys(payload)) {
    const field = findField(view, collection, name, 'update');
    if (field === null) throw forbiddenField(name, collection.name);
    if (field.kind === 'column' && field.concealed) throw invalidPayload(`"${name}" is concealed and cannot be kept in a version.`);
  }
}

async function recordSave(
  { tables }: VersionContext,
  work: TransactionWork,
  { id, collection, item }: { readonly id: string; readonly collection: string; readonly item: string },
  delta: Delta,
  data: Delta,
): Promise<void> {
  if (tables === null) return;
  const saved = activityRows(work.caller.accountability, [['version_save', collection, item]]);
  const [number] = await tables.activity.insertCounting(work.connection, saved);
  if (number === undefined) return;
  const documents = [JSON.stringify(data), JSON.stringify(delta)] as const;
  tables.revisions.insertLater(work.connection, revisionRows([[number, number, collection, item, ...documents, null]], id));
}
