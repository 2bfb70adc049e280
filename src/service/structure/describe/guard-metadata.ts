// Applies the read permission on service_collections, service_fields and service_relations to the objects that answers build from these
// rows: item rules decide which objects a caller sees, field lists which keys of `meta`.

import { matchFilter } from '../../../core/access/match-filter.js';
import { makeLookup } from '../../../core/access/match-lookup.js';
import type { Permission } from '../../../core/access/permission.js';
import { type Caller, grantOf, lookUpCollection } from '../../../core/access/view.js';
import type { MaybePromise } from '../../../core/engine/work/maybe-promise.js';
import type { Payload } from './payload.js';

interface WithMeta {
  readonly meta: Payload | null;
}

/** Returns the visible part of an object, or null if the caller may not see it. `keys` stand in for the row of an object without metadata. */
export type Guard = <T extends WithMeta>(object: T, keys: Payload) => T | null;

/** Reads what the dynamic values among `literals` of stored rules need, and resolves to the function that replaces them. */
export type ResolveStored = (caller: Caller, literals: readonly unknown[]) => MaybePromise<(value: unknown) => unknown>;

export type MetadataCollection = 'service_collections' | 'service_fields' | 'service_relations';

/** Throws FORBIDDEN if the caller has no read permission on the metadata collection. Guests of a share need none: they see what describes their item. */
export async function guardMetadata(caller: Caller, metadata: MetadataCollection, resolveStored: ResolveStored): Promise<Guard> {
  if (caller.accountability.share !== null) return (object) => object;
  const collection = lookUpCollection(caller.view, metadata, 'read');
  const grant = grantOf(caller.view, metadata, 'read');
  if (grant === null || grant === 'all') return (object) => object;
  const lookup = makeLookup(caller.view.schema, collection);
  const resolve = await resolveStored(
    caller,
    grant.flatMap(({ rule }) => rule?.literals ?? []),
  );
  const resolved = grant.map((permission) => ({ permission, literals: permission.rule?.literals.map(resolve) ?? [] }));
  return (object, keys) => {
    const row = { ...keys, ...object.meta };
    const holding = resolved
      .filter(({ permission: { rule }, literals }) => rule === null || matchFilter(rule.filter, literals, row, lookup))
      .map(({ permission }) => permission);
    if (holding.length === 0) return null;
    return { ...object, meta: object.meta === null ? null : listedOnly(object.meta, holding) };
  };
}

function listedOnly(meta: Payload, permissions: readonly Permission[]): Payload {
  const isListed = (key: string): boolean => permissions.some(({ fields }) => fields === '*' || fields.has(key));
  return Object.fromEntries(Object.entries(meta).filter(([key]) => isListed(key)));
}
