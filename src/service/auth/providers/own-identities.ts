// The identities of a user at providers, as the user or an administrator sees them, and how they are added and removed. A signed-in user
// may add an identity by logging in at the provider, whatever its address, so that one account can have several providers.

import type { Caller } from '../../../core/access/view.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { ownAccount, proveOwner, refuseLastWay } from '../account/ways-in.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { endSessionsBy } from '../session/sessions.js';
import { type Journey, type SignOnDeps, startJourney } from './sign-on.js';

export interface ShownIdentity {
  /** The digest of the identity, from which the subject cannot be derived. */
  readonly id: string;
  readonly provider: string;
  readonly email: string | null;
  readonly created: string;
  readonly last_used: string | null;
}

export async function identitiesOf({ tables, driver }: AuthContext, user: string): Promise<readonly ShownIdentity[]> {
  const rows = await tables.identities.read(driver, ['digest', 'provider', 'email', 'created', 'last_used'], { user });
  return rows
    .map(({ digest: id, ...rest }) => ({ id, ...rest }))
    .toSorted((left, right) => left.created.localeCompare(right.created) || left.id.localeCompare(right.id));
}

/** Starts a login at the provider that adds the identity to the caller's account. */
export async function beginLink(
  deps: SignOnDeps,
  caller: Caller,
  { password, ...input }: { readonly provider: string; readonly redirect: string | null; readonly password: string | null },
  url: string,
  client: ClientFacts,
): Promise<Journey> {
  const account = await ownAccount(deps.auth, caller);
  await proveOwner(deps.auth, caller, account, password, 'A new provider');
  return startJourney(deps, { ...input, prompt: null, otp: null, link: account.id }, url, client);
}

/**
 * Removes one, and ends the sessions that began by it. UNPROCESSABLE_CONTENT for the last way into an account, unless an administrator removes it.
 */
export async function removeIdentity(context: AuthContext, user: string, id: string, isAdmin: boolean): Promise<void> {
  await changeAccounts(context, async (connection) => {
    const { identities, users } = context.tables;
    const [row] = await identities.read(connection, ['provider', 'subject'], { digest: id, user });
    if (row === undefined) throw forbidden();
    if (!isAdmin) await refuseLastWay(context, connection, user, 'identity');
    await identities.delete(connection, { digest: id, user });
    // Otherwise the next login would find the user by this column and add the identity again.
    await users.update(connection, { external_identifier: null }, { id: user, provider: row.provider, external_identifier: row.subject });
    await endSessionsBy(context, connection, id);
  });
}
