// Challenges that passkeys sign. A challenge is a sealed text that is stored only when it is redeemed, so that unauthenticated clients cannot fill a
// table. It is valid once, for two minutes, for one purpose and in the browser that requested it.

import { isPlainObject } from '../../../core/util/plain-object.js';
import { createSeal } from '../../secrets/seal.js';
import { randomToken } from '../../secrets/token.js';
import type { AuthContext } from '../auth-context.js';
import { spend } from '../providers/login-state.js';
import type { RelyingParty } from './relying-party.js';

export const challengeMs = 120_000;

/** What the browser signs for. */
export type ChallengePurpose = 'login' | `registration of ${string}`;

/** A cookie that identifies the browser. All its tabs share the value, so that a login in one tab does not invalidate that of another. */
interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeMs: number;
  readonly hostOnly: true;
  readonly secure: boolean;
}

/** Browsers accept a cookie whose name begins with `__Host-` only from this host and over HTTPS. */
const cookieName = ({ secure }: RelyingParty): string => (secure ? '__Host-passkey' : 'passkey');

type ReadCookie = (name: string) => string | null;

export interface IssuedChallenge {
  readonly challenge: string;
  readonly cookies: readonly BrowserCookie[];
}

const sealOf = ({ options }: AuthContext) => createSeal(options.secret, 'passkey');

export function issueChallenge(context: AuthContext, party: RelyingParty, purpose: ChallengePurpose, cookie: ReadCookie): IssuedChallenge {
  const name = cookieName(party);
  const present = cookie(name);
  const browser = present !== null && /^[A-Za-z0-9]{43}$/.test(present) ? present : randomToken(43);
  return {
    challenge: sealOf(context).seal(String(Date.now() + challengeMs), `${purpose} in ${browser}`),
    cookies: [{ name, value: browser, maxAgeMs: challengeMs, hostOnly: true, secure: party.secure }],
  };
}

/**
 * Returns the signed challenge and marks it as used; null if it was not issued here, belongs to another browser, has expired, or was used
 * before.
 */
export async function redeemChallenge(
  context: AuthContext,
  party: RelyingParty,
  purpose: ChallengePurpose,
  cookie: ReadCookie,
  clientData: Readonly<Record<string, unknown>> | null,
): Promise<string | null> {
  const challenge = clientData?.['challenge'];
  const browser = cookie(cookieName(party));
  if (typeof challenge !== 'string' || browser === null) return null;
  const text = sealOf(context).open(challenge, `${purpose} in ${browser}`);
  if (text === null || Number(text) <= Date.now()) return null;
  return (await spend(context, challenge, Number(text))) ? challenge : null;
}

/** Parses the client data that the browser signed; null if they are invalid or come from a frame inside another site's page. */
export function readClientData(response: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  const text = isPlainObject(response['response']) ? response['response']['clientDataJSON'] : undefined;
  if (typeof text !== 'string') return null;
  try {
    const data: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isPlainObject(data) && data['crossOrigin'] !== true ? data : null;
  } catch {
    return null;
  }
}
