// How a user who is signed in adds a passkey: the browser gets options with a challenge, and its answer is verified and stored.

import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Caller } from '../../../core/access/view.js';
import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload, refusalError, type ServiceError } from '../../../core/errors/service-error.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { digestToken } from '../../secrets/token.js';
import { ownAccount, proveOwner, requireOwnPasskey, signsInHere } from '../account/ways-in.js';
import type { Account } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { invalidCredentials } from '../refusals.js';
import { recordActivity } from '../session/login.js';
import { readAccountSettings } from '../settings.js';
import { challengeMs, type IssuedChallenge, issueChallenge, readClientData, redeemChallenge } from './challenge.js';
import { type ShownPasskey, shownPasskey } from './own-passkeys.js';
import { type PasskeyDeps, type RelyingParty, relyingParty, type Visit } from './relying-party.js';

/** A bound against mistakes and abuse; no user needs more. */
const maxPasskeys = 20;
/** The COSE algorithm numbers of Ed25519, ECDSA with P-256, and RSA. */
const algorithms = [-8, -7, -257];

export interface OfferedOptions extends Pick<IssuedChallenge, 'cookies'> {
  /** For `navigator.credentials`, bytes as base64url. */
  readonly options: Readonly<Record<string, unknown>>;
}

export async function registrationOptions(
  deps: PasskeyDeps,
  caller: Caller,
  password: string | null,
  visit: Visit,
): Promise<OfferedOptions> {
  const { auth } = deps;
  const party = relyingParty(deps, visit);
  const account = await accountForPasskeys(auth, caller);
  await proveOwner(auth, caller, account, password, 'A new passkey');
  const known = await auth.tables.passkeys.read(auth.driver, ['credential', 'transports'], { user: account.id });
  if (known.length >= maxPasskeys) throw tooMany();
  const { project } = await readAccountSettings(auth, auth.driver);
  const { challenge, cookies } = issueChallenge(auth, party, `registration of ${account.id}`, visit.cookie);
  const name = account.email ?? account.id;
  const options = {
    challenge,
    rp: { id: party.id, name: project },
    user: { id: handleOf(account.id), name, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    excludeCredentials: known.map(({ credential: id, transports }) => ({ type: 'public-key', id, ...(transports ? { transports } : {}) })),
    // The passkey must be discoverable without a user name, and must verify its user, since it replaces both factors.
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
  return { options, cookies };
}

/** The WebAuthn user handle. */
export const handleOf = (user: string): string => Buffer.from(user).toString('base64url');

async function accountForPasskeys(auth: AuthContext, caller: Caller): Promise<Account> {
  const account = await ownAccount(auth, caller);
  if (!signsInHere(auth, account))
    throw refusalError('FORBIDDEN', refusal('provider_account'), {
      reason: 'This account signs in by its provider, and cannot have passkeys',
    });
  await requireOwnPasskey(auth, caller, account);
  return account;
}

export interface NewPasskey {
  readonly name: string;
  /** What `navigator.credentials.create` gave, as JSON. */
  readonly response: Readonly<Record<string, unknown>>;
}

export async function addPasskey(
  deps: PasskeyDeps,
  caller: Caller,
  { name, response }: NewPasskey,
  visit: Visit,
  client: ClientFacts,
): Promise<ShownPasskey> {
  const { auth } = deps;
  const party = relyingParty(deps, visit);
  const account = await accountForPasskeys(auth, caller);
  const clientData = readClientData(response);
  const challenge = await redeemChallenge(auth, party, `registration of ${account.id}`, visit.cookie, clientData);
  if (challenge === null) throw invalidPayload('"response" answers no challenge of this browser within the last two minutes.');
  const made = await verify(party, challenge, response);
  if (made === null) throw invalidPayload('"response" is no passkey for this service that verifies its user.');
  const digest = digestToken(made.id);
  const row = {
    ...{ digest, user: account.id, name, credential: made.id, transports: made.transports, backed_up: made.backedUp },
    ...{ public_key: made.publicKey, counter: String(made.counter) },
  };
  await changeAccounts(auth, async (connection) => {
    const known = await auth.tables.passkeys.read(connection, ['digest'], { user: account.id }, maxPasskeys);
    if (known.length >= maxPasskeys) throw tooMany();
    await auth.tables.passkeys.insert(connection, [row]).catch(refuseKnown);
    await recordActivity(auth, connection, 'update', account.id, client);
  });
  const [stored] = await auth.tables.passkeys.read(auth.driver, 'all', { digest });
  if (stored === undefined) throw invalidCredentials();
  return shownPasskey(stored);
}

interface MadePasskey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
}

/** null if the response does not answer the options that were issued. */
async function verify(party: RelyingParty, challenge: string, response: NewPasskey['response']): Promise<MadePasskey | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const given = response as unknown as RegistrationResponseJSON;
  if (!(await hasPlainAttestation(given))) return null;
  const verified = await verifyRegistrationResponse({
    response: given,
    expectedChallenge: challenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { credential, credentialBackedUp: backedUp } = verified.registrationInfo;
  const { id, counter } = credential;
  return { id, counter, backedUp, publicKey: Buffer.from(credential.publicKey).toString('base64url'), transports: transportsOf(given) };
}

/**
 * Accepts the formats `none`, which the options ask for, and `packed`. For the others the package would check certificates against
 * revocation lists, which it fetches from URLs in the client's certificate.
 */
async function hasPlainAttestation({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const format = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url'))).get('fmt');
    return format === 'none' || format === 'packed';
  } catch {
    return false;
  }
}

const knownTransports: ReadonlySet<unknown> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

const transportsOf = ({ response: { transports } }: RegistrationResponseJSON): readonly string[] =>
  Array.isArray(transports) ? [...new Set(transports.filter((transport) => knownTransports.has(transport)))] : [];

function refuseKnown(error: unknown): never {
  if (error instanceof DatabaseError && error.kind === 'unique') throw invalidPayload(refusal('passkey_known'));
  throw error;
}

const tooMany = (): ServiceError => {
  const reason = `An account can have ${maxPasskeys} passkeys`;
  return refusalError('UNPROCESSABLE_CONTENT', refusal('too_many_passkeys', { limit: maxPasskeys }), { reason });
};
