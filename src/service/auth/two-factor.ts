// The second factor of one's own account. The secret is given only against the password, and only a secret given so can be enabled.

import type { Caller } from '../../core/access/view.js';
import { forbidden, invalidPayload } from '../../core/errors/service-error.js';
import { verifyPassword } from '../secrets/hash-password.js';
import { codeAddress, createCodeSecret, findCodeStep, isIssuedCodeSecret } from '../secrets/one-time-code.js';
import { type Account, findAccount } from './account.js';
import { readBody, readText } from './account-payload.js';
import type { AuthContext } from './auth-context.js';
import { changeAccounts } from './change-accounts.js';
import { spendCode } from './check-code.js';
import { ownKey } from './own-account.js';
import { invalidCredentials } from './refusals.js';
import { readAccountSettings } from './settings.js';

export interface CodeSecret {
  readonly secret: string;
  readonly otpauth_url: string;
}

export async function generateCodeSecret(context: AuthContext, caller: Caller, body: unknown): Promise<CodeSecret> {
  const account = await ownAccount(context, caller);
  const password = readText(readBody(body), 'password');
  if (account.tfaSecret !== null) throw invalidPayload('TFA is enabled already.');
  await context.limiter.take('otp', `password ${account.id}`);
  if (!(await verifyPassword(account.password, password))) throw invalidCredentials();
  const { project } = await readAccountSettings(context, context.driver);
  const secret = createCodeSecret(context.options.secret, account.id);
  return { secret, otpauth_url: codeAddress(account.email ?? account.id, project, secret) };
}

export async function enableCodes(context: AuthContext, caller: Caller, body: unknown): Promise<void> {
  const account = await ownAccount(context, caller);
  const payload = readBody(body);
  const [secret, code] = [readText(payload, 'secret'), readText(payload, 'otp')];
  if (account.tfaSecret !== null) throw invalidPayload('TFA is enabled already.');
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

export async function disableCodes(context: AuthContext, caller: Caller, body: unknown): Promise<void> {
  const account = await ownAccount(context, caller);
  const code = readText(readBody(body), 'otp');
  if (account.tfaSecret === null) throw invalidPayload('TFA is not enabled.');
  await context.limiter.take('otp', account.id);
  if (!(await spendCode(context, context.driver, account, code))) throw wrongCode();
  await clearSecret(context, account.id);
}

/** For administrators: a user has lost the second factor. */
export async function disableCodesOf(context: AuthContext, caller: Caller, user: string): Promise<void> {
  if (!caller.accountability.admin) throw forbidden();
  const account = isUuid(user) ? await findAccount(context, context.driver, user) : null;
  if (account === null) throw forbidden();
  await clearSecret(context, account.id);
}

/** Whoever is looked up anew is asked for the second factor where a policy wants one. */
const clearSecret = (context: AuthContext, id: string): Promise<void> =>
  changeAccounts(context, async (connection) => {
    await context.tables.users.update(connection, { tfa_secret: null, tfa_last_step: null }, { id });
    await context.store.bumpEpoch(connection, 'session');
  });

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

const wrongCode = () => invalidPayload('"otp" is invalid.');

async function ownAccount(context: AuthContext, caller: Caller): Promise<Account> {
  const account = await findAccount(context, context.driver, ownKey(caller));
  if (account === null) throw invalidCredentials();
  return account;
}
