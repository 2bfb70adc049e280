// Session cookies: hidden from scripts, not sent from other sites unless a setting allows it, and restricted to HTTPS where the request came
// over HTTPS. Their values are tokens of letters, digits, dots, dashes and underscores, which need no encoding.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookie } from '../../../service/operations/operation.js';

/** The value of the first cookie of that name. */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const header = request.headers.cookie;
  if (!header?.includes(name)) return undefined;
  const found = header.split(';').find((pair) => pair.trimStart().startsWith(`${name}=`));
  return found?.slice(found.indexOf('=') + 1).trim();
}

/** The settings of every cookie. */
export interface CookieOptions {
  /** Restricts cookies to HTTPS even if the request came without it, as through a proxy whose headers are not trusted. */
  readonly secure: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
  /** null: this host only. */
  readonly domain: string | null;
  /** Paths below which browsers send them, so that two services of one host keep their own. */
  readonly path: string;
}

const sameSiteNames = { lax: 'Lax', strict: 'Strict', none: 'None' } as const;

export function setCookie(request: FastifyRequest, reply: FastifyReply, cookie: Cookie, options: CookieOptions): void {
  const { name, value, maxAgeMs, hostOnly = false, secure = false } = cookie;
  const sameSite = hostOnly ? 'lax' : options.sameSite;
  const attributes = [`Max-Age=${Math.floor(maxAgeMs / 1000)}`, `Path=${options.path}`, 'HttpOnly', `SameSite=${sameSiteNames[sameSite]}`];
  if (options.domain !== null && !hostOnly) attributes.push(`Domain=${options.domain}`);
  if (secure || options.secure || request.protocol === 'https') attributes.push('Secure');
  reply.header('set-cookie', [`${name}=${value}`, ...attributes].join('; '));
}
