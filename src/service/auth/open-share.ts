// Opening a share by its link. A use is counted in the transaction that starts the session, so that exactly as many get in as may.

import { forbidden } from '../../core/errors/service-error.js';
import { verifyPassword } from '../secrets/hash-password.js';
import { readBody, readMode, readOptionalText, readText } from './account-payload.js';
import type { AuthContext, ClientFacts } from './auth-context.js';
import { changeAccounts } from './change-accounts.js';
import { type IssuedTokens, issueTokens, sessionLifetime } from './issue-tokens.js';
import { addressKey } from './limiter.js';
import { invalidCredentials } from './refusals.js';
import { startSession } from './sessions.js';
import { findShare, isOpen, type Share } from './share.js';
import { stallFailure } from './stall.js';

export async function openShare(context: AuthContext, body: unknown, client: ClientFacts): Promise<IssuedTokens> {
  const payload = readBody(body);
  const [id, password, mode] = [readText(payload, 'share'), readOptionalText(payload, 'password'), readMode(payload, 'json')];
  await context.limiter.take('login', `address ${addressKey(client.ip)}`);
  return stallFailure(context.options.stallMs, async () => {
    const share = await checkShare(context, id, password);
    const session = await changeAccounts(context, async (connection) => {
      await context.tables.shares.countUp(connection, 'times_used', { id: share.id });
      const counted = await findShare(context, connection, share.id);
      if (counted === null || isUsedUp(counted)) throw invalidCredentials();
      return startSession(context, connection, { user: null, share: share.id }, client, sessionLifetime(context, mode));
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

/** After this use was counted. */
const isUsedUp = ({ timesUsed, maxUses }: Share): boolean => maxUses !== null && timesUsed > maxUses;

/** What anybody may know who has the link. */
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
