// A login by a provider to which the browser is sent: the redirect there and the callback. All failures of a callback give the same answer;
// the log has the reason.

import { ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { createSeal } from '../../secrets/seal.js';
import { isSameSecret, randomToken } from '../../secrets/token.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { addressKey } from '../limits/limiter.js';
import { delayFailure } from '../limits/minimum-time.js';
import { invalidCredentials } from '../refusals.js';
import type { Authenticator } from '../session/authenticate.js';
import type { IssuedTokens, SessionMode } from '../session/issue-tokens.js';
import { checkCode, openSession } from '../session/login.js';
import { delayUnknownAddress } from '../session/slow-guessing.js';
import { visitedUrl } from '../visited-url.js';
import { findSignOnAccount, linkIdentity, sessionDigestOf } from './find-account.js';
import { type LoginState, loginCookie, openState, sealState, spend } from './login-state.js';
import { IdentityRefused, type ProvedIdentity, ProviderAway } from './provider.js';
import { checkRedirect, type RedirectRules, withReason } from './redirect-target.js';
import type { ProviderRegistry } from './registry.js';
import {
  isClient,
  isRedirect,
  isSaml,
  type LdapSettings,
  type ProviderSettings,
  type RedirectProviderSettings,
} from './settings/provider-settings.js';
import type { ProviderVariables } from './settings/read-settings.js';
import type { LoadStored } from './stored-providers.js';

/** The dependencies of logins by providers. */
export interface SignOnDeps {
  readonly auth: AuthContext;
  readonly authenticator: Authenticator;
  readonly providers: ProviderRegistry;
  /** Loads the providers that administrators have added, including those with invalid settings. */
  readonly loadStored: LoadStored;
  /** The variables of the environment that describe providers. */
  readonly environment: { readonly names: readonly string[]; readonly variables: ProviderVariables };
  /** Further addresses of the service, which the browser may have reached it by. */
  readonly allowedPublicUrls: readonly string[];
  /** The page that shows why a login failed. */
  readonly failurePage: string;
  /** Logs why a login failed, for operators. */
  readonly log: (details: Readonly<Record<string, unknown>>, text: string) => void;
}

/** A cookie of the login, sent back to this host only. */
interface StateCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeMs: number;
  readonly hostOnly: true;
  readonly secure: boolean;
}

/** A redirect with its cookies. */
export interface Journey {
  readonly location: string;
  readonly cookies: readonly (StateCookie | NonNullable<IssuedTokens['cookie']>)[];
}

/** The address under which the browser reached the service, if the settings list it; else PUBLIC_URL. */
export function baseOf({ auth, allowedPublicUrls }: SignOnDeps, url: string): string {
  const { publicUrl } = auth.options;
  const known = allowedPublicUrls.find((entry) => URL.canParse(entry) && new URL(entry).origin === visitedUrl(url).origin);
  return (known ?? publicUrl).replace(/\/+$/, '');
}

const rulesOf = ({ auth, allowedPublicUrls }: SignOnDeps, listed: readonly string[]): RedirectRules => ({
  own: [auth.options.publicUrl, ...allowedPublicUrls.filter((entry) => URL.canParse(entry))],
  listed,
});

/** For clients that check a redirect target before they start a login. */
export async function resolveRedirect(deps: SignOnDeps, redirect: string, provider: string | null): Promise<string> {
  const listed = provider === null ? [] : (await deps.providers.find(provider, isRedirect)).redirectAllowList;
  return checkRedirect(redirect, rulesOf(deps, listed));
}

export interface BeginInput {
  readonly provider: string;
  readonly redirect: string | null;
  readonly prompt: string | null;
  readonly otp: string | null;
}

export const beginSignOn = (deps: SignOnDeps, input: BeginInput, url: string, client: ClientFacts): Promise<Journey> =>
  startJourney(deps, { ...input, link: null }, url, client);

