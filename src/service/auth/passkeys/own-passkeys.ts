// The passkeys of an account, as the user or an administrator sees them, and how they are renamed and removed.

import type { Caller } from '../../../core/access/view.js';
import { forbidden } from '../../../core/errors/service-error.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { passkeys } from '../../definitions/accounts.js';
import { ownAccount, refuseLastWay, requireOwnPasskey } from '../account/ways-in.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { recordActivity } from '../session/login.js';
import { endSessionsByPasskey } from '../session/sessions.js';

export interface ShownPasskey {
  /** The digest of the credential's id, from which the id cannot be derived. */
  readonly id: string;
  readonly name: string;
  /** Whether it is kept by a service that its owner's devices share. */
  readonly backed_up: boolean;
  readonly created: string;
  readonly last_used: string | null;
}

const shownColumns = ['digest', 'name', 'backed_up', 'created', 'last_used'] as const;

export const shownPasskey = ({
  digest: id,
  name,
  backed_up,
  created,
  last_used,
}: Pick<RowOf<typeof passkeys>, (typeof shownColumns)[number]>): ShownPasskey => ({ id, name, backed_up, created, last_used });

export async function passkeysOf({ tables, driver }: AuthContext, user: string): Promise<readonly ShownPasskey[]> {
  const rows = await tables.passkeys.read(driver, shownColumns, { user });
  return rows.map(shownPasskey).toSorted((left, right) => left.created.localeCompare(right.created) || left.id.localeCompare(right.id));
}

export async function renamePasskey({ tables, driver }: AuthContext, user: string, id: string, name: string): Promise<ShownPasskey> {
  await tables.passkeys.update(driver, { name }, { digest: id, user });
  const [row] = await tables.passkeys.read(driver, shownColumns, { digest: id, user });
  if (row === undefined) throw forbidden();
  return shownPasskey(row);
}

export async function removeOwnPasskey(context: AuthContext, caller: Caller, id: string, client: ClientFacts): Promise<void> {
  const account = await ownAccount(context, caller);
  await requireOwnPasskey(context, caller, account);
  await remove(context, account.id, id, caller, client, true);
}

/** For administrators, who may remove even the last way into an account. */
export const removePasskeyOf = (context: AuthContext, user: string, id: string, caller: Caller, client: ClientFacts): Promise<void> =>
  remove(context, user, id, caller, client, false);

/** Also ends the sessions that began by it, except the one that asks. */
const remove = (
  context: AuthContext,
  user: string,
  id: string,
  { accountability }: Caller,
  client: ClientFacts,
  keepsLast: boolean,
): Promise<void> =>
  changeAccounts(context, async (connection) => {
    const { passkeys: rows } = context.tables;
    if ((await rows.read(connection, ['digest'], { digest: id, user })).length === 0) throw forbidden();
    if (keepsLast) await refuseLastWay(context, connection, user, 'passkey');
    await rows.delete(connection, { digest: id, user });
    await endSessionsByPasskey(context, connection, id, accountability.session);
    await recordActivity(context, connection, 'update', user, client, accountability.user);
  });
