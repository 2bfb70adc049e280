// Sessions. All refresh tokens that descend from one login form a family. Access tokens name the family, so that ending the family ends
// them, too. A refresh token is stored as a digest and can be used once.

import type { Job } from '../../../core/engine/store/jobs.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { sessions } from '../../definitions/accounts.js';
import { digestToken, randomToken } from '../../secrets/token.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';

export interface Session extends SessionOwner {
  readonly family: string;
  readonly endsAt: number;
}

/** What every token of a session carries on to its successor. */
export interface SessionOwner {
  readonly user: string | null;
  readonly share: string | null;
  /** The digest of the identity that a provider proved at the login; null: the login was made without a provider. */
  readonly identity: string | null;
  /** The token for asking the provider again, sealed. */
  readonly providerToken: string | null;
  /** The digest of the provider's session id; null: the provider gave none. */
  readonly providerSession: string | null;
  /** The passkey of the login; null: the login was made without one. */
  readonly passkey: string | null;
  /** When the user logged in; null for a share. */
  readonly signedIn: string | null;
}

/** How the user was authenticated at the login. */
export type Proof = Pick<SessionOwner, 'identity' | 'providerToken' | 'providerSession' | 'passkey'>;

/** A login by password, without provider and passkey. */
export const provedHere: Proof = { identity: null, providerToken: null, providerSession: null, passkey: null };

export interface StartedSession {
  readonly family: string;
  readonly refreshToken: string;
}

type Context = Pick<AuthContext, 'tables' | 'store'>;

/** Within this time a second use of a refresh token counts as a repeated request of the same client, later as theft. */
export const graceMs = 10_000;

export async function startSession(
  context: Context,
  connection: Connection,
  owner: SessionOwner,
  client: ClientFacts,
  lifetimeMs: number,
): Promise<StartedSession> {
  const family = randomToken(43);
  return { family, refreshToken: await addToken(context, connection, { ...owner, family }, client, lifetimeMs) };
}

async function addToken(
  { tables }: Context,
  connection: Connection,
  session: SessionOwner & { readonly family: string },
  client: ClientFacts,
  lifetimeMs: number,
): Promise<string> {
  const token = randomToken(64);
  const { family, user, share, identity, providerToken, providerSession, passkey, signedIn } = session;
  const { ip, userAgent, origin } = client;
  const expires = toTime(Date.now() + lifetimeMs);
  await tables.sessions.insert(connection, [
    {
      ...{ token: digestToken(token), family, user, share, identity, passkey, signed_in: signedIn, expires },
      ...{ provider_token: providerToken, provider_session: providerSession },
      ...{ ip, user_agent: userAgent, origin: origin?.slice(0, 255) ?? null },
    },
  ]);
  return token;
}

/** null when the session has ended or does not exist. */
export async function findSession(
  { tables }: Pick<AuthContext, 'tables'>,
  connection: Connection,
  family: string,
): Promise<Session | null> {
  const rows = await tables.sessions.read(connection, [...ownerColumns, 'expires', 'rotated_at'], { family });
  const alive = rows.find((row) => row.rotated_at === null && Date.parse(row.expires) > Date.now());
  return alive === undefined ? null : { family, ...ownerOf(alive), endsAt: Date.parse(alive.expires) };
}

const ownerColumns = ['user', 'share', 'identity', 'provider_token', 'provider_session', 'passkey', 'signed_in'] as const;

type OwnerRow = Pick<RowOf<typeof sessions>, (typeof ownerColumns)[number]>;

const ownerOf = (row: OwnerRow): SessionOwner => ({
  ...{ user: row.user, share: row.share, identity: row.identity, passkey: row.passkey },
  providerToken: row.provider_token,
  providerSession: row.provider_session,
  signedIn: row.signed_in,
});

export type Rotation =
  | { readonly kind: 'rotated'; readonly session: Session; readonly refreshToken: string }
  | { readonly kind: 'refused' };

/**
 * Exchanges a refresh token for its successor. A refusal is part of the result and no exception, because the transaction has to commit
 * then, too: the reuse of a stolen token ends its family.
 */
export async function rotateToken(
  context: Context,
  connection: Connection,
  token: string,
  client: ClientFacts,
  lifetimeMs: number,
): Promise<Rotation> {
  const digest = digestToken(token);
  const [row] = await context.tables.sessions.read(connection, ['family', ...ownerColumns, 'expires', 'rotated_at'], { token: digest });
  if (row === undefined) return { kind: 'refused' };
  const { family } = row;
  if (row.rotated_at !== null) {
    if (Date.now() - Date.parse(row.rotated_at) > graceMs) await endSession(context, connection, family);
    return { kind: 'refused' };
  }
  if (Date.parse(row.expires) <= Date.now()) return { kind: 'refused' };
  const taken = await context.tables.sessions.update(connection, { rotated_at: toTime(Date.now()) }, { token: digest, rotated_at: null });
  if (taken !== 1) return { kind: 'refused' };
  const session = { family, ...ownerOf(row), endsAt: Date.now() + lifetimeMs };
  const refreshToken = await addToken(context, connection, session, client, lifetimeMs);
  await context.tables.sessions.update(connection, { next_token: digestToken(refreshToken) }, { token: digest });
  return { kind: 'rotated', session, refreshToken };
}

