// The second factor of the caller's own account. The secret is issued against the password (of accounts that have none, against a login of just
// now), and only an issued secret can be enabled.

import type { Caller } from '../../../core/access/view.js';
import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { codeAddress, createCodeSecret, findCodeStep, isIssuedCodeSecret } from '../../secrets/one-time-code.js';
import { expectAdministrator } from '../access/last-administrator.js';
import { spendCode } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { readAccountSettings } from '../settings.js';
import { idOf } from './sessions-of-user.js';
import { ownAccount, proveOwner, requireOwnPasskey } from './ways-in.js';

export interface CodeSecret {
  readonly secret: string;
  readonly otpauth_url: string;
}

export async function generateCodeSecret(context: AuthContext, caller: Caller, password: string | null): Promise<CodeSecret> {
  const account = await ownAccount(context, caller);
  if (account.tfaSecret !== null) throw invalidPayload(refusal('two_factor_on'));
  await requireOwnPasskey(context, caller, account);
  if (password === null && account.password !== null) throw invalidPayload('"password" is required.');
  await proveOwner(context, caller, account, password, 'A second factor');
  const { project } = await readAccountSettings(context, context.driver);
  const secret = createCodeSecret(context.options.secret, account.id);
  return { secret, otpauth_url: codeAddress(account.email ?? account.id, project, secret) };
}

export async function enableCodes(
  context: AuthContext,
  caller: Caller,
  { secret, otp: code }: { readonly secret: string; readonly otp: string },
): Promise<void> {
  const account = await ownAccount(context, caller);
  if (account.tfaSecret !== null) throw invalidPayload(refusal('two_factor_on'));
  await requireOwnPasskey(context, caller, account);
  await context.limiter.take('otp', account.id);
  const step = isIssuedCodeSecret(context.options.secret, account.id, secret) ? findCodeStep(secret, code) : null;
  if (step === null) throw wrongCode();
  await changeAccounts(context, async (connection) => {
    const change = { tfa_secret: secret, tfa_last_step: step };
    const enabled = await context.tables.users.update(connection, change, { id: account.id, tfa_secret: null });
    if (enabled !== 1) throw wrongCode();
    await context.store.bumpEpoch(connection, 'session');
  });
}

export async function disableCodes(context: AuthContext, caller: Caller, code: string): Promise<void> {
  const account = await ownAccount(context, caller);
  if (account.tfaSecret === null) throw invalidPayload(refusal('two_factor_off'));
  await context.limiter.take('otp', account.id);
  if (!(await spendCode(context, context.driver, account, code))) throw wrongCode();
  await clearSecret(context, account.id, caller);
}

/** Lets an administrator help a user who has lost the second factor. */
export async function disableCodesOf(context: AuthContext, caller: Caller, user: string): Promise<void> {
  await clearSecret(context, await idOf(context, user), caller);
}

/** Raises the session epoch: the user is looked up again, and a policy that requires a second factor takes effect. */
const clearSecret = (context: AuthContext, id: string, { accountability }: Caller): Promise<void> =>
  changeAccounts(context, async (connection) => {
    const checkAdministrators = await expectAdministrator(context, connection, accountability);
    await context.tables.users.update(connection, { tfa_secret: null, tfa_last_step: null }, { id });
    await context.store.bumpEpoch(connection, 'session');
    await checkAdministrators();
  });

const wrongCode = () => invalidPayload(refusal('wrong_code'));
