// The changes of versions as writes. To promote them, each field is written with the current permissions of the user who saved it. To show
// them, they are written without permission checks.

import { actions } from '../../../core/access/permission.js';
import { type Caller, makeView, serviceCaller } from '../../../core/access/view.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import { refusal } from '../../../core/errors/refusals.js';
import { ServiceError } from '../../../core/errors/service-error.js';
import type { Collection } from '../../../core/schema/schema.js';
import { keyParts } from '../subjects/read-main.js';
import { type Delta, unprocessable, type Version, type VersionDeps } from './version.js';

/** The fields of a delta by the user who saved them, in the order of the delta; null for an unknown author. */
export function partsByAuthor({ delta, authors }: Pick<Version, 'delta' | 'authors'>): ReadonlyMap<string | null, Delta> {
  const parts = new Map<string | null, Record<string, unknown>>();
  for (const [name, value] of Object.entries(delta)) {
    const author = authors[name] ?? null;
    const part = parts.get(author) ?? {};
    part[name] = value;
    parts.set(author, part);
  }
  return parts;
}

/** The user as a caller with their current permissions, on the schema of this request; null if they are not active any more. */
export async function authorNow({ ofUser }: VersionDeps, work: TransactionWork, user: string): Promise<Caller | null> {
  if (user === work.caller.accountability.user) return work.caller;
  const { ip, userAgent, origin } = work.caller.accountability;
  const author = await ofUser(user, work.connection, { ip: ip ?? '', userAgent, origin });
  return author === null ? null : { ...author, view: makeView(work.caller.view.schema, author.view.grants) };
}

/** The callers that the changes are shown as: their authors without permission checks, or the service for an author who is gone. */
export type Authors = ReadonlyMap<string | null, Caller>;

export async function findAuthors(deps: VersionDeps, work: TransactionWork, versions: readonly Version[]): Promise<Authors> {
  const callers = new Map<string | null, Caller>();
  for (const user of new Set(versions.flatMap((version) => [...partsByAuthor(version).keys()]))) {
    const author = user === null ? null : await authorNow(deps, work, user);
    callers.set(user, author === null ? serviceCaller(work.caller.view.schema) : withoutRules(author));
  }
  return callers;
}

/**
 * Writes the changes of versions to show them, with one write per author. Permissions were checked when each change was saved, so they are
 * not checked again. Throws a VersionConflict if the database or the service refuses a change.
 */
export async function applyDeltas(
  deps: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  authors: Authors,
  versions: readonly Version[],
): Promise<void> {
  const payloads = new Map<string | null, Delta[]>();
  for (const version of versions) {
    const parts = keyParts(collection, version.item);
    const key = Object.fromEntries(collection.primaryKey.map((name, index) => [name, parts[index]]));
    for (const [author, part] of partsByAuthor(version)) {
      const items = payloads.get(author) ?? [];
      items.push({ ...part, ...key });
      payloads.set(author, items);
    }
  }
  try {
    for (const [author, items] of payloads) {
      const caller = authors.get(author) ?? serviceCaller(work.caller.view.schema);
      await deps.writer.updateBatch({ ...work, caller }, collection.name, items);
    }
    await work.connection.flush();
  } catch (error) {
    throw error instanceof ServiceError && error.status < 500 ? new VersionConflict(error) : error;
  }
}

/** Has no details: the cause may contain values that the caller may not see. */
export class VersionConflict extends ServiceError {
  constructor(cause: ServiceError) {
    const reason = 'The changes cannot be applied any more: they contradict the data as it is now, or each other. Save other ones.';
    super([{ code: 'UNPROCESSABLE_CONTENT', message: reason, extensions: { reason } }], { cause });
  }
}

/** The same user and presets, with full permissions on every collection. */
function withoutRules({ accountability, view: { schema, grants } }: Caller): Caller {
  if (grants.admin) return { accountability, view: makeView(schema, grants) };
  const open = (collection: string) =>
    actions.map((action) => {
      const presets = Object.assign({}, ...(grants.byCollection.get(collection)?.[action] ?? []).map((permission) => permission.presets));
      return [action, [{ collection, action, rule: null, validation: null, presets, fields: '*' as const }]] as const;
    });
  const byCollection = new Map([...schema.collections.keys()].map((name) => [name, Object.fromEntries(open(name))]));
  return { accountability, view: makeView(schema, { key: `${grants.key} without rules`, admin: false, byCollection }) };
}

export const noAuthor = (): ServiceError => unprocessable(refusal('version_by_inactive'));
