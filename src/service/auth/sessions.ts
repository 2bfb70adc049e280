// Sessions. The tokens that follow one another from one login are a family; access tokens name the family, so that ending it ends
// them. A refresh token is stored as its digest and good for one use.

import { type MetaRow, textOf } from '../../core/schema/meta-row.js';
import type { Connection } from '../../core/vendor/driver.js';
import { randomToken } from '../secrets/random-token.js';
import { digestToken } from '../secrets/token-digest.js';
import type { AuthContext, ClientFacts } from './auth-context.js';

export interface Session {
  readonly family: string;
  readonly user: string | null;
  readonly share: string | null;
  readonly endsAt: number;
}

export interface SessionOwner {
  readonly user: string | null;
  readonly share: string | null;
}

export interface StartedSession {
  readonly family: string;
  readonly refreshToken: string;
}

type Context = Pick<AuthContext, 'tables' | 'store'>;

/** A token that comes a second time so soon was sent twice by the same client; later, somebody else has it. */
const graceMs = 10_000;

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
  const { family, user, share } = session;
  const { ip, userAgent, origin } = client;
  const expires = toTime(Date.now() + lifetimeMs);
  await tables.sessions.insert(connection, [
    { token: digestToken(token), family, user, share, expires, ip, user_agent: userAgent, origin: origin?.slice(0, 255) ?? null },
  ]);
  return token;
}

/** null: ended, or never was. */
export async function findSession(
  { tables }: Pick<AuthContext, 'tables'>,
  connection: Connection,
  family: string,
): Promise<Session | null> {
  const rows = await tables.sessions.read(connection, ['user', 'share', 'expires', 'rotated_at'], { family });
  const alive = rows.find((row) => row['rotated_at'] === null && timeOf(row, 'expires') > Date.now());
  return alive === undefined
    ? null
    : { family, user: textOf(alive, 'user'), share: textOf(alive, 'share'), endsAt: timeOf(alive, 'expires') };
}

export type Rotation =
  | { readonly kind: 'rotated'; readonly session: Session; readonly refreshToken: string }
  | { readonly kind: 'refused' };

/** Takes the token and gives its successor. The transaction is committed also when it is refused: a stolen family ends by it. */
export async function rotateToken(
  context: Context,
  connection: Connection,
  token: string,
  client: ClientFacts,
  lifetimeMs: number,
): Promise<Rotation> {
  const digest = digestToken(token);
  const [row] = await context.tables.sessions.read(connection, ['family', 'user', 'share', 'expires', 'rotated_at'], { token: digest });
  if (row === undefined) return { kind: 'refused' };
  const family = String(row['family']);
  if (row['rotated_at'] !== null) {
    if (Date.now() - timeOf(row, 'rotated_at') > graceMs) await endSession(context, connection, family);
    return { kind: 'refused' };
  }
  if (timeOf(row, 'expires') <= Date.now()) return { kind: 'refused' };
  const taken = await context.tables.sessions.update(connection, { rotated_at: toTime(Date.now()) }, { token: digest, rotated_at: null });
  if (taken !== 1) return { kind: 'refused' };
  const session = { family, user: textOf(row, 'user'), share: textOf(row, 'share'), endsAt: Date.now() + lifetimeMs };
  const refreshToken = await addToken(context, connection, session, client, lifetimeMs);
  await context.tables.sessions.update(connection, { next_token: digestToken(refreshToken) }, { token: digest });
  return { kind: 'rotated', session, refreshToken };
}

/** A session kept by a cookie alone: a new one begins, the old one ends when requests under way are answered. */
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
  await context.store.bumpEpoch(connection, 'session');
  return started;
}

/** With it ends the one it followed, should that still be in its last seconds. */
export async function endSession(context: Context, connection: Connection, family: string): Promise<void> {
  const rows = await context.tables.sessions.read(connection, ['token'], { family });
  if (rows.length === 0) return;
  await context.tables.sessions.delete(connection, { family });
  await context.tables.sessions.delete(connection, { next_token: rows.map((row) => row['token']) });
  await context.store.bumpEpoch(connection, 'session');
}

export async function findFamily({ tables }: Context, connection: Connection, token: string): Promise<string | null> {
  const [row] = await tables.sessions.read(connection, ['family'], { token: digestToken(token) });
  return textOf(row, 'family');
}

/** All sessions of these users but one, whose rows are put back: the number of statements does not depend on the number of sessions. */
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

export const forgetExpiredSessions = ({ tables }: Context, connection: Connection): Promise<number> =>
  tables.sessions.deleteBefore(connection, 'expires', toTime(Date.now()));

export const toTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

const timeOf = (row: MetaRow, key: string): number => Date.parse(textOf(row, key) ?? '');
