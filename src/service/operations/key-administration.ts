// Access keys by the command line, without a login.

import { allKeys, keysOf, type MadeKey, makeKey, revokeKey, type ShownKey } from '../auth/account/own-keys.js';
import { findAccountByEmail } from '../auth/account.js';
import type { AuthContext, ClientFacts } from '../auth/auth-context.js';
import { readNewKey } from './access-keys.js';

export interface KeyAdministration {
  /** Those of one user, or without an address those of all; null when no user has this address. */
  list(email: string | null): Promise<readonly ShownKey[] | null>;
  /** `key` as the operation takes it, and refused for the same reasons; null when no user has this address. */
  create(email: string, key: Readonly<Record<string, unknown>>): Promise<MadeKey | null>;
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
      return account === null ? null : makeKey(context, account.id, readNewKey(key, context.store.current()), here);
    },
    revoke: (id) => revokeKey(context, null, id, null, here),
  };
}
