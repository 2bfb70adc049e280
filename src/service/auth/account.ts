// The account behind a user, with the columns that only sign-in reads.

import type { RowOf } from '../../core/schema/system-definition.js';
import { groupBy } from '../../core/util/group-by.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { users } from '../definitions/accounts.js';
import { findCodeStep } from '../secrets/one-time-code.js';
import { digestToken } from '../secrets/token.js';
import type { AuthContext } from './auth-context.js';
import { isSameEmail, normaliseEmail } from './email.js';

export interface Account {
  readonly id: string;
  readonly email: string | null;
  readonly password: string | null;
  readonly status: string;
  readonly role: string | null;
  readonly provider: string;
  readonly tfaSecret: string | null;
  /** The time step of the last one-time code that was accepted. */
  readonly tfaLastStep: number | null;
}

const columns = ['id', 'email', 'password', 'status', 'role', 'provider', 'tfa_secret', 'tfa_last_step'] as const;

type AccountRow = Pick<RowOf<typeof users>, (typeof columns)[number]>;

type Context = Pick<AuthContext, 'tables'>;
type AccountsContext = Pick<AuthContext, 'tables' | 'system' | 'readObjects'>;

export const findAccount = async ({ tables }: Context, connection: Connection, id: string): Promise<Account | null> =>
  only(await tables.users.read(connection, columns, { id }));

export const findAccounts = async ({ tables }: Context, connection: Connection, ids: readonly string[]): Promise<readonly Account[]> =>
  (await tables.users.read(connection, columns, { id: ids })).map(readAccount);

/** Compares the addresses in code as well, because a collation may treat different addresses as equal (C11). */
export async function findAccountByEmail(context: AccountsContext, connection: Connection, email: string): Promise<Account | null> {
  const { tables, system } = context;
  const rows = await tables.users.read(connection, columns, { email: normaliseEmail(email) });
  const found = rows.filter((row) => isSameEmail(row.email ?? '', email));
  return found.length > 0 || system.adopted === null ? only(found) : findInAnyCase(context, connection, email);
}

/** Another server stores addresses as they were typed; an adoption is refused when two differ by their case only. */
async function findInAnyCase({ tables, readObjects }: AccountsContext, connection: Connection, email: string): Promise<Account | null> {
  const filter = { email: { _icontains: normaliseEmail(email) } };
  const alike = await readObjects(connection, 'service_users', { fields: ['id', 'email'], filter, limit: -1 });
  const ids = alike.filter((row) => isSameEmail(String(row['email']), email)).map((row) => String(row['id']));
  return ids.length === 0 ? null : only(await tables.users.read(connection, columns, { id: ids }));
}

/** Compares in code as well: a collation may treat different tokens as equal. */
export async function findAccountByToken(
  { tables, system }: AccountsContext,
  connection: Connection,
  token: string,
): Promise<Account | null> {
  const stored = storedToken(system, token);
  const rows = await tables.users.read(connection, [...columns, 'token'], { token: stored });
  return only(rows.filter((row) => row.token === stored));
}

/** A static token as it is stored: a digest, or as it is where another server has to find it again. */
export const storedToken = ({ adopted }: AuthContext['system'], token: string): string => (adopted === null ? digestToken(token) : token);

/** The policies linked to the user directly, in their order. */
export async function readOwnPolicies({ tables }: Context, connection: Connection, user: string): Promise<readonly string[]> {
  const rows = await tables.access.read(connection, ['policy', 'sort'], { user });
  return rows.toSorted(bySort).map((row) => row.policy);
}

/** Does the same for several users in one statement. */
export async function readPoliciesOf(
  { tables }: Context,
  connection: Connection,
  users: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tables.access.read(connection, ['user', 'policy', 'sort'], { user: users });
  return new Map([...groupBy(rows, (row) => String(row.user))].map(([user, own]) => [user, own.toSorted(bySort).map((row) => row.policy)]));
}

interface Sorted {
  readonly sort: number | null;
}

export const bySort = (a: Sorted, b: Sorted): number => (a.sort ?? 0) - (b.sort ?? 0);

/**
 * True when the code is right and was not used before; marks it as used. The update compares the step that was read, so that of two
 * concurrent requests with the same code one is refused.
 */
export async function spendCode({ tables }: Context, connection: Connection, account: Account, code: string): Promise<boolean> {
  const step = account.tfaSecret === null ? null : findCodeStep(account.tfaSecret, code);
  if (step === null || (account.tfaLastStep !== null && step <= account.tfaLastStep)) return false;
  const spent = await tables.users.update(connection, { tfa_last_step: step }, { id: account.id, tfa_last_step: account.tfaLastStep });
  return spent === 1;
}

function only(rows: readonly AccountRow[]): Account | null {
  const [row] = rows;
  return row === undefined || rows.length > 1 ? null : readAccount(row);
}

const readAccount = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email || null,
  password: row.password,
  status: row.status,
  role: row.role,
  provider: row.provider || 'default',
  tfaSecret: row.tfa_secret || null,
  tfaLastStep: row.tfa_last_step === null ? null : Number(row.tfa_last_step),
});
