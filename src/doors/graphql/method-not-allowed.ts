// A method the GraphQL endpoints do not take.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ServiceError, serviceError } from '../../core/errors/service-error.js';

export function methodNotAllowed(request: FastifyRequest, reply: FastifyReply, allowed: string): ServiceError {
  reply.header('allow', allowed);
  return serviceError('METHOD_NOT_ALLOWED', `${request.method} cannot do this here: use ${allowed}.`, { allowed: allowed.split(', ') });
}
