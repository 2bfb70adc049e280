// The header `X-View-As`: an administrator reads with the rights of another user, and none of their own. It is for reading only: what
// writes is refused here by its method, by GraphQL for mutations, and by the engine for whatever opens a transaction.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/access/view.js';
import { forbidden, serviceError } from '../../../core/errors/service-error.js';
import type { ClientFacts } from '../../../service/auth/auth-context.js';
import type { Authenticator } from '../../../service/auth/session/authenticate.js';
import { parseViewTarget, type RecordViewAs, viewThrough } from '../../../service/auth/session/view-as.js';
import { isReading } from './reading.js';

export interface ViewAsDeps {
  readonly authenticator: Authenticator;
  readonly recordViewAs: RecordViewAs;
}

export const viewAsHeader = 'x-view-as';

/** The caller with whose rights `viewer` asks. */
export async function viewAs(
  { authenticator, recordViewAs }: ViewAsDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Caller,
  client: ClientFacts,
): Promise<Caller> {
  // Otherwise the viewer's browser could cache answers for several users under the same URL.
  reply.header('cache-control', 'no-store').header('vary', 'X-View-As');
  if (!viewer.accountability.admin || viewer.accountability.user === null) throw forbidden();
  if (!reads(request)) throw serviceError('FORBIDDEN', 'With "X-View-As" requests can only read, and each on its own.');
  const target = parseViewTarget(String(request.headers[viewAsHeader]));
  const viewed = viewThrough(viewer, await authenticator.viewed(target, client));
  await recordViewAs(viewer, target);
  return viewed;
}

/** Streams and sockets are refused: they outlive the request, and their caller would be looked up again by the token alone. */
function reads(request: FastifyRequest): boolean {
  const { headers } = request;
  if (headers.upgrade !== undefined || headers.accept?.startsWith('text/event-stream') === true) return false;
  return isReading(request);
}