/** `link`: the user to whose account the identity is added; null: the identity logs in. */
export async function startJourney(
  deps: SignOnDeps,
  input: BeginInput & Pick<LoginState, 'link'>,
  url: string,
  client: ClientFacts,
): Promise<Journey> {
  const { auth, providers } = deps;
  const settings = await providers.find(input.provider, isRedirect);
  const redirect = input.redirect === null ? null : await resolveRedirect(deps, input.redirect, settings.name);
  await auth.limiter.take('login', `address ${addressKey(client.ip)}`);
  const base = baseOf(deps, url);
  const state: LoginState = {
    // Independent random values, so that knowing one reveals nothing about the others.
    ...{ state: randomToken(43), nonce: randomToken(43), verifier: randomToken(64) },
    callback: `${base}/auth/login/${settings.name}/${isSaml(settings) ? 'acs' : 'callback'}`,
    redirect,
    otp: input.otp,
    link: input.link,
    expires: Date.now() + settings.loginTimeoutMs,
  };
  try {
    const location = await providers.ask(settings, (driver) => driver.authorize(state, input.prompt));
    return { location, cookies: [stateCookie(settings, base, sealState(auth, settings.name, state))] };
  } catch (error) {
    return { location: withReason(deps.failurePage, codeOf(deps, settings, error)), cookies: [] };
  }
}

function stateCookie(settings: RedirectProviderSettings, base: string, value: string): StateCookie {
  return { ...loginCookie(settings, base), value, maxAgeMs: value === '' ? 0 : settings.loginTimeoutMs, hostOnly: true };
}

export interface CompleteInput {
  readonly provider: string;
  /** How the provider sent the browser back. */
  readonly by: 'client' | 'saml';
  /** The parameters of the callback. */
  readonly parameters: URLSearchParams;
  /** Whether the client gets the tokens as JSON if it named no page to return to. */
  readonly wantsJson: boolean;
}

/** A redirect, or tokens for a client that asked for JSON. Both remove the cookie of the login. */
export type Completed = { readonly journey: Journey } | ({ readonly tokens: IssuedTokens } & Pick<Journey, 'cookies'>);

export async function completeSignOn(
  deps: SignOnDeps,
  { provider, by, parameters, wantsJson }: CompleteInput,
  cookie: (name: string) => string | null,
  url: string,
  client: ClientFacts,
): Promise<Completed> {
  const { auth } = deps;
  const settings = await (by === 'saml' ? deps.providers.find(provider, isSaml) : deps.providers.find(provider, isClient));
  const base = baseOf(deps, url);
  const state = openState(auth, settings.name, cookie(loginCookie(settings, base).name));
  const givesJson = wantsJson && (state === null || state.redirect === null);
  const removed = stateCookie(settings, base, '');
  try {
    await auth.limiter.take('login', `address ${addressKey(client.ip)}`);
    const tokens = await delayFailure(auth.options.refusalMs, () => logIn(deps, settings, state, parameters, givesJson, client));
    if (tokens === null) return { journey: { location: state?.redirect ?? '/', cookies: [removed] } };
    if (givesJson) return { tokens, cookies: [removed] };
    const { secure } = removed;
    const cookies = [removed, ...(tokens.cookie === null ? [] : [{ ...tokens.cookie, secure }])];
    return { journey: { location: state?.redirect ?? '/', cookies } };
  } catch (error) {
    const code = codeOf(deps, settings, error);
    if (givesJson) throw error instanceof ServiceError ? error : refusalOf(code);
    return { journey: { location: withReason(state?.redirect ?? deps.failurePage, code), cookies: [removed] } };
  }
}

/** Returns null if the identity was linked to the account of a user who is signed in already. */
async function logIn(
  deps: SignOnDeps,
  settings: RedirectProviderSettings,
  state: LoginState | null,
  parameters: URLSearchParams,
  givesJson: boolean,
  client: ClientFacts,
): Promise<IssuedTokens | null> {
  const { auth } = deps;
  if (state === null) throw new IdentityRefused('this browser did not start this login, or too long ago');
  if (!(await spend(auth, state.state, state.expires))) throw new IdentityRefused('this login was completed before');
  if (!isSameSecret(parameters.get('state') ?? '', state.state)) throw new IdentityRefused('the provider answers to another login');
  const proved = await redeem(() => deps.providers.ask(settings, (driver) => driver.redeem(state, parameters)));
  const { once } = proved;
  if (once !== undefined && !(await spend(auth, JSON.stringify([settings.name, proved.issuer, once.id]), once.expires)))
    throw new IdentityRefused('the provider has said this before');
  if (state.link !== null) {
    await linkIdentity(auth, settings.name, state.link, proved);
    return null;
  }
  return openProved(deps, settings, proved, { otp: state.otp, mode: givesJson ? 'json' : settings.mode }, client);
}

