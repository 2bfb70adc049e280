// A request that failed because the structure had changed under it is answered by the structure as it is now: its handler runs again.

import type { FastifyReply, FastifyRequest } from 'fastify';

/** Resolves to true when the failure may be gone with what the request knows now. */
export type Renew = (error: unknown, request: FastifyRequest) => Promise<boolean>;

const maxRenewals = 3;

/** A body that was read as a stream is gone, so such a request is not tried again. */
export const mayTryAgain = ({ context, headers }: FastifyRequest): boolean =>
  context.renewals < maxRenewals && headers['content-type']?.startsWith('multipart/') !== true;

/** The last failure is thrown. */
export async function tryAgain(failure: unknown, request: FastifyRequest, reply: FastifyReply, renew: Renew): Promise<unknown> {
  let error = failure;
  while (!reply.sent && mayTryAgain(request) && (await renew(error, request))) {
    request.context.renewals += 1;
    try {
      return await request.routeOptions.handler?.call(request.server, request, reply);
    } catch (next) {
      error = next;
    }
  }
  throw error;
}
