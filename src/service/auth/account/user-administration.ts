// Changes of users by the command line, without a login: the way back for a user who is locked out.

import type { Caller } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { randomToken } from '../../secrets/token.js';
import { isSameEmail, normaliseEmail } from '../email.js';

export interface UserAdministration {
  /** Sets a new password, which ends the sessions of the user, and resolves to it; null when no user has this address. */
  resetPassword(email: string): Promise<string | null>;
  /** Sets a new static token in place of the old one and resolves to it; null when no user has this address. */
  createToken(email: string): Promise<string | null>;
}

const users = 'service_users';

/** Writes through the engine, so that its hooks hash the password, digest the token and end sessions as after any other change. */
export function openUserAdministration(
  { reader, writer }: { readonly reader: Reader; readonly writer: Writer },
  caller: () => Caller,
): UserAdministration {
  const change = (email: string, payload: Readonly<Record<string, unknown>>): Promise<boolean> =>
    writer.transaction(caller(), async (work) => {
      // An adopted database holds addresses as they were typed.
      const filter = { email: { _icontains: normaliseEmail(email) } };
      const alike = await reader.objects(work, users, { fields: ['id', 'email'], filter, limit: -1 });
      const found = alike.filter((user) => isSameEmail(String(user['email']), email));
      const [user] = found;
      if (user === undefined || found.length > 1) return false;
      await writer.update(work, users, [user['id']], payload);
      return true;
    });
  return {
    async resetPassword(email) {
      const password = randomToken(20);
      return (await change(email, { password })) ? password : null;
    },
    async createToken(email) {
      const token = randomToken(40);
      return (await change(email, { token })) ? token : null;
    },
  };
}
