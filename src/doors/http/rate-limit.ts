// The general limit: so many requests per second and caller, by user when known and by address otherwise.

import type { FastifyRequest } from 'fastify';
import { addressKey, type Limiter } from '../../service/auth/limiter.js';

export const limitRequests = (limiter: Limiter, request: FastifyRequest, user: string | null): Promise<void> | undefined =>
  limiter.take('request', user ?? addressKey(request.context.ip));
