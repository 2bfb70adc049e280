// Hooks on writes of users: normalise addresses, store tokens as digests, refuse a second factor written by hand, and end the sessions
// that a change makes invalid.

import type { Hooks, WriteEvent } from '../../../core/engine/write/hooks.js';
import { type ErrorEntry, forbidden, invalidPayload, ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { isCodeSecret } from '../../secrets/one-time-code.js';
import { looksSigned } from '../../secrets/signed-token.js';
import { requireAdministratorAtCommit } from '../access/last-administrator.js';
import { storedToken } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import { normaliseEmail, readEmail } from '../email.js';
import { notByKey } from '../refusals.js';
import { looksLikeKey } from '../session/access-key.js';
import { endSessionsOf } from '../session/sessions.js';
import { checkPasswordPolicy, readAccountSettings } from '../settings.js';

type Values = ReadonlyMap<string, unknown>;
type Context = Pick<AuthContext, 'tables' | 'store' | 'system' | 'readObjects'>;

const users = 'service_users';

export function guardUsers(hooks: Hooks, context: Context): void {
  for (const action of ['create', 'update'] as const) hooks.before(users, action, (event) => prepare(context, event));
  hooks.before(users, 'update', async ({ work, items }) => {
    if (items.some(({ values }) => mayDisableUser(values))) await requireAdministratorAtCommit(context, work);
    return undefined;
  });
  hooks.after(users, 'update', (event) => endInvalidSessions(context, event));
  hooks.before(users, 'delete', async ({ work }) => {
    await requireAdministratorAtCommit(context, work);
    work.afterCommit(() => context.store.check());
    return undefined;
  });
}

/** Whether the change may stop a user from signing in or from administering. */
const mayDisableUser = (values: Values): boolean =>
  values.has('role') ||
  values.get('password') === null ||
  (values.has('status') && values.get('status') !== 'active') ||
  (values.has('provider') && values.get('provider') !== 'default');

async function prepare(context: Context, event: WriteEvent): Promise<readonly Values[]> {
  const { work, action, items } = event;
  const passwords = items.flatMap(({ values }) => textsOf(values, 'password'));
  if (passwords.length > 0) {
    const { passwordPolicy } = await readAccountSettings(context, work.connection);
    for (const password of passwords) checkPasswordPolicy(passwordPolicy, password);
  }
  const { admin, user, accessKey } = work.caller.accountability;
  const answers = await readAnswers(context, event);
  const prepared = items.map(({ key, values: sent }) => {
    const values = withoutAnswers(sent, answers.get(String(key)) ?? nothing);
    if (accessKey !== null && isOwn(user, key) && waysIn.some((name) => values.has(name))) throw notByKey();
    if (!admin && (values.has('provider') || values.has('external_identifier'))) throw forbidden();
    checkSecret(values, action);
    return new Map([...values, ...preparedEmail(values), ...preparedToken(context, values)]);
  });
  if (context.system.adopted !== null) await refuseAddressesInOtherCase(context, event, prepared);
  return prepared;
}

/** By which one signs in to an account: an access key must not open a way that outlives it. */
const waysIn = ['email', 'password', 'token', 'tfa_secret', 'provider', 'external_identifier'] as const;

const isOwn = (user: string | null, key: WriteEvent['items'][number]['key']): boolean =>
  user !== null && String(key).toLowerCase() === user;

/** Fields that are not written by their name alone, with the values that clients send back as they were answered. */
const sentBack: Readonly<Record<string, (value: unknown) => boolean>> = {
  email: (value) => value === null,
  tfa_secret: (value) => value === null,
};
const nothing: Readonly<Record<string, unknown>> = {};

const isSentBack = ([name, value]: readonly [string, unknown]): boolean => sentBack[name]?.(value) === true;

/** What is answered of those users of an update for whom such a value is sent. */
async function readAnswers(
  { readObjects }: Context,
  { work, items, action }: WriteEvent,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const keys = items.filter(({ values }) => [...values].some(isSentBack)).map(({ key }) => String(key));
  if (action === 'create' || keys.length === 0) return new Map();
  const fields = ['id', ...Object.keys(sentBack)];
  const found = await readObjects(work.connection, users, { fields, filter: { id: { _in: keys } }, limit: -1 });
  return new Map(found.map((user) => [String(user['id']), user]));
}

/** A new user has none of these values yet. */
const withoutAnswers = (values: Values, answer: Readonly<Record<string, unknown>>): Values =>
  new Map([...values].filter((entry) => !(isSentBack(entry) && (answer[entry[0]] ?? null) === entry[1])));

/** Above this number of addresses, one read of all users replaces a lookup of each. */
const maxFiltered = 20;

/** In the table of another server the unique index may distinguish case, but two accounts must not differ in the case of their addresses only. */
async function refuseAddressesInOtherCase(
  { readObjects }: Context,
  { work, items }: WriteEvent,
  prepared: readonly Values[],
): Promise<void> {
  const addresses = prepared.flatMap((values) => textsOf(values, 'email'));
  if (addresses.length === 0) return;
  const filter = addresses.length > maxFiltered ? {} : { _or: addresses.map((address) => ({ email: { _icontains: address } })) };
  const found = await readObjects(work.connection, users, { fields: ['id', 'email'], filter, limit: -1 });
  const owners = new Map(found.map(({ id, email }) => [normaliseEmail(String(email ?? '')), String(id)]));
  for (const [index, values] of prepared.entries()) {
    const owner = textsOf(values, 'email').map((address) => owners.get(address))[0];
    if (owner !== undefined && owner !== String(items[index]?.key ?? ''))
      throw serviceError('RECORD_NOT_UNIQUE', 'Value for field "email" has to be unique.', {
        collection: work.caller.view.schema.nameOf(users),
        field: 'email',
      });
  }
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
  const normal = typeof email === 'string' ? readEmail(email) : null;
  if (normal === null) throw new ServiceError([invalidEmail(email)]);
  return new Map([['email', normal]]);
}

const invalidEmail = (email: unknown): ErrorEntry => ({
  code: 'FAILED_VALIDATION',
  message: 'Validation failed for field "email". Value has to be a valid email address.',
  extensions: { field: 'email', path: [], type: email === null ? 'nnull' : 'email' },
});

function preparedToken({ system }: Context, values: Values): Values {
  const [token] = textsOf(values, 'token');
  if (token === undefined) return new Map();
  if (token === '') return new Map([['token', null]]);
  if (looksSigned(token)) throw invalidPayload('"token" must not look like a signed token: three parts joined by dots.');
  if (looksLikeKey(token)) throw invalidPayload('"token" must not look like an access key.');
  return new Map([['token', storedToken(system, token)]]);
}

/**
 * After an update, ends the sessions of users who may no longer sign in, and of users with a new password or address all but the session
 * that made the change.
 */
async function endInvalidSessions(context: Context, { work, items }: WriteEvent): Promise<void> {
  const { connection, caller } = work;
  const changed = (...names: readonly string[]): readonly string[] =>
    items.filter(({ values }) => names.some((name) => values.has(name))).map(({ key }) => String(key));
  const disabled = items.filter(({ values }) => values.has('status') && values.get('status') !== 'active').map(({ key }) => String(key));
  const renewed = changed('password', 'email').filter((id) => !disabled.includes(id));
  if (disabled.length > 0) await endSessionsOf(context, connection, disabled, null);
  if (renewed.length > 0) await endSessionsOf(context, connection, renewed, caller.accountability.session);
  // Forgets the identities of the user, because they may no longer apply. The next login finds the user by `external_identifier`.
  const elsewhere = changed('provider', 'external_identifier');
  if (elsewhere.length > 0) await context.tables.identities.delete(connection, { user: elsewhere });
  if (changed('token').length > 0) await context.store.bumpEpoch(connection, 'session');
  if (changed('password', 'email', 'token', 'status', 'role').length > 0) work.afterCommit(() => context.store.check());
}
