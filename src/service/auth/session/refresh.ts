// Renews a session: exchanges a refresh token for its successor, or replaces a session that lives in a cookie.

import { invalidPayload } from '../../../core/errors/service-error.js';
import { findAccount, readOwnPolicies } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { invalidCredentials } from '../refusals.js';
import type { Authenticator } from './authenticate.js';
import { type IssuedTokens, issueTokens, refreshCookie, type SessionMode, sessionCookie, sessionLifetime } from './issue-tokens.js';
import { endSession, findSession, renewSession, rotateToken, type SessionOwner, type StartedSession } from './sessions.js';
import { findShare, isOpen } from './share.js';

export interface CarriedSession {
  readonly mode: SessionMode;
  readonly token: string;
}

interface NamedSession {
  readonly refresh_token: string | null;
  readonly mode: SessionMode | null;
}

/** The session that a request names by a token or by a cookie. The default mode is `json` with a token and `cookie` without one. */
export function carriedSession(
  { refresh_token: given, mode: asked }: NamedSession,
  cookie: (name: string) => string | null,
): CarriedSession {
  const mode = asked ?? (given === null ? 'cookie' : 'json');
  const token = mode === 'session' ? cookie(sessionCookie) : (given ?? (mode === 'cookie' ? cookie(refreshCookie) : null));
  if (token === null || token === '') throw invalidPayload('The refresh token is required in either the payload or a cookie.');
  return { mode, token };
}

export async function refresh(
  context: AuthContext,
  authenticator: Authenticator,
  { mode, token }: CarriedSession,
  client: ClientFacts,
): Promise<IssuedTokens> {
  const lifetime = sessionLifetime(context, mode);
  const renewed = mode === 'session' ? await renewCookie(context, token, client, lifetime) : await rotate(context, token, client, lifetime);
  if (renewed.share !== null) return refreshShare(context, mode, renewed, renewed.share);
  const isStillProved = renewed.identity === null || (await context.askProvider(renewed.identity, renewed.providerToken, renewed.family));
  const account = renewed.user === null || !isStillProved ? null : await findAccount(context, context.driver, renewed.user);
  if (account?.status !== 'active') {
    await changeAccounts(context, (connection) => endSession(context, connection, renewed.family));
    throw invalidCredentials();
  }
  const { id: user, role } = account;
  const own = await readOwnPolicies(context, context.driver, user);
  const { accountability } = await authenticator.resolve({ user, role, own }, client);
  return issueTokens(context, mode, { user, role, app: accountability.app, admin: accountability.admin }, renewed);
}

type Renewed = StartedSession & SessionOwner;

async function refreshShare(context: AuthContext, mode: SessionMode, renewed: Renewed, id: string): Promise<IssuedTokens> {
  const share = await findShare(context, context.driver, id);
  if (share === null || !isOpen(share)) throw invalidCredentials();
  return issueTokens(context, mode, { user: null, role: share.role, app: false, admin: false, share: share.id }, renewed);
}

async function rotate(context: AuthContext, token: string, client: ClientFacts, lifetimeMs: number): Promise<Renewed> {
  const rotation = await changeAccounts(context, (connection) => rotateToken(context, connection, token, client, lifetimeMs));
  if (rotation.kind === 'refused') throw invalidCredentials();
  return { ...rotation.session, refreshToken: rotation.refreshToken };
}

async function renewCookie(context: AuthContext, token: string, client: ClientFacts, lifetimeMs: number): Promise<Renewed> {
  const family = await readFamily(context, token, 'cookie');
  const renewed = await changeAccounts(context, async (connection) => {
    const session = family === null ? null : await findSession(context, connection, family);
    return session === null ? null : { ...session, ...(await renewSession(context, connection, session, client, lifetimeMs)) };
  });
  if (renewed === null) throw invalidCredentials();
  return renewed;
}

/**
 * The family that a token names; null when it is invalid or expired. `cookie`: only if it was given as a session cookie. Access tokens are shown
 * to many, and for a short time; one that could be renewed would last for ever in the hands of a thief.
 */
export async function readFamily({ signer }: AuthContext, token: string, kind: 'any' | 'cookie' = 'any'): Promise<string | null> {
  const { claims = {} } = (await signer.verify('access', token).catch(() => null)) ?? {};
  if (kind === 'cookie' && claims['renewable'] === false) return null;
  return typeof claims['session'] === 'string' ? claims['session'] : null;
}
