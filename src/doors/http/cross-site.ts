// A browser sends cookies along with requests other sites make it send. Such a request may read nothing (CORS) and must change nothing:
// what is authenticated by a cookie and changes something has to come from our own pages or from a listed origin.

import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../core/errors/service-error.js';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'SEARCH', 'QUERY']);

/** Clients that are no browsers send neither header and carry cookies only when told to. */
export function refuseCrossSite(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  if (safeMethods.has(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreign = origin === undefined ? site === 'cross-site' : !allowed.has(origin) && !isOwnOrigin(origin, request.host);
  if (foreign) throw forbidden();
}

const isOwnOrigin = (origin: string, host: string): boolean => URL.canParse(origin) && new URL(origin).host === host;
