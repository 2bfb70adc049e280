// A browser attaches cookies to requests that other sites make it send. CORS keeps those sites from reading the answer; this check keeps
// them from changing anything: a write authenticated by a cookie must come from the service's own pages or from a listed origin.

import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../../core/errors/service-error.js';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'SEARCH', 'QUERY']);

/** Clients other than browsers send neither header and send cookies only on purpose, so they pass. */
export function refuseCrossSite(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  if (safeMethods.has(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreign = origin === undefined ? site === 'cross-site' : !allowed.has(origin) && !isOwnOrigin(origin, request.host);
  if (foreign) throw forbidden();
}

/** Whether a page of another site opens the connection. Browsers attach cookies to it, and CORS does not apply. */
export const isForeignPage = ({ headers: { origin }, host }: FastifyRequest, allowed: ReadonlySet<string>): boolean =>
  origin !== undefined && !allowed.has(origin) && !isOwnOrigin(origin, host);

const isOwnOrigin = (origin: string, host: string): boolean => URL.canParse(origin) && new URL(origin).host === host;
