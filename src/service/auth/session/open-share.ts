// Opens a share by its link. The use is counted in the transaction that starts the session, so that no more sessions start than allowed.

import { forbidden } from '../../../core/errors/service-error.js';
import { verifyPassword } from '../../secrets/hash-password.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { addressKey } from '../limits/limiter.js';
import { delayFailure } from '../limits/minimum-time.js';
import { invalidCredentials } from '../refusals.js';
import { type IssuedTokens, issueTokens, type SessionMode, sessionLifetime } from './issue-tokens.js';
import { provedHere, startSession } from './sessions.js';
import { findShare, isOpen, type Share } from './share.js';

export interface ShareCredentials {
  readonly share: string;
  readonly password: string | null;
  readonly mode: SessionMode;
}

export async function openShare(
  context: AuthContext,
  { share: id, password, mode }: ShareCredentials,
  client: ClientFacts,
): Promise<IssuedTokens> {
  await context.limiter.take('login', `address ${addressKey(client.ip)}`);
  return delayFailure(context.options.refusalMs, async () => {
    const share = await checkShare(context, id, password);
    const session = await changeAccounts(context, async (connection) => {
      await context.tables.shares.countUp(connection, 'times_used', { id: share.id });
      const counted = await findShare(context, connection, share.id);
      if (counted === null || isUsedUp(counted)) throw invalidCredentials();
      return startSession(
        context,
        connection,
        { user: null, share: share.id, ...provedHere, signedIn: null },
        client,
        sessionLifetime(context, mode),
      );
    });
    return issueTokens(context, mode, { user: null, role: share.role, app: false, admin: false, share: share.id }, session);
  });
}

async function checkShare(context: AuthContext, id: string, password: string | null): Promise<Share> {
  const share = await findShare(context, context.driver, id);
  const matches = share?.password === null || (await verifyPassword(share?.password ?? null, password ?? ''));
  if (share === null || !matches || !isOpen(share)) throw invalidCredentials();
  return share;
}

/** Call after this use was counted. */
const isUsedUp = ({ timesUsed, maxUses }: Share): boolean => maxUses !== null && timesUsed > maxUses;

/** The data of a share that its link gives access to. */
export async function describeShare(context: AuthContext, id: string): Promise<Readonly<Record<string, unknown>>> {
  const share = await findShare(context, context.driver, id);
  if (share === null || !isOpen(share)) throw forbidden();
  const { collection, item, password, startsAt, endsAt, timesUsed, maxUses } = share;
  return {
    id: share.id,
    collection,
    item,
    password: password === null ? null : '**********',
    max_uses: maxUses,
    times_used: timesUsed,
    date_start: timeText(startsAt),
    date_end: timeText(endsAt),
  };
}

const timeText = (time: number): string | null => (Number.isFinite(time) ? new Date(time).toISOString() : null);
