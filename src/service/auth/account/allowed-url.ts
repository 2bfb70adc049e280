// Decides where a link in a mail may lead: to a page of the service, or to an address whose parsed origin and path are on the configured
// list (C12).

import { invalidPayload } from '../../../core/errors/service-error.js';

/** Returns the requested address, or the default without one; INVALID_PAYLOAD when the address is not on the list. */
export function chooseLinkTarget(requested: string | null, allowed: readonly string[], fallback: string, key: string): string {
  if (requested === null) return fallback;
  const target = readWebUrl(requested);
  if (target === null || !allowed.some((entry) => covers(entry, target))) throw invalidPayload(`"${key}" is not an allowed address.`);
  return target.href;
}

export function withToken(link: string, token: string): string {
  const url = new URL(link);
  url.searchParams.set('token', token);
  return url.href;
}

/** Accepts only what all parsers read alike: http(s), no credentials before the host, no backslashes, spaces or control characters. */
function readWebUrl(text: string): URL | null {
  if (/[\\\s\p{Cc}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : null;
}

/** True for the same origin and the path of the entry or one below it. */
function covers(entry: string, target: URL): boolean {
  const listed = readWebUrl(entry);
  if (listed === null || listed.origin !== target.origin) return false;
  const base = listed.pathname.replace(/\/$/, '');
  return target.pathname === base || target.pathname.startsWith(`${base}/`);
}
