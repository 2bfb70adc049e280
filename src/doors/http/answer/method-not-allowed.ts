// Refuses a method that a path does not have.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ServiceError, serviceError } from '../../../core/errors/service-error.js';

/** `allowed`: the methods as the header `Allow` lists them. */
export function methodNotAllowed(request: FastifyRequest, reply: FastifyReply, allowed: string): ServiceError {
  reply.header('allow', allowed);
  return serviceError('METHOD_NOT_ALLOWED', `${request.method} cannot do this here: use ${allowed}.`, { allowed: allowed.split(', ') });
}