/** Logs in by a name and a password that the provider checks. */
export async function signOnByPassword(
  deps: SignOnDeps,
  settings: LdapSettings,
  { identifier, password, ...wanted }: Wanted & { readonly identifier: string; readonly password: string },
  client: ClientFacts,
): Promise<IssuedTokens> {
  const { limiter, options } = deps.auth;
  await limiter.take('login', `account ${settings.name} ${identifier} at ${addressKey(client.ip)}`);
  await limiter.take('login', `address ${addressKey(client.ip)}`);
  try {
    return await delayFailure(options.refusalMs, async () => {
      // Whose account it is, and from where its owner comes, is not known before the directory has answered.
      await delayUnknownAddress(deps.auth, `${settings.name} ${identifier.trim().toLowerCase()}`, null, client.ip);
      const proved = await redeem(() => deps.providers.askDirectory(settings, (driver) => driver.prove(identifier, password)));
      return openProved(deps, settings, proved, wanted, client);
    });
  } catch (error) {
    throw error instanceof ServiceError ? error : refusalOf(codeOf(deps, settings, error));
  }
}

interface Wanted {
  readonly otp: string | null;
  readonly mode: SessionMode;
}

async function openProved(
  deps: SignOnDeps,
  settings: ProviderSettings,
  proved: ProvedIdentity,
  { otp, mode }: Wanted,
  client: ClientFacts,
): Promise<IssuedTokens> {
  const { auth, authenticator, providers } = deps;
  const { account, identity, withheld } = await findSignOnAccount({ context: auth, authenticator, providers, client }, settings, proved);
  if (withheld.length > 0)
    deps.log({ provider: settings.name, user: account.id, withheld }, 'groups of a provider did not give all rights');
  await checkCode(auth, account, otp, client);
  const providerToken = proved.token === null ? null : sealToken(auth, proved.token, identity);
  const providerSession = proved.session === null ? null : sessionDigestOf(settings.name, proved.issuer, proved.session);
  return openSession(auth, authenticator, account, mode, client, { identity, providerToken, providerSession, passkey: null });
}

/** Treats every failure except ProviderAway as a refusal: by the provider, or by a check of its answer. */
async function redeem(ask: () => Promise<ProvedIdentity>): Promise<ProvedIdentity> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderAway || error instanceof IdentityRefused) throw error;
    throw new IdentityRefused(reasonOf(error));
  }
}

/** Joins the messages of the error and its causes, which say more than the package's own. */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause)
    parts.push('error_description' in at ? `${at.message} (${String(at.error_description)})` : at.message);
  return parts.join(': ').slice(0, 500);
}

/** Logs the reason, and returns the one code that the client gets. */
function codeOf(deps: SignOnDeps, { name }: ProviderSettings, error: unknown): ServiceError['code'] {
  if (error instanceof ServiceError) return error.code;
  if (!(error instanceof IdentityRefused) && !(error instanceof ProviderAway)) throw error;
  deps.log({ provider: name, cause: reasonOf(error) }, 'a login by a provider failed');
  return error instanceof ProviderAway ? 'SERVICE_UNAVAILABLE' : 'INVALID_CREDENTIALS';
}

const refusalOf = (code: ServiceError['code']): ServiceError => (code === 'SERVICE_UNAVAILABLE' ? unavailable() : invalidCredentials());

export const unavailable = (): ServiceError =>
  serviceError('SERVICE_UNAVAILABLE', 'The login service cannot be reached.', { service: 'login' });

const tokenSeal = ({ options }: AuthContext) => createSeal(options.secret, 'provider-token');

export const sealToken = (auth: AuthContext, token: string, identity: string): string => tokenSeal(auth).seal(token, identity);
export const openToken = (auth: AuthContext, sealed: string, identity: string): string | null => tokenSeal(auth).open(sealed, identity);
