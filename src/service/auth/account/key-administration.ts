// Access keys by the command line, without a login.

import { findAccountByEmail } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { allKeys, keysOf, type MadeKey, makeKey, type NewKey, revokeKey, type ShownKey } from './own-keys.js';

export interface KeyAdministration {
  /** Those of one user, or without an address those of all; null when no user has this address. */
  list(email: string | null): Promise<readonly ShownKey[] | null>;
  /** null when no user has this address. */
  create(email: string, key: NewKey): Promise<MadeKey | null>;
  /** FORBIDDEN when there is no such key. */
  revoke(id: string): Promise<void>;
}

const here: ClientFacts = { ip: '', userAgent: 'tain keys', origin: null };

export function openKeyAdministration(context: AuthContext): KeyAdministration {
  const find = (email: string) => findAccountByEmail(context, context.driver, email);
  return {
    async list(email) {
      if (email === null) return allKeys(context);
      const account = await find(email);
      return account === null ? null : keysOf(context, account.id);
    },
    async create(email, key) {
      const account = await find(email);
      return account === null ? null : makeKey(context, account.id, key, here);
    },
    revoke: (id) => revokeKey(context, null, id, null, here),
  };
}
