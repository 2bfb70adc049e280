// A user as sign-in needs it, with the columns nobody can ask for.

import { listOf, type MetaRow, numberOf, textOf } from '../../core/schema/meta-row.js';
import type { Connection } from '../../core/vendor/driver.js';
import { digestToken } from '../secrets/token-digest.js';
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
  readonly tfaLastStep: number | null;
  readonly failedLogins: number;
}

const columns = ['id', 'email', 'password', 'status', 'role', 'provider', 'tfa_secret', 'tfa_last_step', 'failed_logins'];

type Context = Pick<AuthContext, 'tables'>;

export const findAccount = async ({ tables }: Context, connection: Connection, id: string): Promise<Account | null> =>
  only(await tables.users.read(connection, columns, { id }));

/** The database's idea of equal text is only a first sieve (C11). */
export async function findAccountByEmail({ tables }: Context, connection: Connection, email: string): Promise<Account | null> {
  const rows = await tables.users.read(connection, columns, { email: normaliseEmail(email) });
  return only(rows.filter((row) => isSameEmail(textOf(row, 'email') ?? '', email)));
}

export const findAccountByToken = async ({ tables }: Context, connection: Connection, token: string): Promise<Account | null> =>
  only(await tables.users.read(connection, columns, { token: digestToken(token) }));

/** Policies tied to the user itself, in their order. */
export async function readOwnPolicies({ tables }: Context, connection: Connection, user: string): Promise<readonly string[]> {
  const rows = await tables.access.read(connection, ['policy', 'sort'], { user });
  return rows.toSorted(bySort).flatMap((row) => listOf(row, 'policy'));
}

export const bySort = (a: MetaRow, b: MetaRow): number => (numberOf(a, 'sort') ?? 0) - (numberOf(b, 'sort') ?? 0);

function only(rows: readonly MetaRow[]): Account | null {
  const [row] = rows;
  return row === undefined || rows.length > 1 ? null : readAccount(row);
}

const readAccount = (row: MetaRow): Account => ({
  id: String(row['id']),
  email: textOf(row, 'email'),
  password: textOf(row, 'password'),
  status: textOf(row, 'status') ?? '',
  role: textOf(row, 'role'),
  provider: textOf(row, 'provider') ?? 'default',
  tfaSecret: textOf(row, 'tfa_secret'),
  tfaLastStep: row['tfa_last_step'] === null ? null : Number(row['tfa_last_step']),
  failedLogins: Number(row['failed_logins'] ?? 0),
});
