// The addresses that are open to people who are not signed in: first start, forgotten password, invitation, a shared item. The first three
// carry a secret for one use, which is removed from the address at once, so that neither the history nor a copied address contains it.

export type Entry =
  | { readonly kind: 'setup'; readonly secret: string }
  | { readonly kind: 'reset-password' | 'accept-invite'; readonly secret: string }
  | { readonly kind: 'shared'; readonly share: string };

const base = (): string => new URL(document.baseURI).pathname;

export function readEntry(): Entry | null {
  const path = location.pathname.slice(base().length);
  if (path === 'setup') return taken({ kind: path, secret: location.hash.slice(1) });
  if (path === 'reset-password' || path === 'accept-invite')
    return taken({ kind: path, secret: new URLSearchParams(location.search).get('token') ?? '' });
  const [, share] = /^shared\/([^/]+)$/.exec(path) ?? [];
  return share === undefined ? null : { kind: 'shared', share: decodeURIComponent(share) };
}

function taken<T extends Entry>(entry: T): T {
  history.replaceState(null, '', location.pathname);
  return entry;
}

/** For the page that the browser was led back to. */
let failure: string | null = null;

/** Why the account of a provider was not linked, until it has been reported. */
export const readFailure = (): string | null => failure;

export function spendFailure(): void {
  failure = null;
}

/**
 * Why the login by a provider that led here has failed; null: none has. Also replaces the address `/login`, which exists only as the end of
 * such logins.
 */
export function takeReason(): string | null {
  const url = new URL(location.href);
  const reason = url.searchParams.get('reason');
  const isLogin = url.pathname === `${base()}login`;
  if (reason === null && !isLogin) return null;
  url.searchParams.delete('reason');
  if (isLogin) url.pathname = base();
  history.replaceState(null, '', url);
  failure = reason;
  return reason;
}

/** On to the application, or to the sign-in. */
export const leaveEntry = (): void => history.replaceState(null, '', base());
