// What writing users brings with it: addresses in one form, tokens as digests, a second factor nobody writes by hand, and sessions that
// end with what they rested on.

import type { Hooks, WriteEvent } from '../../core/engine/hooks.js';
import { type ErrorEntry, forbidden, invalidPayload, ServiceError } from '../../core/errors/service-error.js';
import { isCodeSecret } from '../secrets/one-time-code.js';
import { looksSigned } from '../secrets/signed-token.js';
import { digestToken } from '../secrets/token-digest.js';
import type { AuthContext } from './auth-context.js';
import { isEmail, normaliseEmail } from './email.js';
import { keepAdministratorAtEnd } from './last-administrator.js';
import { checkPasswordPolicy } from './password-policy.js';
import { endSessionsOf } from './sessions.js';
import { readAccountSettings } from './settings.js';

type Values = ReadonlyMap<string, unknown>;
type Context = Pick<AuthContext, 'tables' | 'store' | 'readObjects'>;

const users = 'service_users';

export function guardUsers(hooks: Hooks, context: Context): void {
  for (const action of ['create', 'update'] as const) hooks.before(users, action, (event) => prepare(context, event));
  hooks.after(users, 'update', (event) => settle(context, event));
  hooks.after(users, 'delete', async ({ work }) => {
    keepAdministratorAtEnd(context, work);
    work.afterCommit(() => context.store.look());
  });
}

async function prepare(context: Context, event: WriteEvent): Promise<readonly Values[]> {
  const { work, action, items } = event;
  const passwords = items.flatMap(({ values }) => textsOf(values, 'password'));
  if (passwords.length > 0) {
    const { passwordPolicy } = await readAccountSettings(context, work.connection);
    for (const password of passwords) checkPasswordPolicy(passwordPolicy, password);
  }
  const { admin } = work.caller.accountability;
  return items.map(({ values }) => {
    if (!admin && (values.has('provider') || values.has('external_identifier'))) throw forbidden();
    checkSecret(values, action);
    return new Map([...values, ...preparedEmail(values), ...preparedToken(values)]);
  });
}

const textsOf = (values: Values, name: string): readonly string[] => {
  const value = values.get(name);
  return typeof value === 'string' ? [value] : [];
};

function checkSecret(values: Values, action: WriteEvent['action']): void {
  if (!values.has('tfa_secret')) return;
  if (action === 'update') throw invalidPayload('"tfa_secret" cannot be changed this way.');
  if (!textsOf(values, 'tfa_secret').every(isCodeSecret))
    throw invalidPayload('"tfa_secret" has to be base32 text of at least 16 characters.');
}

function preparedEmail(values: Values): Values {
  const email = values.get('email');
  if (email === undefined) return new Map();
  const normal = typeof email === 'string' ? normaliseEmail(email) : '';
  if (!isEmail(normal)) throw new ServiceError([invalidEmail(email)]);
  return new Map([['email', normal]]);
}

const invalidEmail = (email: unknown): ErrorEntry => ({
  code: 'FAILED_VALIDATION',
  message: 'Validation failed for field "email". Value has to be a valid email address.',
  extensions: { field: 'email', path: [], type: email === null ? 'nnull' : 'email' },
});

function preparedToken(values: Values): Values {
  const [token] = textsOf(values, 'token');
  if (token === undefined) return new Map();
  if (token === '') return new Map([['token', null]]);
  if (looksSigned(token)) throw invalidPayload('"token" must not look like a signed token: three parts joined by dots.');
  return new Map([['token', digestToken(token)]]);
}

/** After an update: who may not be logged in any more is not. */
async function settle(context: Context, { work, items }: WriteEvent): Promise<void> {
  const { connection, caller } = work;
  const changed = (...names: readonly string[]): readonly string[] =>
    items.filter(({ values }) => names.some((name) => values.has(name))).map(({ key }) => String(key));
  const barred = items.filter(({ values }) => values.has('status') && values.get('status') !== 'active').map(({ key }) => String(key));
  const renewed = changed('password', 'email').filter((id) => !barred.includes(id));
  if (barred.length > 0) await endSessionsOf(context, connection, barred, null);
  if (renewed.length > 0) await endSessionsOf(context, connection, renewed, caller.accountability.session);
  if (changed('token').length > 0) await context.store.bumpEpoch(connection, 'session');
  if (changed('status', 'role').length > 0) keepAdministratorAtEnd(context, work);
  if (changed('password', 'email', 'token', 'status', 'role').length > 0) work.afterCommit(() => context.store.look());
}
