// Compares a version with its item: what a promotion would change, and whether the item has changed since the version was made.

import { unrestrictedCollections } from '../../../core/access/unrestricted-reads.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Work } from '../../../core/engine/work/work.js';
import { emptyParsedQuery } from '../../../core/query/query.js';
import type { Collection } from '../../../core/schema/schema.js';
import { findVersioned, keyParts, readMain } from '../subjects/read-main.js';
import { hashMain, isOutdated } from './main-hash.js';
import { type Delta, findVersion, type Version, type VersionDeps } from './version.js';
import { rawChanges } from './version-reader.js';
import { withVersions } from './with-versions.js';

export interface Comparison {
  readonly outdated: boolean;
  readonly mainHash: string;
  /** The key and the changed fields with the values of the version. */
  readonly current: Delta;
  readonly main: Delta;
  /** Paths of changes whose field is gone, as far as the caller reads everything there; undefined without any. */
  readonly lost: readonly string[] | undefined;
}

export const compareVersion = (deps: VersionDeps, work: Work, id: string): Promise<Comparison> =>
  deps.writer.transaction(work.caller, (tx) => compare(deps, tx, id), { dryRun: true, signal: work.signal });

async function compare(deps: VersionDeps, work: TransactionWork, id: string): Promise<Comparison> {
  const version = await findVersion(deps, work, id);
  const collection = findVersioned(work.caller, version.collection);
  const text = await readMain(deps.own, work, collection, version.item);
  const main = JSON.parse(text) as Delta;
  return {
    outdated: isOutdated(deps, work, collection, version, text),
    mainHash: hashMain(deps, collection, version.item, text),
    current: await readShown(deps, work, collection, version, main),
    main,
    lost: visibleLosses(work, version),
  };
}

/** The changes of a version that the caller sees, and the key. `main`: the item as the caller reads it. */
export const readShown = async (
  deps: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  version: Version,
  main: Delta,
): Promise<Delta> => withoutHidden(await readCurrent(deps, work, collection, version), main);

/** Rules cannot be applied to deleted fields, so their changes are listed only for collections that the caller reads without restriction. */
function visibleLosses({ caller: { view } }: TransactionWork, { lost }: Version): readonly string[] | undefined {
  const whole = unrestrictedCollections(view.grants);
  const visible = lost.filter(({ collection }) => view.grants.admin || whole.has(collection)).map(({ path }) => path);
  return visible.length === 0 ? undefined : visible;
}

/**
 * Leaves out fields that read as null on both sides. A field that a rule hides on this item always does, so the answer does not reveal
 * which hidden fields the version changes.
 */
const withoutHidden = (current: Delta, main: Delta): Delta =>
  Object.fromEntries(Object.entries(current).filter(([name, value]) => value !== null || main[name] !== null));

/**
 * The changed fields with the values of the version. Changes of relations are returned as saved if the caller may read everything that they
 * can name, else as the version reads. Fields that the caller may not read are left out: an error would reveal that the version changes them.
 */
async function readCurrent(deps: VersionDeps, work: TransactionWork, collection: Collection, version: Version): Promise<Delta> {
  const text = await withVersions(deps, work, collection, [version], async (inner) =>
    deps.reader.item(inner, collection.name, keyParts(collection, version.item), emptyParsedQuery),
  );
  const item = JSON.parse(text) as Delta;
  const values = { ...item, ...rawChanges(work, collection, version) };
  const names = new Set([...collection.primaryKey, ...Object.keys(version.delta)]);
  return Object.fromEntries([...names].flatMap((name) => (name in item ? [[name, values[name]]] : [])));
}