/**
 * Replaces a session that lives in a cookie. The old one stays valid for `graceMs`, for requests that are under way. No epoch rises, since
 * every process looks the owner of a cookie up again within that time (`identify`) and finds when the session ends.
 */
export async function renewSession(
  context: Context,
  connection: Connection,
  old: Session,
  client: ClientFacts,
  lifetimeMs: number,
): Promise<StartedSession> {
  const started = await startSession(context, connection, old, client, lifetimeMs);
  const ending = { expires: toTime(Date.now() + graceMs), next_token: digestToken(started.refreshToken) };
  await context.tables.sessions.update(connection, ending, { family: old.family });
  return started;
}

/** Also ends the session that this one replaced, which may still be in its last seconds. */
export async function endSession(context: Context, connection: Connection, family: string): Promise<void> {
  const rows = await context.tables.sessions.read(connection, ['token'], { family });
  if (rows.length === 0) return;
  await context.tables.sessions.delete(connection, { family });
  await context.tables.sessions.delete(connection, { next_token: rows.map((row) => row.token) });
  await context.store.bumpEpoch(connection, 'session');
}

/** The family of a refresh token; null when the token is unknown. */
export async function findFamily({ tables }: Context, connection: Connection, token: string): Promise<string | null> {
  const [row] = await tables.sessions.read(connection, ['family'], { token: digestToken(token) });
  return row?.family ?? null;
}

/**
 * Ends all sessions of these users except one. Its rows are inserted again after the delete, so that the number of statements does not
 * depend on the number of sessions.
 */
export async function endSessionsOf(
  context: Context,
  connection: Connection,
  users: readonly string[],
  keep: string | null,
): Promise<void> {
  const kept = keep === null ? [] : await context.tables.sessions.read(connection, 'all', { family: keep, user: users });
  const ended = await context.tables.sessions.delete(connection, { user: users });
  await context.tables.sessions.insert(connection, kept);
  if (ended > kept.length) await context.store.bumpEpoch(connection, 'session');
}

const hourMs = 3_600_000;

/** Deletes expired sessions, and forgets the spent things that have expired by themselves. */
export function sweepSessions({ tables: { sessions, spent } }: Context, connection: Connection): Job {
  return {
    name: 'sessions',
    everyMs: hourMs,
    async isNeeded() {
      const now = toTime(Date.now());
      if ((await sessions.readBefore(connection, ['token'], 'expires', now, 1)).length > 0) return true;
      return (await spent.readBefore(connection, ['expires'], 'expires', now, 1)).length > 0;
    },
    async step() {
      const now = toTime(Date.now());
      await sessions.deleteBefore(connection, 'expires', now);
      await spent.deleteBefore(connection, 'expires', now);
      return false;
    },
  };
}

/** Ends all sessions that began by an identity. */
export async function endSessionsBy(context: Context, connection: Connection, identity: string): Promise<void> {
  await context.tables.sessions.delete(connection, { identity });
  await context.store.bumpEpoch(connection, 'session');
}

/**
 * Ends the sessions that belong to these sessions of the provider, and sessions of the identity that have no provider session, since they
 * may belong to them. `identity` null: the provider did not name the user in a way that is known here.
 */
export async function endProviderSessions(
  context: Context,
  connection: Connection,
  digests: readonly string[],
  identity: string | null,
): Promise<void> {
  const { sessions: rows } = context.tables;
  if (identity === null) await rows.delete(connection, { provider_session: digests });
  else {
    await rows.delete(connection, { identity, provider_session: digests });
    await rows.delete(connection, { identity, provider_session: null });
  }
  await context.store.bumpEpoch(connection, 'session');
}

/** Ends all sessions that began by a passkey except one, which goes on without it. */
export async function endSessionsByPasskey(context: Context, connection: Connection, passkey: string, keep: string | null): Promise<void> {
  if (keep !== null) await context.tables.sessions.update(connection, { passkey: null }, { family: keep });
  await context.tables.sessions.delete(connection, { passkey });
  await context.store.bumpEpoch(connection, 'session');
}

/** Stores what the provider gave in place of its last token. */
export async function keepProviderToken({ tables }: Context, connection: Connection, family: string, token: string): Promise<void> {
  await tables.sessions.update(connection, { provider_token: token }, { family, rotated_at: null });
}

export const toTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
