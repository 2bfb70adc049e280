// Whose a token is. The database is asked once per token and epoch; the signature of a token is checked once in its life.

import { invalidToken, looksSigned, type SignedClaims, tokenExpired } from '../secrets/signed-token.js';
import { findAccount, findAccountByToken, readOwnPolicies } from './account.js';
import type { AuthContext } from './auth-context.js';
import { invalidCredentials } from './refusals.js';
import { findSession } from './sessions.js';
import { findShare, isOpen, type Share } from './share.js';

export interface Identity {
  /** null for the holder of a share. */
  readonly user: string | null;
  readonly role: string | null;
  /** Policies tied to the user itself. */
  readonly own: readonly string[];
  readonly session: string | null;
  readonly share: Pick<Share, 'id' | 'collection' | 'item' | 'role'> | null;
  /** Whether there is a user without a second factor, who may be asked to get one. */
  readonly lacksCode: boolean;
  /** Until when this may be believed without asking again. */
  readonly endsAt: number;
}

/** Longer than any token of ours; longer ones are not even hashed. */
const longestToken = 4096;

/** `verified`: signed tokens whose signature was checked before. */
export async function identify(context: AuthContext, token: string, verified: Map<string, SignedClaims>): Promise<Identity> {
  if (token === '' || token.length > longestToken) throw looksSigned(token) ? invalidToken() : invalidCredentials();
  return looksSigned(token) ? identifySession(context, await verify(context, token, verified)) : identifyOwner(context, token);
}

async function verify({ signer }: AuthContext, token: string, verified: Map<string, SignedClaims>): Promise<SignedClaims> {
  const known = verified.get(token);
  if (known !== undefined && known.expiresAt > Date.now()) return known;
  if (known !== undefined) throw tokenExpired();
  const signed = await signer.verify('access', token);
  verified.set(token, signed);
  return signed;
}

async function identifySession(context: AuthContext, { claims, expiresAt }: SignedClaims): Promise<Identity> {
  const { id: user, session: family, share } = claims;
  if (typeof share === 'string' && typeof family === 'string') return identifyHolder(context, share, family, expiresAt);
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
    session: family,
    share: null,
    lacksCode: account.tfaSecret === null,
    endsAt: Math.min(expiresAt, session.endsAt),
  };
}

async function identifyHolder(context: AuthContext, id: string, family: string, expiresAt: number): Promise<Identity> {
  const [session, share] = await Promise.all([findSession(context, context.driver, family), findShare(context, context.driver, id)]);
  if (session === null || share === null || session.share !== share.id || !isOpen(share)) throw invalidCredentials();
  const endsAt = Math.min(expiresAt, session.endsAt, share.endsAt);
  return { user: null, role: share.role, own: [], session: family, share, lacksCode: false, endsAt };
}

async function identifyOwner(context: AuthContext, token: string): Promise<Identity> {
  const account = await findAccountByToken(context, context.driver, token);
  if (account?.status !== 'active') throw invalidCredentials();
  const own = await readOwnPolicies(context, context.driver, account.id);
  const lacksCode = account.tfaSecret === null;
  return { user: account.id, role: account.role, own, session: null, share: null, lacksCode, endsAt: Number.POSITIVE_INFINITY };
}
