// What operations on items work with, and which item a path means.

import type { Caller } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { forbidden } from '../../../core/errors/service-error.js';
import type { QueryLimits } from '../../../core/query/query.js';
import type { Collection } from '../../../core/schema/schema.js';

export interface ItemDeps {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly limits: QueryLimits;
}

/** A key as the engine takes it: composite keys stay encoded, so that the engine can split them. */
export function keyOfSegment(caller: Caller, name: string, segment: string): string {
  if ((collectionOf(caller, name)?.primaryKey.length ?? 0) > 1) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw forbidden();
  }
}

export const collectionOf = (caller: Caller, name: string): Collection | undefined => caller.view.schema.collections.get(name);
