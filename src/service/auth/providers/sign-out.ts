// Logging out at a provider: handles a logout that the provider reports, and finds the address at which a browser logs out there.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { logout } from '../session/login.js';
import { type CarriedSession, readFamily } from '../session/refresh.js';
import { endProviderSessions, endSessionsBy, findFamily, findSession } from '../session/sessions.js';
import { digestOf, sessionDigestOf } from './find-account.js';
import { spend } from './login-state.js';
import { type EndedLogin, ProviderAway } from './provider.js';
import { withReason } from './redirect-target.js';
import { isRedirect, isSaml } from './settings/provider-settings.js';
import { baseOf, openToken, reasonOf, resolveRedirect, type SignOnDeps, unavailable } from './sign-on.js';

/** How long the id of a used logout token is kept; longer than such a token is valid. */
const rememberedMs = 600_000;

/** Ends the sessions that the token names. INVALID_PAYLOAD for a token that does not pass the checks. */
export async function endByProvider(deps: SignOnDeps, name: string, token: string): Promise<void> {
  const { auth, providers } = deps;
  const settings = await providers.find(name, isRedirect);
  const ended = await providers
    .ask(settings, async ({ readLogout }) => (readLogout === null ? null : readLogout(token)))
    .catch((error: unknown) => {
      deps.log({ provider: name, cause: reasonOf(error) }, 'a logout of a provider was refused');
      // 503, so that the provider sends the token again.
      if (error instanceof ProviderAway) throw unavailable();
      return null;
    });
  if (ended === null || !(await spend(auth, `${name} ${ended.id}`, Date.now() + rememberedMs)))
    throw invalidPayload('"logout_token" is not valid, or was used before.');
  await endLogin(auth, name, ended);
}

/** Ends the sessions that the provider names, or all sessions of the identity if it names none. */
async function endLogin(auth: AuthContext, provider: string, { issuer, subject, sessions }: EndedLogin): Promise<void> {
  const identity = subject === null ? null : digestOf(provider, { issuer, subject });
  const digests = sessions.map((session) => sessionDigestOf(provider, issuer, session));
  await changeAccounts(auth, async (connection) => {
    if (digests.length > 0) await endProviderSessions(auth, connection, digests, identity);
    else if (identity !== null) await endSessionsBy(auth, connection, identity);
  });
}

/** Ends the session here; resolves to where the browser ends it at the provider, or to `redirect` if that is nowhere. */
export async function signOut(
  deps: SignOnDeps,
  { provider, redirect, session }: { readonly provider: string; readonly redirect: string; readonly session: CarriedSession },
  url: string,
  client: ClientFacts,
): Promise<string> {
  const { auth, providers } = deps;
  const settings = await providers.find(provider, isRedirect);
  const target = new URL(await resolveRedirect(deps, redirect, provider), auth.options.publicUrl).href;
  const token = await tokenOf(auth, provider, session);
  await logout(auth, session, client);
  const base = baseOf(deps, url);
  // The session here has ended already, so an unreachable provider is ignored.
  const there = await providers
    .ask(settings, async ({ logoutUrl }) => (logoutUrl === null ? null : logoutUrl(target, token, base)))
    .catch(() => null);
  return there ?? target;
}

/** The token that this provider gave to the session; null if it gave none or another provider did. */
async function tokenOf(auth: AuthContext, provider: string, { mode, token }: CarriedSession): Promise<string | null> {
  const family = mode === 'session' ? await readFamily(auth, token) : await findFamily(auth, auth.driver, token);
  const session = family === null ? null : await findSession(auth, auth.driver, family);
  if (session === null || session.identity === null || session.providerToken === null) return null;
  const [known] = await auth.tables.identities.read(auth.driver, ['provider'], { digest: session.identity });
  return known?.provider === provider ? openToken(auth, session.providerToken, session.identity) : null;
}

/**
 * Handles a browser that a SAML identity provider sends here, either to log out or back from a logout that began here. The first, if the
 * provider signed it, ends the sessions it names. The second changes nothing; only its target is read, which must be one that a login may
 * lead to. Resolves to where to send the browser.
 */
export async function endBySaml(
  deps: SignOnDeps,
  { provider, query }: { readonly provider: string; readonly query: string },
  url: string,
): Promise<string> {
  const { auth, providers } = deps;
  const settings = await providers.find(provider, isSaml);
  const parameters = new URLSearchParams(query);
  if (!parameters.has('SAMLRequest')) return targetOf(deps, provider, parameters.get('RelayState'));
  const asked = await providers
    .askSaml(settings, (driver) => driver.readLogoutRequest(query, baseOf(deps, url)))
    .catch((error: unknown) => {
      deps.log({ provider, cause: reasonOf(error) }, 'a logout of a provider was refused');
      return null;
    });
  if (asked === null || !(await spend(auth, `${provider} ${asked.id}`, Date.now() + rememberedMs)))
    return withReason(deps.failurePage, 'INVALID_PAYLOAD');
  await endLogin(auth, provider, asked);
  return asked.answer();
}

async function targetOf(deps: SignOnDeps, provider: string, relayState: string | null): Promise<string> {
  try {
    return relayState === null ? '/' : await resolveRedirect(deps, relayState, provider);
  } catch {
    return '/';
  }
}
