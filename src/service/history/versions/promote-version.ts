// Promotes a version: writes the changes that the comparison shows the caller to the item. Both the caller and the author of each change
// need the permissions for it: the changes are first rehearsed as the caller, then written with the permissions that their authors have
// now. Changes that the caller may not see stay in the version, and nothing in the answer depends on them. Changes whose field no longer
// exists are not written; the comparison, whose hash a promotion needs, has listed them.

import { relatedCollections, unrestrictedCollections } from '../../../core/access/unrestricted-reads.js';
import { type Caller, lookUpCollection } from '../../../core/access/view.js';
import { rehearse } from '../../../core/engine/work/rehearse.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import { refusal } from '../../../core/errors/refusals.js';
import { forbidden, ServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { Collection } from '../../../core/schema/schema.js';
import { findVersioned, keyParts, readMain, readWhole } from '../subjects/read-main.js';
import { authorNow, noAuthor, partsByAuthor } from './apply-deltas.js';
import { readShown } from './compare-version.js';
import { digestFields, hashMain } from './main-hash.js';
import { type Delta, findVersion, unprocessable, type Version, type VersionDeps } from './version.js';
import { rawChanges } from './version-reader.js';

export interface Promotion {
  readonly mainHash: string;
  /** The fields to promote; null for all. */
  readonly fields: readonly string[] | null;
}

/** Resolves to the key of the item. */
export async function promoteVersion(
  deps: VersionDeps,
  work: TransactionWork,
  id: string,
  { mainHash, fields }: Promotion,
): Promise<unknown> {
  await deps.writer.lock(work, 'service_versions', [id]);
  const version = await findVersion(deps, work, id);
  const collection = findVersioned(work.caller, version.collection);
  await deps.writer.lock(work, collection.name, [version.item]);
  lookUpCollection(work.caller.view, collection.name, 'update');
  const main = await readMain(deps.own, work, collection, version.item);
  const isSeen = await seenBy(deps, work, collection, version, main);
  const isChosen = (name: string): boolean => isSeen(name) && (fields === null || fields.includes(name));
  const [chosen, left] = [pick(version, isChosen), pick(version, (name) => !isChosen(name))];
  await rehearsePromotion(deps, work, collection, chosen);
  const present = hashMain(deps, collection, version.item, main);
  if (present !== mainHash)
    throw serviceError('VERSION_HASH_MISMATCH', 'The item has changed since it was compared with the version.', { mainHash: present });
  const key = await writeAsAuthors(deps, work, collection, chosen);
  await keepRest(deps, work, collection, left);
  return key ?? keyParts(collection, version.item)[0];
}

function pick(version: Version, isMeant: (name: string) => boolean): Version {
  const some = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => isMeant(name)));
  return { ...version, stored: some(version.stored), delta: some(version.delta), authors: some(version.authors) };
}

/** Whether the caller sees the change of a field. Who reads the collection without restriction sees them all. */
async function seenBy(
  deps: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  version: Version,
  main: string,
): Promise<(name: string) => boolean> {
  const { grants } = work.caller.view;
  if (grants.admin || unrestrictedCollections(grants).has(collection.name)) return () => true;
  const shown = await readShown(deps, work, collection, version, JSON.parse(main) as Delta);
  return (name) => name in shown;
}

/** Checked before the hash, so that a caller without permission cannot use the hash to guess values. */
async function rehearsePromotion({ writer }: VersionDeps, work: TransactionWork, collection: Collection, chosen: Version): Promise<void> {
  const { item, delta } = chosen;
  try {
    await rehearse(work, async ({ work: inner, settle }) => {
      await writer.update(inner, collection.name, [item], delta);
      await settle();
    });
  } catch (error) {
    // Inside of a relation the changes may name what the caller does not see.
    if (error instanceof ServiceError && error.status === 403 && !readsAllRelations(work, collection, chosen)) throw forbidden();
    throw error;
  }
  if (Object.keys(delta).length === 0) throw unprocessable(refusal('version_empty'));
}

function readsAllRelations(work: TransactionWork, collection: Collection, chosen: Version): boolean {
  const raw = rawChanges(work, collection, chosen);
  return Object.keys(chosen.delta).every((name) => {
    const field = collection.fields.get(name);
    return field === undefined || relatedCollections(field).length === 0 || name in raw;
  });
}

async function writeAsAuthors(deps: VersionDeps, work: TransactionWork, collection: Collection, version: Version): Promise<unknown> {
  const writes: { readonly caller: Caller; readonly changes: Delta }[] = [];
  for (const [user, changes] of partsByAuthor(version)) {
    const caller = user === null ? null : await authorNow(deps, work, user);
    if (caller === null) throw noAuthor();
    writes.push({ caller, changes });
  }
  let key: unknown;
  for (const { caller, changes } of writes) [key] = await deps.writer.update({ ...work, caller }, collection.name, [version.item], changes);
  return key;
}

/** Keeps the changes that were not promoted, with the digests of the item after the promotion. */
async function keepRest(deps: VersionDeps, work: TransactionWork, collection: Collection, left: Version): Promise<void> {
  const whole = (await readWhole(deps.own, work, collection, [left.item])).get(left.item);
  if (whole === undefined) throw forbidden();
  const isEmpty = Object.keys(left.stored).length === 0;
  const changes = {
    delta: isEmpty ? null : left.stored,
    authors: isEmpty ? null : left.authors,
    hash: hashMain(deps, collection, left.item, whole),
    base: isEmpty ? null : digestFields(deps, JSON.parse(whole) as Delta),
  };
  await deps.versions.update(work.connection, changes, { id: left.id });
}
