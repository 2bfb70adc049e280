// The access keys of users: made by their owner or on the command line, seen and revoked by their owner and by administrators. A token is told
// once, when its key is made.

import type { Caller } from '../../../core/access/view.js';
import { refusal } from '../../../core/errors/refusals.js';
import { forbidden, invalidPayload, refusalError, serviceError } from '../../../core/errors/service-error.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import { readUuid } from '../../../core/util/read-uuid.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { accessKeys } from '../../definitions/accounts.js';
import { digestToken } from '../../secrets/token.js';
import { isAddressEntry } from '../access/address-list.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { makeKeyToken, textsOf } from '../session/access-key.js';
import { recordActivity } from '../session/login.js';
import { toTime } from '../session/sessions.js';
import { lockAccount, ownAccount, proveOwner } from './ways-in.js';

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
  if (rows.length > maxShown) {
    const reason = `There are more than ${maxShown} access keys`;
    throw serviceError('UNPROCESSABLE_CONTENT', `${reason}: read those of one user.`, { reason });
  }
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

/** Whether the person may name the policy and the collections is for who asks to find out. */
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
  await lockAccount(context, connection, user);
  const known = await context.tables.accessKeys.read(connection, ['id'], { user }, maxKeys);
  if (known.length < maxKeys) return;
  const reason = `An account can have ${maxKeys} access keys`;
  throw refusalError('UNPROCESSABLE_CONTENT', refusal('too_many_access_keys', { limit: maxKeys }), { reason });
}

async function expectPolicy({ tables }: AuthContext, connection: Connection, policy: string | null): Promise<void> {
  if (policy === null) return;
  const [found] = await tables.policies.read(connection, ['id'], { id: policy });
  if (found === undefined) throw invalidPayload('"policy" names no policy.');
}

/** Raises the session epoch, because the name is marked on what the key changes. */
export async function renameKey(context: AuthContext, user: string, given: string, name: string): Promise<ShownKey> {
  const { id } = await keyOf(context, user, given);
  await changeAccounts(context, async (connection) => {
    await context.tables.accessKeys.update(connection, { name }, { id, user });
    await context.store.bumpEpoch(connection, 'session');
  });
  return keyOf(context, user, id);
}

async function keyOf(context: AuthContext, user: string, given: string): Promise<ShownKey> {
  const id = readUuid(given);
  const rows = id === null ? [] : await context.tables.accessKeys.read(context.driver, shownColumns, { id, user });
  const [shown] = await show(context, rows);
  if (shown === undefined) throw forbidden();
  return shown;
}

/** Ends what the key has open in every process. `user` null: a key of any user. */
export function revokeKey(context: AuthContext, user: string | null, given: string, by: string | null, client: ClientFacts): Promise<void> {
  return changeAccounts(context, async (connection) => {
    const { accessKeys: rows } = context.tables;
    const id = readUuid(given);
    const [found] = id === null ? [] : await rows.read(connection, ['id', 'user'], user === null ? { id } : { id, user });
    if (found === undefined) throw forbidden();
    await rows.delete(connection, { id: found.id });
    await context.store.bumpEpoch(connection, 'session');
    await recordActivity(context, connection, 'update', found.user, client, by);
  });
}
