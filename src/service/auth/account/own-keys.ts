// The access keys of users: made by their owner or on the command line, seen and revoked by their owner and by administrators. A token is told
// once, when its key is made.

import type { Caller } from '../../../core/access/view.js';
import { refusal } from '../../../core/errors/refusals.js';
import { forbidden, invalidPayload, refusalError, serviceError } from '../../../core/errors/service-error.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { accessKeys } from '../../definitions/accounts.js';
import { digestToken } from '../../secrets/token.js';
import { isAddressEntry } from '../access/address-list.js';
import { findAccount } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { invalidCredentials } from '../refusals.js';
import { makeKeyToken, textsOf } from '../session/access-key.js';
import { recordActivity } from '../session/login.js';
import { toTime } from '../session/sessions.js';
import { ownAccount, proveOwner } from './ways-in.js';

export interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  /** The last characters of its token. */
  readonly ending: string;
  readonly policy: string | null;
  readonly policy_name: string | null;
  readonly write: boolean;
  readonly collections: readonly string[] | null;
  readonly addresses: readonly string[] | null;
  readonly expires: string | null;
  readonly created: string;
  readonly last_used: string | null;
}

export interface MadeKey extends ShownKey {
  readonly token: string;
}

export type NewKey = Pick<ShownKey, 'name' | 'policy' | 'write' | 'collections' | 'addresses' | 'expires'>;

const maxKeys = 50;

const shownColumns = [
  ...(['id', 'name', 'user', 'ending', 'policy', 'write'] as const),
  ...(['collections', 'addresses', 'expires', 'created', 'last_used'] as const),
] as const;

type KeyRow = Pick<RowOf<typeof accessKeys>, (typeof shownColumns)[number]>;

/** In the order in which they were made. */
export async function keysOf(context: AuthContext, user: string): Promise<readonly ShownKey[]> {
  return show(context, await context.tables.accessKeys.read(context.driver, shownColumns, { user }));
}

/** Bounds the answer. */
const maxShown = 5_000;

/** Those of all users. */
export async function allKeys(context: AuthContext): Promise<readonly ShownKey[]> {
  const rows = await context.tables.accessKeys.read(context.driver, shownColumns, {}, maxShown + 1);
  if (rows.length > maxShown)
    throw serviceError(
      'UNPROCESSABLE_CONTENT',
      `There are more than ${maxShown} access keys: read those of one user, at /users/{id}/keys.`,
      {
        reason: `There are more than ${maxShown} access keys`,
      },
    );
  return show(context, rows);
}

async function show({ tables, driver }: AuthContext, rows: readonly KeyRow[]): Promise<readonly ShownKey[]> {
  const policies = [...new Set(rows.flatMap(({ policy }) => policy ?? []))];
  const named = policies.length === 0 ? [] : await tables.policies.read(driver, ['id', 'name'], { id: policies });
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return rows
    .map(({ collections, addresses, expires, ...row }) => ({
      ...row,
      expires: expires === null ? null : toTime(Number(expires)),
      policy_name: names.get(row.policy ?? '') ?? null,
      collections: textsOf(collections),
      addresses: textsOf(addresses),
    }))
    .toSorted((left, right) => left.created.localeCompare(right.created) || left.id.localeCompare(right.id));
}

/** Like another way into the account, a key needs the password or a recent login. */
export async function makeOwnKey(
  context: AuthContext,
  caller: Caller,
  key: NewKey,
  password: string | null,
  client: ClientFacts,
): Promise<MadeKey> {
  const account = await ownAccount(context, caller);
  await proveOwner(context, caller, account, password, 'An access key');
  return makeKey(context, account.id, key, client);
}

/** The policy and the collections have been looked up with the rights of who asks. */
export async function makeKey(context: AuthContext, user: string, key: NewKey, client: ClientFacts): Promise<MadeKey> {
  const { name, policy, write, collections, addresses, expires } = key;
  expectUsable(key);
  const token = makeKeyToken();
  const id = crypto.randomUUID();
  const row = {
    ...{ id, user, name, policy, write, collections, addresses, created: toTime(Date.now()) },
    expires: expires === null ? null : Date.parse(expires),
    ...{ digest: digestToken(token), ending: token.slice(-4) },
  };
  await changeAccounts(context, async (connection) => {
    await expectRoom(context, connection, user);
    await expectPolicy(context, connection, policy);
    await context.tables.accessKeys.insert(connection, [row]);
    await recordActivity(context, connection, 'update', user, client);
  });
  return { ...(await keyOf(context, user, id)), token };
}

/** Refuses addresses that are none, and an end that is past. */
function expectUsable({ addresses, expires }: NewKey): void {
  const wrong = addresses?.find((entry) => !isAddressEntry(entry));
  if (wrong !== undefined) throw invalidPayload(refusal('no_ip', { detail: wrong, field: 'addresses' }));
  if (expires !== null && Date.parse(expires) <= Date.now()) throw invalidPayload(refusal('expiry_past'));
}

async function expectRoom(context: AuthContext, connection: Connection, user: string): Promise<void> {
  const account = await findAccount(context, connection, user);
  if (account === null) throw invalidCredentials();
  // Locks the user until the transaction ends, so that of two concurrent additions the second sees the first.
  await context.tables.users.update(connection, { provider: account.provider }, { id: user });
  const known = await context.tables.accessKeys.read(connection, ['id'], { user }, maxKeys);
  if (known.length < maxKeys) return;
  const reason = `An account can have ${maxKeys} access keys`;
  throw refusalError('UNPROCESSABLE_CONTENT', refusal('too_many_access_keys', { limit: maxKeys }), { reason });
}

async function expectPolicy({ tables }: AuthContext, connection: Connection, policy: string | null): Promise<void> {
  if (policy === null) return;
  const found = isUuid(policy) ? await tables.policies.read(connection, ['id'], { id: policy }) : [];
  if (found.length === 0) throw invalidPayload('"policy" names no policy.');
}

/** Raises the session epoch, because the name is marked on what the key changes. */
export async function renameKey(context: AuthContext, user: string, id: string, name: string): Promise<ShownKey> {
  await keyOf(context, user, id);
  await changeAccounts(context, async (connection) => {
    await context.tables.accessKeys.update(connection, { name }, { id, user });
    await context.store.bumpEpoch(connection, 'session');
  });
  return keyOf(context, user, id);
}

async function keyOf(context: AuthContext, user: string, id: string): Promise<ShownKey> {
  const rows = isUuid(id) ? await context.tables.accessKeys.read(context.driver, shownColumns, { id, user }) : [];
  const [shown] = await show(context, rows);
  if (shown === undefined) throw forbidden();
  return shown;
}

/** Ends what the key has open in every process. `user` null: whoever has it. */
export function revokeKey(context: AuthContext, user: string | null, id: string, by: string | null, client: ClientFacts): Promise<void> {
  return changeAccounts(context, async (connection) => {
    const { accessKeys: rows } = context.tables;
    const [found] = isUuid(id) ? await rows.read(connection, ['user'], user === null ? { id } : { id, user }) : [];
    if (found === undefined) throw forbidden();
    await rows.delete(connection, { id });
    await context.store.bumpEpoch(connection, 'session');
    await recordActivity(context, connection, 'update', found.user, client, by);
  });
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
