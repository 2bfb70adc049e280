// Runs a request again that failed because the schema changed under it: the handler then sees the present schema.

import type { FastifyReply, FastifyRequest } from 'fastify';

/** The decision about a failure: `again` when another run may succeed; otherwise `failure` is the error to answer. */
interface Renewal {
  readonly again: boolean;
  readonly failure: unknown;
}

export type Renew = (failure: unknown, request: FastifyRequest) => Promise<Renewal>;

const maxRenewals = 1;

/** A body that was read as a stream cannot be read again. */
export const mayTryAgain = ({ headers }: FastifyRequest): boolean => headers['content-type']?.startsWith('multipart/') !== true;

/** Throws the last failure when no run succeeds. */
export async function tryAgain(failure: unknown, request: FastifyRequest, reply: FastifyReply, renew: Renew): Promise<unknown> {
  if (reply.sent) throw failure;
  const renewal = await renew(failure, request);
  const { context } = request;
  if (!renewal.again || context.renewals >= maxRenewals || !mayTryAgain(request)) throw renewal.failure;
  context.renewals += 1;
  try {
    return await request.routeOptions.handler?.call(request.server, request, reply);
  } catch (next) {
    return tryAgain(next, request, reply, renew);
  }
}
