// Saves changes to a version. The changes are rehearsed as a write of their author, so that what the write would refuse is refused now. The
// row of the version is locked, so that two concurrent saves are merged.

import { findCollection, lookUpCollection } from '../../../core/access/view.js';
import { rehearse } from '../../../core/engine/work/rehearse.js';
import type { TransactionWork, Witness } from '../../../core/engine/work/transaction.js';
import { forbidden, invalidPayload } from '../../../core/errors/service-error.js';
import { emptyParsedQuery } from '../../../core/query/query.js';
import type { Collection } from '../../../core/schema/schema.js';
import { activityRows, revisionRows } from '../revisions/history-rows.js';
import { findReadable, findVersioned, keyParts, readWhole } from '../subjects/read-main.js';
import { writeAdoptedDelta } from './adopted-delta.js';
import { digestFields } from './main-hash.js';
import { type Delta, findVersion, fitStored, type Version, type VersionDeps } from './version.js';
import { withVersions } from './with-versions.js';

/** Resolves to the item with all changes of the version, as the caller may read it; undefined if they may not. */
export async function saveVersion(deps: VersionDeps, work: TransactionWork, id: string, payload: Delta): Promise<Delta | undefined> {
  const { user } = work.caller.accountability;
  // A promotion checks the permissions of each author, so a change without an author could never be promoted.
  if (user === null) throw forbidden();
  lookUpCollection(work.caller.view, 'service_versions', 'update');
  await deps.writer.lock(work, 'service_versions', [id]);
  const version = await findVersion(deps, work, id);
  await deps.writer.update(work, 'service_versions', [id], {});
  const collection = findVersioned(work.caller, version.collection);
  await rehearseSave(deps, work, collection, version.item, payload);
  const kept = { ...version.stored, ...payload };
  const saved: Version = {
    ...version,
    stored: kept,
    ...fitStored(work, version.collection, kept),
    authors: { ...version.authors, ...Object.fromEntries(Object.keys(payload).map((name) => [name, user])) },
    base: version.base ?? (await digestBase(deps, work, collection, version.item)),
  };
  const stamp = { date_updated: new Date().toISOString(), user_updated: user };
  const { authors, base } = saved;
  const delta = deps.isAdopted ? writeAdoptedDelta(kept, stamp) : kept;
  await deps.versions.update(work.connection, { delta, authors, base, ...stamp }, { id: version.id });
  await recordSave(deps, work, saved, payload);
  return readSaved(deps, work, collection, saved);
}

/** Refuses what the write would refuse, and concealed fields, whose values must not be stored in plain text. */
async function rehearseSave(
  { writer }: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  item: string,
  payload: Delta,
): Promise<void> {
  await rehearse(
    work,
    async ({ work: inner, settle }) => {
      await writer.update(inner, collection.name, [item], payload);
      await settle();
    },
    refuseConcealed,
  );
}

const refuseConcealed: Witness = (_action, { fields }, rows) => {
  for (const { values } of rows) {
    for (const name of values.keys()) {
      const field = fields.get(name);
      if (field?.kind === 'column' && field.concealed) throw invalidPayload(`"${name}" is concealed and cannot be kept in a version.`);
    }
  }
};

async function digestBase(
  deps: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  item: string,
): Promise<Readonly<Record<string, string>>> {
  const whole = (await readWhole(deps.own, work, collection, [item])).get(item);
  if (whole === undefined) throw forbidden();
  return digestFields(deps, JSON.parse(whole) as Delta);
}

async function recordSave(
  { tables }: VersionDeps,
  work: TransactionWork,
  { id, collection, item, stored }: Version,
  payload: Delta,
): Promise<void> {
  if (tables === null) return;
  const saved = activityRows(tables, work.accountable, [['version_save', collection, item]]);
  const [number] = await tables.activity.insertWithIds(work.connection, saved);
  if (number === undefined) return;
  const documents = [JSON.stringify(stored), JSON.stringify(payload)] as const;
  const row = [number, number, collection, item, ...documents, null, null] as const;
  tables.revisions.enqueueInsert(work.connection, revisionRows(tables, [row], id));
}

async function readSaved(deps: VersionDeps, work: TransactionWork, collection: Collection, version: Version): Promise<Delta | undefined> {
  if (findCollection(work.caller.view, collection.name, 'read') === null) return undefined;
  if (!(await findReadable(deps.own, work, collection, [version.item])).has(version.item)) return undefined;
  const text = await withVersions(deps, work, collection, [version], async (inner) =>
    deps.reader.item(inner, collection.name, keyParts(collection, version.item), emptyParsedQuery),
  );
  return JSON.parse(text) as Delta;
}
