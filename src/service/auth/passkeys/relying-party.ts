// The identity of the service towards browsers (the relying party of WebAuthn). A passkey is bound to the host name of PUBLIC_URL, and
// browsers create passkeys on secure pages only. Without PUBLIC_URL the service is reached as localhost on the same machine, which browsers
// consider secure.

import { isIP } from 'node:net';
import { refusal } from '../../../core/errors/refusals.js';
import { refusalError, type ServiceError } from '../../../core/errors/service-error.js';
import type { AuthContext } from '../auth-context.js';
import type { Authenticator } from '../session/authenticate.js';
import { visitedUrl } from '../visited-url.js';

/** The dependencies of all operations on passkeys. */
export interface PasskeyDeps {
  readonly auth: AuthContext;
  readonly authenticator: Authenticator;
  /** Further addresses of the service; those below the host of PUBLIC_URL can use its passkeys. */
  readonly allowedPublicUrls: readonly string[];
  /** Tells operators why a login failed. */
  readonly log: (details: Readonly<Record<string, unknown>>, text: string) => void;
}

export interface RelyingParty {
  /** The host name. */
  readonly id: string;
  readonly origins: readonly string[];
  /** Whether cookies need HTTPS. */
  readonly secure: boolean;
}

/** The facts of a browser's request. */
export interface Visit {
  /** The address by which it reached the service. */
  readonly url: string;
  readonly cookie: (name: string) => string | null;
}

/** null if browsers would refuse to create passkeys for this address. */
export function findRelyingParty({ auth, allowedPublicUrls }: PasskeyDeps, { url: visited }: Pick<Visit, 'url'>): RelyingParty | null {
  const { publicUrl, isAddressKnown } = auth.options;
  const { hostname, origin, protocol } = isAddressKnown ? new URL(publicUrl) : visitedUrl(visited);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (!isAddressKnown && !isLocal) return null;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || (protocol !== 'https:' && !isLocal)) return null;
  const others = allowedPublicUrls
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url))
    .filter((url) => url.protocol === protocol && (url.hostname === hostname || url.hostname.endsWith(`.${hostname}`)));
  return { id: hostname, origins: [origin, ...others.map((url) => url.origin)], secure: protocol === 'https:' };
}

export function relyingParty(deps: PasskeyDeps, visit: Visit): RelyingParty {
  const found = findRelyingParty(deps, visit);
  if (found === null) throw unfit();
  return found;
}

function unfit(): ServiceError {
  const reason = 'Passkeys need PUBLIC_URL, an https address with a host name; without it they work at localhost only';
  return refusalError('UNPROCESSABLE_CONTENT', refusal('passkeys_need_address'), { reason });
}
