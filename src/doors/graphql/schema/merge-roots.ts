// Root fields of many collections in one type. A name derived from one collection may be the name of another (`a_by_id` as a collection
// beside the items of `a` by key): then the derived one steps aside.

import { Claims } from './claim-names.js';
import type { MakeField, RootFieldMap } from './lazy-root-type.js';

export interface RootFields {
  /** Under the collection's own name. */
  readonly own: RootFieldMap;
  readonly derived: RootFieldMap;
}

export function mergeRoots(roots: readonly RootFields[]): RootFieldMap {
  const claims = new Claims();
  const merged: Record<string, MakeField> = {};
  for (const part of ['own', 'derived'] as const) {
    for (const root of roots) {
      for (const [name, make] of Object.entries(root[part])) merged[claims.claim(name)] = make;
    }
  }
  return merged;
}
