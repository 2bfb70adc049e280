// Renewing a session. A refresh token is exchanged for its successor; a session that lives in a cookie begins anew.

import { invalidPayload } from '../../core/errors/service-error.js';
import { findAccount, readOwnPolicies } from './account.js';
import { readBody, readMode, readOptionalText, type SessionMode } from './account-payload.js';
import type { AuthContext, ClientFacts } from './auth-context.js';
import type { Authenticator } from './authenticate.js';
import { changeAccounts } from './change-accounts.js';
import { type IssuedTokens, issueTokens, sessionLifetime } from './issue-tokens.js';
import { invalidCredentials } from './refusals.js';
import { endSession, findSession, renewSession, rotateToken, type Session, type StartedSession } from './sessions.js';
import { findShare, isOpen } from './share.js';

/** What a browser sends by itself. */
export interface SessionCookies {
  readonly refresh: string | undefined;
  readonly session: string | undefined;
}

export interface CarriedSession {
  readonly mode: SessionMode;
  readonly token: string;
}

/** Without a mode, a token in the body means json and none means cookie. */
export function readCarriedSession(body: unknown, cookies: SessionCookies): CarriedSession {
  const payload = readBody(body);
  const given = readOptionalText(payload, 'refresh_token');
  const mode = readMode(payload, given === null ? 'cookie' : 'json');
  const token = mode === 'session' ? cookies.session : (given ?? (mode === 'cookie' ? cookies.refresh : null));
  if (token === undefined || token === null || token === '')
    throw invalidPayload('The refresh token is required in either the payload or a cookie.');
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
  if (renewed.share !== null) return refreshHolder(context, mode, renewed, renewed.share);
  const account = renewed.user === null ? null : await findAccount(context, context.driver, renewed.user);
  if (account?.status !== 'active') {
    await changeAccounts(context, (connection) => endSession(context, connection, renewed.family));
    throw invalidCredentials();
  }
  const { id: user, role } = account;
  const own = await readOwnPolicies(context, context.driver, user);
  const { accountability } = await authenticator.resolve({ user, role, own }, client);
  return issueTokens(context, mode, { user, role, app: accountability.app, admin: accountability.admin }, renewed);
}

type Renewed = StartedSession & Pick<Session, 'user' | 'share'>;

async function refreshHolder(context: AuthContext, mode: SessionMode, renewed: Renewed, id: string): Promise<IssuedTokens> {
  const share = await findShare(context, context.driver, id);
  if (share === null || !isOpen(share)) throw invalidCredentials();
  return issueTokens(context, mode, { user: null, role: share.role, app: false, admin: false, share: share.id }, renewed);
}

async function rotate(context: AuthContext, token: string, client: ClientFacts, lifetimeMs: number): Promise<Renewed> {
  const rotation = await changeAccounts(context, (connection) => rotateToken(context, connection, token, client, lifetimeMs));
  if (rotation.kind === 'refused') throw invalidCredentials();
  const { session, refreshToken } = rotation;
  return { family: session.family, user: session.user, share: session.share, refreshToken };
}

async function renewCookie(context: AuthContext, token: string, client: ClientFacts, lifetimeMs: number): Promise<Renewed> {
  const family = await readFamily(context, token);
  const renewed = await changeAccounts(context, async (connection) => {
    const session = family === null ? null : await findSession(context, connection, family);
    return session === null
      ? null
      : { user: session.user, share: session.share, ...(await renewSession(context, connection, session, client, lifetimeMs)) };
  });
  if (renewed === null) throw invalidCredentials();
  return renewed;
}

/** The family a session cookie names; null when the cookie is not ours or past its time. */
export async function readFamily({ signer }: AuthContext, token: string): Promise<string | null> {
  const signed = await signer.verify('access', token).catch(() => null);
  const family = signed?.claims['session'];
  return typeof family === 'string' ? family : null;
}
