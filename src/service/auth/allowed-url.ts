// Where a link in a mail may lead: our own pages, or an address whose parsed origin and path stand on the configured list (C12).

import { invalidPayload } from '../../core/errors/service-error.js';

/** The address to link to: the one asked for when it is allowed, else the default. INVALID_PAYLOAD for anything not on the list. */
export function chooseLinkTarget(asked: unknown, allowed: readonly string[], standard: string, key: string): string {
  if (asked === undefined || asked === null) return standard;
  const target = typeof asked === 'string' ? readWebUrl(asked) : null;
  if (target === null || !allowed.some((entry) => covers(entry, target))) throw invalidPayload(`"${key}" is not an allowed address.`);
  return target.href;
}

export function withToken(link: string, token: string): string {
  const url = new URL(link);
  url.searchParams.set('token', token);
  return url.href;
}

/** Only what every reader parses alike: http(s), no name or password before the host, no backslashes, spaces or controls. */
function readWebUrl(text: string): URL | null {
  if (/[\\\s\p{Cc}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : null;
}

/** Same origin, and the path of the entry or one below it. */
function covers(entry: string, target: URL): boolean {
  const listed = readWebUrl(entry);
  if (listed === null || listed.origin !== target.origin) return false;
  const base = listed.pathname.replace(/\/$/, '');
  return target.pathname === base || target.pathname.startsWith(`${base}/`);
}
