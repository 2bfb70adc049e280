// One line of the log per outage: every request fails for the same reason then, and a line for each would fill the log, perhaps on the very
// disk that has no room left.

import type { FastifyBaseLogger } from 'fastify';
import { Lru } from '../../../core/util/lru.js';
import { DatabaseError, type DatabaseErrorKind } from '../../../core/vendor/database-error.js';

/** An outage is over when nothing has failed for its reason for this long. */
const endsAfterMs = 60_000;
const maxReasons = 100;

/** By the logger of a service, since a process may have several. The time of the latest failure, by reason. */
const outages = new WeakMap<FastifyBaseLogger, Lru<string, number>>();

/** These concern single statements, each of which an operator may want to know. */
const ofStatements: ReadonlySet<DatabaseErrorKind> = new Set(['timeout', 'locked', 'denied', 'retry', 'deadlock', 'stale-schema']);

/** Whether to log a failure. A caller who has left is nobody's concern. */
export function isNewOutage(log: FastifyBaseLogger, { message, cause }: Error): boolean {
  const kind = cause instanceof DatabaseError ? cause.kind : null;
  if (kind === 'cancelled') return false;
  if (kind !== null && ofStatements.has(kind)) return true;
  const known = outages.get(log) ?? new Lru<string, number>(maxReasons);
  outages.set(log, known);
  const [latest, now] = [known.get(message), performance.now()];
  known.set(message, now);
  return latest === undefined || now - latest >= endsAfterMs;
}
