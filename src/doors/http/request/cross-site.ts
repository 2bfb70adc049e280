// A browser attaches cookies to requests that other sites make it send. CORS keeps those sites from reading the answer; this check keeps
// them from changing anything: a write authenticated by a cookie must come from the service's own pages or from a listed origin.

import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../../core/errors/service-error.js';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'SEARCH', 'QUERY']);

/** Clients other than browsers send neither header and send cookies only on purpose, so they pass. */
export function refuseCrossSite(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  if (safeMethods.has(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreign = origin === undefined ? site === 'cross-site' : isForeignPage(request, allowed);
  if (foreign) throw forbidden();
}

/** Whether a page of another site asks. Browsers attach cookies to WebSockets as well, and CORS does not apply to them. */
export const isForeignPage = ({ headers: { origin }, host, protocol }: FastifyRequest, allowed: ReadonlySet<string>): boolean =>
  origin !== undefined && !allowed.has(origin) && !isOwnOrigin(origin, host, protocol === 'https' || allowed.has(`https://${host}`));

/**
 * A page that came without TLS may be anybody's in the network, so it is not ours where the service is reached by HTTPS. The other way round it is:
 * a proxy may take the TLS off, and nobody else has a certificate for our name.
 */
function isOwnOrigin(origin: string, host: string, isSecure: boolean): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  return page.host === host && (page.protocol === 'https:' || !isSecure);
}
