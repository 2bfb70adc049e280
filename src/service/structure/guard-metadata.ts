// The read permission on service_collections, service_fields and service_relations, applied to objects that are more than their rows:
// item rules decide which are seen, field lists what of their metadata.

import { resolveDynamicValues } from '../../core/access/dynamic-values.js';
import { matchFilter } from '../../core/access/match-filter.js';
import { makeLookup } from '../../core/access/match-lookup.js';
import type { Permission } from '../../core/access/permission.js';
import { type Caller, grantOf, lookUpCollection } from '../../core/access/view.js';
import type { Payload } from './payload.js';

interface WithMeta {
  readonly meta: Payload | null;
}

/** What the caller may see of an object; null: nothing. `keys` name the object where it has no metadata row. */
export type Guard = <T extends WithMeta>(object: T, keys: Payload) => T | null;

/** Throws for a caller who may not read this metadata at all. */
export function guardMetadata(caller: Caller, metadata: 'service_collections' | 'service_fields' | 'service_relations'): Guard {
  const collection = lookUpCollection(caller.view, metadata, 'read');
  const grant = grantOf(caller.view, metadata, 'read');
  if (grant === null || grant === 'all') return (object) => object;
  const lookup = makeLookup(caller.view.schema, collection);
  const context = { accountability: caller.accountability, values: new Map(), now: new Date() };
  const holds = ({ rule }: Permission, row: Payload): boolean =>
    rule === null || matchFilter(rule.filter, resolveDynamicValues(rule.literals, context), row, lookup);
  return (object, keys) => {
    const holding = grant.filter((permission) => holds(permission, { ...keys, ...object.meta }));
    if (holding.length === 0) return null;
    return { ...object, meta: object.meta === null ? null : listedOnly(object.meta, holding) };
  };
}

function listedOnly(meta: Payload, permissions: readonly Permission[]): Payload {
  const isListed = (key: string): boolean => permissions.some(({ fields }) => fields === '*' || fields.has(key));
  return Object.fromEntries(Object.entries(meta).filter(([key]) => isListed(key)));
}
