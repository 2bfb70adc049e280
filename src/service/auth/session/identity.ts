// Finds the owner of a token. Called once per token and epoch; the signature of a token is verified once in its life.

import type { Lru } from '../../../core/util/lru.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { invalidToken, looksSigned, type SignedClaims, tokenExpired } from '../../secrets/signed-token.js';
import { type Account, findAccount, findAccountByToken, readOwnPolicies } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import { invalidCredentials } from '../refusals.js';
import { type AccessKey, findKey, findKeyByToken, looksLikeKey } from './access-key.js';
import { findSession, graceMs } from './sessions.js';
import { findShare, isOpen, type Share } from './share.js';

export interface Identity {
  /** null for the holder of a share. */
  readonly user: string | null;
  readonly role: string | null;
  /** Policies linked to the user directly. */
  readonly own: readonly string[];
  readonly session: string | null;
  /** null: the token is no access key. */
  readonly accessKey: AccessKey | null;
  readonly share: Pick<Share, 'id' | 'collection' | 'item' | 'role'> | null;
  /** Whether this is a user who has proved no second factor. */
  readonly withoutCode: boolean;
  /** When the identity has to be looked up again, in milliseconds. */
  readonly endsAt: number;
}

/** Longer than any token of the service; bounds the work on an unknown one. */
const maxTokenLength = 4096;

/** `verified` caches the claims of tokens whose signature was verified. */
export async function identify(context: AuthContext, token: string, verified: Lru<string, SignedClaims>): Promise<Identity> {
  if (token === '' || token.length > maxTokenLength) throw looksSigned(token) ? invalidToken() : invalidCredentials();
  if (looksSigned(token)) return identifySession(context, await verify(context, token, verified));
  if (!looksLikeKey(token)) return identityOf(context, await findAccountByToken(context, context.driver, token));
  return identifyKey(context, token);
}

async function verify({ signer }: AuthContext, token: string, verified: Lru<string, SignedClaims>): Promise<SignedClaims> {
  const known = verified.get(token);
  if (known !== undefined && known.expiresAt > Date.now()) return known;
  if (known !== undefined) throw tokenExpired();
  const signed = await signer.verify('access', token);
  verified.set(token, signed);
  return signed;
}

/** A cookie may be replaced at any time without a new epoch, and has to end `graceMs` later. Other tokens last until their session ends. */
const looksAgainAt = ({ claims, expiresAt }: SignedClaims): number =>
  claims['renewable'] === false ? expiresAt : Math.min(expiresAt, Date.now() + graceMs);

async function identifySession(context: AuthContext, signed: SignedClaims): Promise<Identity> {
  const { id: user, session: family, share } = signed.claims;
  const latest = looksAgainAt(signed);
  if (typeof share === 'string' && typeof family === 'string') return identifyShareHolder(context, share, family, latest);
  if (typeof user !== 'string' || typeof family !== 'string') throw invalidToken();
  const { driver } = context;
  const [session, account, own] = await Promise.all([
    findSession(context, driver, family),
    findAccount(context, driver, user),
    readOwnPolicies(context, driver, user),
  ]);
  if (session === null || session.user !== user || account?.status !== 'active') throw invalidCredentials();
  return {
    user,
    role: account.role,
    own,
    accessKey: null,
    session: family,
    share: null,
    // A passkey is something one has, unlocked by something one is or knows.
    withoutCode: account.tfaSecret === null && session.passkey === null,
    endsAt: Math.min(latest, session.endsAt),
  };
}

async function identifyShareHolder(context: AuthContext, id: string, family: string, latest: number): Promise<Identity> {
  const [session, share] = await Promise.all([findSession(context, context.driver, family), findShare(context, context.driver, id)]);
  if (session === null || share === null || session.share !== share.id || !isOpen(share)) throw invalidCredentials();
  const endsAt = Math.min(latest, session.endsAt, share.endsAt);
  return { user: null, role: share.role, own: [], accessKey: null, session: family, share, withoutCode: false, endsAt };
}

async function identifyKey(context: AuthContext, token: string): Promise<Identity> {
  const accessKey = await findKeyByToken(context, context.driver, token);
  const identity = accessKey === null ? null : await identityOfKey(context, context.driver, accessKey);
  if (identity === null) throw invalidCredentials();
  return identity;
}

/** null for a key that is gone, or whose user may not sign in. */
export async function identifyKeyById(context: AuthContext, connection: Connection, id: string): Promise<Identity | null> {
  const accessKey = await findKey(context, connection, id);
  return accessKey === null ? null : identityOfKey(context, connection, accessKey);
}

async function identityOfKey(context: AuthContext, connection: Connection, accessKey: AccessKey): Promise<Identity | null> {
  const { user, endsAt } = accessKey;
  const [account, own] = await Promise.all([findAccount(context, connection, user), readOwnPolicies(context, connection, user)]);
  if (account?.status !== 'active') return null;
  return { user, role: account.role, own, accessKey, session: null, share: null, withoutCode: account.tfaSecret === null, endsAt };
}

/** A user that the embedding application names. */
export const identifyUser = async (context: AuthContext, user: string): Promise<Identity> =>
  identityOf(context, await findAccount(context, context.driver, user));

/** The identity of a user without a session; it lasts until an epoch changes. */
async function identityOf(context: AuthContext, account: Account | null): Promise<Identity> {
  if (account?.status !== 'active') throw invalidCredentials();
  const own = await readOwnPolicies(context, context.driver, account.id);
  const withoutCode = account.tfaSecret === null;
  const endsAt = Number.POSITIVE_INFINITY;
  return { user: account.id, role: account.role, own, accessKey: null, session: null, share: null, withoutCode, endsAt };
}
