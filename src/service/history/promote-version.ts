// Comparing a version with its item, and making its changes the item's own.

import { findField, lookUpField } from '../../core/access/view.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import type { Work } from '../../core/engine/work.js';
import { invalidPayload, serviceError } from '../../core/errors/service-error.js';
import { unprocessable } from './guard-versions.js';
import { findVersioned, hashMain, keyParts, readMain } from './read-main.js';
import { type Delta, findVersion, isDelta, type VersionContext } from './version-context.js';

export interface Comparison {
  readonly outdated: boolean;
  readonly mainHash: string;
  readonly current: Delta;
  readonly main: Delta;
}

export async function compareVersion(context: VersionContext, work: Work, id: string): Promise<Comparison> {
  const version = await findVersion(context, work, { id });
  const collection = findVersioned(work.caller, version.collection);
  const main = JSON.parse(await readMain(context.reader, work, collection, version.item)) as Delta;
  const mainHash = await hashMain(context.reader, work, collection, version.item);
  const visible = Object.entries(version.delta ?? {}).filter(([name]) => findField(work.caller.view, collection, name, 'read') !== null);
  const current = Object.fromEntries(visible);
  return { outdated: version.hash !== mainHash, mainHash, current, main };
}

export interface Promotion {
  readonly mainHash: string;
  /** null: everything. */
  readonly fields: readonly string[] | null;
}

export function readPromotion(body: unknown): Promotion {
  const { mainHash, fields = null } = isDelta(body) ? body : {};
  if (typeof mainHash !== 'string' || mainHash === '') throw invalidPayload('"mainHash" is required: /versions/{id}/compare tells it.');
  if (fields !== null && !(Array.isArray(fields) && fields.every((name) => typeof name === 'string')))
    throw invalidPayload('"fields" has to be a list of names.');
  return { mainHash, fields };
}

/** Answers the key of the item. */
export async function promoteVersion(
  context: VersionContext,
  work: TransactionWork,
  id: string,
  { mainHash, fields }: Promotion,
): Promise<unknown> {
  await context.writer.lock(work, 'service_versions', [id]);
  const version = await findVersion(context, work, { id });
  const collection = findVersioned(work.caller, version.collection);
  await context.writer.lock(work, collection.name, [version.item]);
  if ((await hashMain(context.reader, work, collection, version.item)) !== mainHash)
    throw serviceError('VERSION_HASH_MISMATCH', 'The item has changed since it was compared with the version.');
  const all = Object.entries(version.delta ?? {});
  const chosen = all.filter(([name]) => fields === null || fields.includes(name));
  if (chosen.length === 0) throw unprocessable('The version holds nothing to promote.');
  for (const [name] of chosen) lookUpField(work.caller.view, collection, name, 'update');
  const [key] = await context.writer.update(work, collection.name, [version.item], Object.fromEntries(chosen));
  const left = all.filter(([name]) => !chosen.some(([taken]) => taken === name));
  const hash = await hashMain(context.reader, work, collection, version.item);
  await context.versions.update(work.connection, { delta: left.length === 0 ? null : Object.fromEntries(left), hash }, { id });
  return key ?? keyParts(collection, version.item)[0];
}
