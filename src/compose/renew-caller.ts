// Retries work that failed because the structure changed meanwhile, with a caller that sees the present structure.

import { type Caller, makeView } from '../core/access/view.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import { ServiceError } from '../core/errors/service-error.js';
import { cannotAnswer, isStale } from './explain-database-error.js';

/** Null when another try would fail again; `failure` is then the error to answer. */
export interface RenewedCaller {
  readonly caller: Caller | null;
  readonly failure: unknown;
}

/** `of`: the caller; null if the failure came before they were known. */
export async function renewCaller(store: SchemaStore, failure: unknown, of: Caller | null): Promise<RenewedCaller> {
  if (!isStale(failure) || of === null) return { caller: null, failure };
  const { view, accountability } = of;
  const schema = await store.changedSince(view.schema);
  if (schema !== null) return { caller: { accountability, view: makeView(schema, view.grants) }, failure };
  // An error that is explained already, such as a refused change of structure, is answered unchanged.
  return { caller: null, failure: isExplained(failure) ? failure : cannotAnswer(failure) };
}

const isExplained = (failure: unknown): boolean => failure instanceof ServiceError && failure.code !== 'SERVICE_UNAVAILABLE';
