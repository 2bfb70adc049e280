// Access keys: by which of them a program acts for a user, and what the key leaves of the user's rights.

import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { accessKeys } from '../../definitions/accounts.js';
import { digestToken, randomToken } from '../../secrets/token.js';
import type { AuthContext } from '../auth-context.js';

export interface AccessKey {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  /** Rights are those that both the user and this policy have; null: those of the user. */
  readonly policy: string | null;
  /** False: for reading only. */
  readonly write: boolean;
  /** The only collections that it opens; null: all. */
  readonly collections: readonly string[] | null;
  /** From where it may be used; empty: from everywhere. */
  readonly addresses: readonly string[];
  /** In milliseconds; infinite if it does not expire. */
  readonly endsAt: number;
}

const prefix = 'tain_';
/** As many as have 256 bits. */
const randomLength = 43;
const form = new RegExp(`^${prefix}[A-Za-z0-9]{${randomLength}}$`);

export const makeKeyToken = (): string => prefix + randomToken(randomLength);

/** Whether a token has the form of access keys; no static token may have it. */
export const looksLikeKey = (token: string): boolean => form.test(token);

const columns = ['id', 'name', 'user', 'digest', 'policy', 'write', 'collections', 'addresses', 'expires'] as const;

type KeyRow = Pick<RowOf<typeof accessKeys>, (typeof columns)[number]>;
type Context = Pick<AuthContext, 'tables'>;

/** null for a key that is unknown, revoked or expired. */
export async function findKeyByToken({ tables }: Context, connection: Connection, token: string): Promise<AccessKey | null> {
  const digest = digestToken(token);
  return lasting(await tables.accessKeys.read(connection, columns, { digest }));
}

export const findKey = async ({ tables }: Context, connection: Connection, id: string): Promise<AccessKey | null> =>
  lasting(await tables.accessKeys.read(connection, columns, { id }));

function lasting([row]: readonly KeyRow[]): AccessKey | null {
  if (row === undefined) return null;
  const { id, name, user, policy, write } = row;
  const endsAt = row.expires === null ? Number.POSITIVE_INFINITY : Number(row.expires);
  if (endsAt <= Date.now()) return null;
  return { id, name, user, policy, write, collections: textsOf(row.collections), addresses: textsOf(row.addresses) ?? [], endsAt };
}

/** A list that is stored as JSON. */
export const textsOf = (stored: unknown): readonly string[] | null => (Array.isArray(stored) ? stored.map(String) : null);
