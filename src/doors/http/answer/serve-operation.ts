// Runs an operation for a request, whichever door it came by, and answers in HTTP what is not part of the value: cookies, and whether the
// answer may be stored.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Work } from '../../../core/engine/work/work.js';
import type { Operation } from '../../../service/operations/operation.js';
import type { OperationDeps } from '../../../service/operations/operation-deps.js';
import { type Answered, type InputSource, runOperation } from '../../../service/operations/run-operation.js';
import { type CookieOptions, readCookie, setCookie } from '../request/cookies.js';
import { refuseCrossSite } from '../request/cross-site.js';
import { addressOf } from '../request/request-context.js';
import { revisionListener, tellRevisions } from './tell-revisions.js';

export interface ServeDeps {
  readonly operations: OperationDeps;
  readonly cookies: CookieOptions;
  /** Origins whose pages may use cookies, besides the service's own. */
  readonly allowedOrigins: ReadonlySet<string>;
}

export interface AskedOperation {
  readonly operation: Operation;
  readonly work: Work;
  readonly idempotencyKey: string | null;
  readonly source: InputSource;
}

export async function serveOperation(
  { operations, cookies, allowedOrigins }: ServeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, work, idempotencyKey, source }: AskedOperation,
): Promise<Answered> {
  if (operation.secret === true) forbidStoring(reply);
  const onRevisions = revisionListener(request);
  const own = onRevisions === null ? atPrimary(work) : { ...atPrimary(work), onRevisions };
  const cookie = (name: string): string | null => ownCookie(request, name, allowedOrigins);
  const answered = await runOperation(
    operations,
    operation,
    { work: own, url: addressOf(request), idempotencyKey, signal: () => request.context.signal, cookie },
    source,
  );
  if (answered.replayed) reply.header('idempotent-replayed', 'true');
  await tellRevisions(operations, request, reply, own);
  for (const kept of answered.facts.cookies ?? []) setCookie(request, reply, kept, cookies);
  return answered;
}

/** Operations read from the primary, because they decide by what they read: rights, hashes, existing items. */
function atPrimary(work: Work): Work {
  if (work.readAfter === undefined) return work;
  const { readAfter: _readAfter, ...own } = work;
  return own;
}

export const forbidStoring = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');

/** A browser sends cookies by itself: they count only for requests of the service's own pages and of allowed origins. */
function ownCookie(request: FastifyRequest, name: string, allowedOrigins: ReadonlySet<string>): string | null {
  const value = readCookie(request, name);
  if (value === undefined) return null;
  refuseCrossSite(request, allowedOrigins);
  return value;
}
