// Cookies of sessions: out of reach of scripts, not sent along from other sites, and over HTTPS only where there is HTTPS. Their values
// are tokens of letters, digits, dots, dashes and underscores, which need no encoding.

import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeMs: number;
}

/** The first of that name, as sent. */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const header = request.headers.cookie;
  if (!header?.includes(name)) return undefined;
  const found = header.split(';').find((pair) => pair.trimStart().startsWith(`${name}=`));
  return found?.slice(found.indexOf('=') + 1).trim();
}

/** `secure`: also where the request itself came without encryption, as from a proxy that is not trusted to say so. */
export function setCookie(request: FastifyRequest, reply: FastifyReply, { name, value, maxAgeMs }: Cookie, secure: boolean): void {
  const attributes = [`Max-Age=${Math.floor(maxAgeMs / 1000)}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure || request.protocol === 'https') attributes.push('Secure');
  reply.header('set-cookie', [`${name}=${value}`, ...attributes].join('; '));
}

export const clearCookie = (request: FastifyRequest, reply: FastifyReply, name: string, secure: boolean): void =>
  setCookie(request, reply, { name, value: '', maxAgeMs: 0 }, secure);
