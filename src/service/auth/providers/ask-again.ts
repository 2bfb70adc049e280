// Asks the provider again at every refresh of a session: a user who was suspended there loses the session, and one who has left a group
// loses its rights. If the provider cannot be reached, nothing changes.

import { findAccount } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { endSessionsBy, graceMs, keepProviderToken } from '../session/sessions.js';
import { digestOf } from './find-account.js';
import { applyRights, rightsOfGroups } from './group-rights.js';
import { type ProvedIdentity, ProviderAway } from './provider.js';
import { isRedirect, type ProviderSettings } from './settings/provider-settings.js';
import { openToken, reasonOf, type SignOnDeps, sealToken } from './sign-on.js';

type AskDeps = Pick<SignOnDeps, 'auth' | 'providers' | 'log'>;

type ProviderAnswer = ProvedIdentity | 'says nothing' | 'refuses';

/**
 * See AuthContext.askProvider. Concurrent refreshes of one session, from two tabs for example, share one request: a provider with
 * single-use tokens would take the second request for a stolen token and end all sessions of the user.
 */
export function openProviderCheck(deps: () => AskDeps): AuthContext['askProvider'] {
  const shared = new Map<string, Promise<ProviderAnswer>>();
  return (identity, providerToken, family) =>
    askAgain(deps(), identity, providerToken, family, (ask) => {
      if (providerToken === null) return ask();
      const answered = shared.get(providerToken) ?? ask();
      if (shared.get(providerToken) === answered) return answered;
      shared.set(providerToken, answered);
      const forget = (): boolean => shared.delete(providerToken);
      // A replaced session stays valid for a few seconds and still has the used token, so the answer is kept for that time.
      answered.then((answer) => (answer === 'says nothing' ? forget() : setTimeout(forget, graceMs).unref()), forget);
      return answered;
    });
}

async function askAgain(
  deps: AskDeps,
  identity: string,
  providerToken: string | null,
  family: string,
  once: (ask: () => Promise<ProviderAnswer>) => Promise<ProviderAnswer>,
): Promise<boolean> {
  const { auth, providers } = deps;
  const [known] = await auth.tables.identities.read(auth.driver, ['provider', 'user', 'subject'], { digest: identity });
  const settings = (await providers.all()).find(({ name }) => name === known?.provider);
  // The user has lost the identity, or the provider was removed.
  if (known === undefined || settings === undefined) return false;
  const token = providerToken === null ? null : openToken(auth, providerToken, identity);
  const answer = await once(() => askProvider(deps, settings, known.subject, token));
  if (answer === 'says nothing') return true;
  if (answer === 'refuses' || digestOf(settings.name, answer) !== identity) {
    // Ends all sessions of the identity, not only this one.
    await changeAccounts(auth, (connection) => endSessionsBy(auth, connection, identity));
    return false;
  }
  await takeOver(auth, settings, known.user, answer);
  if (answer.token !== null) await keepProviderToken(auth, auth.driver, family, sealToken(auth, answer.token, identity));
  return true;
}

/** `says nothing`: the provider cannot be reached, or gave no token to ask with. */
async function askProvider(
  { providers, log }: AskDeps,
  settings: ProviderSettings,
  subject: string,
  token: string | null,
): Promise<ProviderAnswer> {
  try {
    if (settings.driver === 'ldap') return await providers.askDirectory(settings, (driver) => driver.renew(subject));
    if (!isRedirect(settings) || token === null) return 'says nothing';
    return await providers.ask(settings, async ({ renew }) => (renew === null ? 'says nothing' : renew(token, subject)));
  } catch (error) {
    const isAway = error instanceof ProviderAway;
    log({ provider: settings.name, subject, cause: reasonOf(error) }, isAway ? 'a provider is away' : 'a provider ended a session');
    return isAway ? 'says nothing' : 'refuses';
  }
}

async function takeOver(auth: AuthContext, { provision }: ProviderSettings, user: string, { groups }: ProvedIdentity): Promise<void> {
  if (provision.roleMapping === null && provision.policyMapping === null && !provision.groupsNameRoles) return;
  await changeAccounts(auth, async (connection) => {
    const account = await findAccount(auth, connection, user);
    if (account !== null) await applyRights(auth, connection, account, await rightsOfGroups(auth, connection, provision, groups));
  });
}
