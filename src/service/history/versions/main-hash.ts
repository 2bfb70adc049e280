// Detects by digests whether the item of a version has changed. The digests are keyed, because a plain digest would allow a reader to
// guess fields that they may not read; and only fields that the caller may read count for the answer.

import { fieldRules, findField } from '../../../core/access/view.js';
import type { Work } from '../../../core/engine/work/work.js';
import type { Collection } from '../../../core/schema/schema.js';
import { isAdoptedHash } from './adopted-delta.js';
import type { Delta, Version, VersionDeps } from './version.js';

type Digests = Pick<VersionDeps, 'digest'>;

/** `main` is the JSON text of the item as the caller reads it. */
export const hashMain = ({ digest }: Digests, { name }: Collection, item: string, main: string): string =>
  digest(JSON.stringify([name, item, main]));

/** A digest for each field. */
export const digestFields = ({ digest }: Digests, main: Delta): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(main).map(([name, value]) => [name, digest(JSON.stringify([name, value])).slice(0, 32)]));

/** Whether a field that the caller may read has changed since the version was created or first saved. */
export function isOutdated(deps: Digests, { caller }: Work, collection: Collection, version: Version, main: string): boolean {
  const columns = [...collection.fields.values()].filter(({ kind }) => kind === 'column');
  const isPlain = (name: string): boolean =>
    findField(caller.view, collection, name, 'read') !== null && fieldRules(caller.view, collection.name, name, 'read') === 'all';
  if (isAdoptedHash(version.hash) && version.base === null) return false;
  if (columns.every(({ name }) => isPlain(name))) return version.hash !== hashMain(deps, collection, version.item, main);
  const { base } = version;
  if (base === null) return false;
  const values = JSON.parse(main) as Delta;
  // A field that a rule hides on this item reads as null and is not compared.
  const compared = Object.entries(digestFields(deps, values)).filter(([name]) => isPlain(name) || values[name] !== null);
  return compared.some(([name, digest]) => base[name] !== digest);
}
