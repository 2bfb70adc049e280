// Login by a passkey, which itself identifies its user. A passkey combines two factors (a device, unlocked by a PIN or biometrics), so no
// one-time code is required. All failures give the same answer; the log has the reason.

import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { routeNotFound } from '../../../core/errors/service-error.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { passkeys } from '../../definitions/accounts.js';
import { digestToken } from '../../secrets/token.js';
import { signsInHere } from '../account/ways-in.js';
import { type Account, findAccount } from '../account.js';
import type { ClientFacts } from '../auth-context.js';
import { addressKey } from '../limits/limiter.js';
import { delayFailure } from '../limits/minimum-time.js';
import { invalidCredentials } from '../refusals.js';
import type { IssuedTokens, SessionMode } from '../session/issue-tokens.js';
import { openSession } from '../session/login.js';
import { provedHere, toTime } from '../session/sessions.js';
import { challengeMs, issueChallenge, readClientData, redeemChallenge } from './challenge.js';
import { handleOf, type OfferedOptions } from './register-passkey.js';
import { findRelyingParty, type PasskeyDeps, type RelyingParty, relyingParty, type Visit } from './relying-party.js';

type Passkey = RowOf<typeof passkeys>;

/** Whether logins by passkey are possible. */
export const takesPasskeys = (deps: PasskeyDeps, visit: Pick<Visit, 'url'>): boolean =>
  !deps.auth.options.disableDefaultLogin && findRelyingParty(deps, visit) !== null;

function partyForLogin(deps: PasskeyDeps, visit: Visit): RelyingParty {
  if (deps.auth.options.disableDefaultLogin) throw routeNotFound('/auth/passkey');
  return relyingParty(deps, visit);
}

/** The options list no credentials, so the browser offers all passkeys it has for this host. */
export function loginOptions(deps: PasskeyDeps, visit: Visit): OfferedOptions {
  const party = partyForLogin(deps, visit);
  const { challenge, cookies } = issueChallenge(deps.auth, party, 'login', visit.cookie);
  return { options: { challenge, rpId: party.id, timeout: challengeMs, allowCredentials: [], userVerification: 'required' }, cookies };
}

interface PasskeyInput {
  /** What `navigator.credentials.get` gave, as JSON. */
  readonly response: Readonly<Record<string, unknown>>;
  readonly mode: SessionMode;
}

export async function loginByPasskey(
  deps: PasskeyDeps,
  { response, mode }: PasskeyInput,
  visit: Visit,
  client: ClientFacts,
): Promise<IssuedTokens> {
  const { auth, authenticator } = deps;
  const party = partyForLogin(deps, visit);
  await auth.limiter.take('login', `address ${addressKey(client.ip)}`);
  return delayFailure(auth.options.refusalMs, async () => {
    const found = await prove(deps, party, response, visit.cookie);
    if ('cause' in found) {
      deps.log({ cause: found.cause, user: found.user }, 'a login by passkey failed');
      throw invalidCredentials();
    }
    return openSession(auth, authenticator, found.account, mode, client, { ...provedHere, passkey: found.passkey });
  });
}

type Proved = { readonly account: Account; readonly passkey: string } | { readonly cause: string; readonly user: string | null };

async function prove(
  { auth }: PasskeyDeps,
  party: RelyingParty,
  response: PasskeyInput['response'],
  cookie: (name: string) => string | null,
): Promise<Proved> {
  const challenge = await redeemChallenge(auth, party, 'login', cookie, readClientData(response));
  if (challenge === null) return { cause: 'it answers no challenge of this browser', user: null };
  const digest = digestToken(String(response['id']));
  const [row] = await auth.tables.passkeys.read(auth.driver, 'all', { digest });
  const account = row === undefined ? null : await findAccount(auth, auth.driver, row.user);
  if (row === undefined || account === null) return { cause: 'no account has this passkey', user: null };
  const refused = (cause: string): Proved => ({ cause, user: account.id });
  if (account.status !== 'active' || !signsInHere(auth, account)) return refused('the account may not log in here');
  const counter = await verify(party, challenge, response, row);
  if (typeof counter === 'string') return refused(counter);
  const seen = { counter: String(counter), last_used: toTime(Date.now()) };
  // The update compares the counter that was read, so that of two concurrent logins with a copied passkey one is refused.
  if ((await auth.tables.passkeys.update(auth.driver, seen, { digest, counter: row.counter })) !== 1)
    return refused('it was used elsewhere at the same moment');
  return { account, passkey: digest };
}

/** Returns the new counter, or why the answer is refused. A counter that does not increase indicates a copied passkey. */
async function verify(
  party: RelyingParty,
  challenge: string,
  response: PasskeyInput['response'],
  { credential: id, public_key, counter, user }: Passkey,
): Promise<number | string> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const given = response as unknown as AuthenticationResponseJSON;
  if (given.response?.userHandle !== handleOf(user)) return 'it belongs to another user';
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given,
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter: Number(counter) },
    });
    return verified ? authenticationInfo.newCounter : 'the signature is wrong';
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 500) : 'it could not be read';
  }
}
