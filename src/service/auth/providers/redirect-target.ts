// Where a browser may be led after a login: to a path of this host, to the service's own origin, or to an address on a list. Everything else would
// let an attacker's link begin at a trusted login and end at their own page.

import { invalidPayload } from '../../../core/errors/service-error.js';

export interface RedirectRules {
  /** Addresses of the service itself. */
  readonly own: readonly string[];
  /** Further addresses; a target must match one in origin and path and may have any query. */
  readonly listed: readonly string[];
}

const nowhere = 'http://nowhere.invalid';

/** The target in a form that every browser reads alike; INVALID_PAYLOAD for one that is not allowed. */
export function checkRedirect(redirect: string, rules: RedirectRules): string {
  const target = readPath(redirect) ?? readAddress(redirect, rules);
  if (target === null) throw invalidPayload(`URL "${redirect.slice(0, 200)}" can't be used to redirect after login`);
  return target;
}

/** Parsers of URLs disagree about backslashes, spaces and control characters. */
const isAmbiguous = (text: string): boolean => /[\\\s\p{Cc}]/u.test(text);
const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(text);

function readPath(text: string): string | null {
  if (isAmbiguous(text) || hasScheme(text) || !URL.canParse(text, nowhere)) return null;
  const url = new URL(text, nowhere);
  // `/.//host` looks like a path, but after its dots are resolved it begins with `//` and names a host.
  return url.origin === nowhere && !url.pathname.startsWith('//') ? pathOf(url) : null;
}

const pathOf = ({ pathname, search, hash }: URL): string => `${pathname}${search}${hash}`;

function readAddress(text: string, { own, listed }: RedirectRules): string | null {
  const url = readWebAddress(text);
  if (url === null) return null;
  const isOwn = own.some((entry) => new URL(entry).origin === url.origin);
  const isListed = listed.some((entry) => {
    const known = readWebAddress(entry);
    return known !== null && known.origin === url.origin && known.pathname === url.pathname;
  });
  return isOwn || isListed ? url.href : null;
}

function readWebAddress(text: string): URL | null {
  if (isAmbiguous(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : null;
}

/** Adds the reason of a failed login to the target. */
export function withReason(target: string, reason: string): string {
  const url = new URL(target, nowhere);
  url.searchParams.set('reason', reason);
  return url.origin === nowhere ? pathOf(url) : url.href;
}
