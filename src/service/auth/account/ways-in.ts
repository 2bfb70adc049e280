// The ways into an account: its password, its identities at providers, its passkeys. The user cannot remove the last of them.

import type { Caller } from '../../../core/access/view.js';
import { refusal } from '../../../core/errors/refusals.js';
import { refusalError } from '../../../core/errors/service-error.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { verifyPassword } from '../../secrets/hash-password.js';
import { type Account, findAccount } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import { invalidCredentials } from '../refusals.js';
import { findSession } from '../session/sessions.js';
import { ownKey } from './own-account.js';

/** Whether the account may sign in with the service itself. An account of a provider may not, because a suspension there must take effect here. */
export const signsInHere = ({ options }: Pick<AuthContext, 'options'>, { provider }: Account): boolean =>
  provider === 'default' && !options.disableDefaultLogin;

/** Until the transaction ends, so that of two concurrent changes of what the user has the second sees the result of the first. */
export async function lockAccount(context: AuthContext, connection: Connection, user: string): Promise<Account> {
  const account = await findAccount(context, connection, user);
  if (account === null) throw invalidCredentials();
  await context.tables.users.update(connection, { provider: account.provider }, { id: user });
  return account;
}

/** UNPROCESSABLE_CONTENT if the account could not be entered without one of its identities or passkeys. */
export async function refuseLastWay(
  context: AuthContext,
  connection: Connection,
  user: string,
  removed: 'identity' | 'passkey',
): Promise<void> {
  const { identities, passkeys } = context.tables;
  const account = await lockAccount(context, connection, user);
  const isHere = signsInHere(context, account);
  if (removed === 'passkey' && !isHere) return;
  if (isHere && account.password !== null) return;
  const known = await identities.read(connection, ['digest'], { user }, 2);
  const keys = isHere ? await passkeys.read(connection, ['digest'], { user }, 2) : [];
  if (known.length + keys.length > 1) return;
  throw refusalError('UNPROCESSABLE_CONTENT', refusal('last_way'), { reason: 'This is the only way to sign in to the account' });
}

/**
 * A session that was opened by the password alone must not change the second factors of an account that has passkeys and has to use one:
 * the password would be enough to get around them. Such a caller has no policies (see `Purpose`).
 */
export async function requireOwnPasskey(context: AuthContext, caller: Caller, account: Account): Promise<void> {
  const { policies, session: family } = caller.accountability;
  if (policies.length > 0 || account.tfaSecret !== null) return;
  const [passkey] = await context.tables.passkeys.read(context.driver, ['digest'], { user: account.id }, 1);
  if (passkey === undefined) return;
  const session = family === null ? null : await findSession(context, context.driver, family);
  if (session?.passkey) return;
  throw refusalError('FORBIDDEN', refusal('passkey_first'), { reason: 'Sign in with a passkey of this account first' });
}

/** For this long after a login, no password is required. */
const freshMs = 300_000;

/**
 * Adding a way into an account requires the password or a recent login: an open session or a stolen token is not enough. `added` names it
 * in the error.
 */
export async function proveOwner(
  auth: AuthContext,
  { accountability }: Caller,
  account: Account,
  password: string | null,
  added: string,
): Promise<void> {
  if (password !== null) {
    await auth.limiter.take('otp', `password ${account.id}`);
    if (!(await verifyPassword(account.password, password))) throw invalidCredentials();
    return;
  }
  const session = accountability.session === null ? null : await findSession(auth, auth.driver, accountability.session);
  const signedIn = session?.signedIn ?? null;
  if (signedIn !== null && Date.now() - Date.parse(signedIn) <= freshMs) return;
  const reason = `${added} needs the password of the account, or a login within the last five minutes`;
  throw refusalError('FORBIDDEN', refusal('prove_owner', { detail: added }), { reason });
}

export async function ownAccount(context: AuthContext, caller: Caller): Promise<Account> {
  const account = await findAccount(context, context.driver, ownKey(caller));
  if (account === null) throw invalidCredentials();
  return account;
}
