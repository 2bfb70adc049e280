// Reads items as their versions would make them: writes the changes in a rehearsal, reads with the ordinary pipeline under the caller's
// permissions, and rolls the rehearsal back. Lists, filters, relations and rules therefore work as in every other read.

import { attempt, rehearse } from '../../../core/engine/work/rehearse.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Collection } from '../../../core/schema/schema.js';
import { keyParts } from '../subjects/read-main.js';
import { applyDeltas, findAuthors, VersionConflict } from './apply-deltas.js';
import { hasRules, presentView } from './present-view.js';
import { TouchedItems } from './touched-items.js';
import type { Version, VersionDeps } from './version.js';

/** Writes the changes; resolves to the versions that it has left out. */
type Apply = (work: TransactionWork) => Promise<readonly Version[]>;

/** The caller must be able to read the items of `versions` as they are now. Throws a VersionConflict if a version cannot be applied. */
export async function withVersions<T>(
  deps: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  versions: readonly Version[],
  read: (inner: TransactionWork) => Promise<T>,
): Promise<T> {
  const changed = versions.filter(isChanged);
  const authors = await findAuthors(deps, work, changed);
  const apply: Apply = async (inner) => {
    await applyDeltas(deps, inner, collection, authors, changed);
    return [];
  };
  return changed.length === 0 ? read(work) : readApplied(deps, work, collection, versions, apply, read);
}

/**
 * The same for a list, in which one version must not spoil the others: a version that cannot be applied is left out, and `read` gets it
 * among `conflicts`. Of versions that contradict each other, the first in `versions` is applied.
 */
export async function withApplicable<T>(
  deps: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  versions: readonly Version[],
  read: (inner: TransactionWork, conflicts: readonly Version[]) => Promise<T>,
): Promise<T> {
  try {
    return await withVersions(deps, work, collection, versions, (inner) => read(inner, []));
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
  const changed = versions.filter(isChanged);
  const authors = await findAuthors(deps, work, changed);
  const applySome = (inner: TransactionWork, some: readonly Version[]) => applyDeltas(deps, inner, collection, authors, some);
  return readApplied(deps, work, collection, versions, (inner) => applyApplicable(inner, changed, applySome), read);
}

const isChanged = ({ delta }: Version): boolean => Object.keys(delta).length > 0;

/** Halves a list that fails, so that few conflicts among many versions need few attempts. Resolves to the versions that fail alone. */
async function applyApplicable(
  work: TransactionWork,
  versions: readonly Version[],
  apply: (inner: TransactionWork, some: readonly Version[]) => Promise<void>,
): Promise<readonly Version[]> {
  try {
    await attempt(work, (inner) => apply(inner, versions));
    return [];
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
  if (versions.length === 1) return versions;
  const middle = versions.length >> 1;
  const first = await applyApplicable(work, versions.slice(0, middle), apply);
  return [...first, ...(await applyApplicable(work, versions.slice(middle), apply))];
}

/** With item rules, the changes are rehearsed twice: first to learn which items they touch, then to read. */
async function readApplied<T>(
  deps: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  versions: readonly Version[],
  apply: Apply,
  read: (inner: TransactionWork, conflicts: readonly Version[]) => Promise<T>,
): Promise<T> {
  let { view } = work.caller;
  if (hasRules(view)) {
    const touched = new TouchedItems();
    for (const { item } of versions) touched.add(collection.name, keyParts(collection, item).map(String));
    await rehearse(work, ({ work: inner }) => apply(inner), touched.witness);
    view = await presentView(deps, work, touched);
  }
  return rehearse(work, async ({ work: inner }) => {
    const conflicts = await apply(inner);
    return read({ ...inner, witness: null, caller: { ...work.caller, view } }, conflicts);
  });
}
