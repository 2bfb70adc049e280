// Signing in and out, passwords that were forgotten, and the links of shares.

import { invalidPayload } from '../../core/errors/service-error.js';
import { maxInvitations, inviteToShare as sendLink } from '../auth/account/invite.js';
import { requestPasswordReset as requestReset, resetPassword as reset } from '../auth/account/password-reset.js';
import { readEmail } from '../auth/email.js';
import { loginByPasskey as logInByPasskey, loginOptions, takesPasskeys } from '../auth/passkeys/passkey-login.js';
import { samlPlaces, writeMetadata } from '../auth/providers/drivers/saml-metadata.js';
import { isRedirect, isSaml, takesPassword } from '../auth/providers/settings/provider-settings.js';
import {
  baseOf,
  beginSignOn as begin,
  type Completed,
  completeSignOn as complete,
  resolveRedirect as resolve,
  signOnByPassword,
} from '../auth/providers/sign-on.js';
import { endByProvider as endBy, endBySaml as endSaml, signOut } from '../auth/providers/sign-out.js';
import { type IssuedTokens, removedCookies, sessionModes } from '../auth/session/issue-tokens.js';
import { login as logIn, logout as logOut } from '../auth/session/login.js';
import { describeShare, openShare as openLink } from '../auth/session/open-share.js';
import { carriedSession, refresh as renew } from '../auth/session/refresh.js';
import { parseQuery } from './carried-values.js';
import { may } from './open-rule.js';
import { type Operation, Outcome, operation } from './operation.js';
import {
  boolean,
  choice,
  described,
  document,
  email,
  integer,
  list,
  nothing,
  object,
  optional,
  type Shape,
  text,
  withDefault,
} from './shape.js';

const signIn = { tag: 'auth', open: ['everybody'], once: 'never', secret: true } as const;

const mode = choice(sessionModes, 'auth_mode');

/** Cookies hold what the mode leaves out. */
const tokens = object(
  { access_token: optional(text()), refresh_token: optional(text()), expires: integer(0, Number.MAX_SAFE_INTEGER) },
  { name: 'auth_tokens' },
) as Shape<unknown>;

const session = { refresh_token: optional(text()), mode: optional(mode) };

const issued = ({ data, cookie }: IssuedTokens): Outcome<unknown> => new Outcome(data, cookie === null ? {} : { cookies: [cookie] });

export const readProviders = operation({
  ...signIn,
  id: 'providers',
  summary: 'Ways to log in besides the password',
  input: { sessionOnly: described(withDefault(boolean, false), 'Leave out the providers whose logins end in a refresh cookie.') },
  output: object({
    data: list(object({ name: text(), label: text(), driver: text(), icon: text() })),
    disableDefault: boolean,
    passkeys: boolean,
  }),
  run: async ({ deps: { auth, signOn }, url }, { sessionOnly }) => ({
    data: (await signOn.providers.all())
      .filter((settings) => !sessionOnly || !isRedirect(settings) || settings.mode === 'session')
      .map(({ name, label, driver, icon }) => ({ name, label, driver, icon })),
    disableDefault: auth.options.disableDefaultLogin,
    passkeys: takesPasskeys(signOn, { url }),
  }),
});

export const login = operation({
  ...signIn,
  id: 'login',
  summary: 'Log in',
  input: { email, password: text(), mode: withDefault(mode, 'json' as const), otp: optional(text()) },
  output: tokens,
  run: async ({ deps, client }, input) => issued(await logIn(deps.auth, deps.authenticator, input, client)),
});

export const loginByProvider = operation({
  ...signIn,
  id: 'loginByProvider',
  summary: 'Log in by a provider that checks passwords',
  input: {
    provider: text(),
    identifier: described(optional(text()), 'The name of the user there; of a local provider, `email`.'),
    email: optional(email),
    password: text(),
    mode: withDefault(mode, 'json' as const),
    otp: optional(text()),
  },
  output: tokens,
  run: async ({ deps, client }, { provider, identifier, email: given, ...input }) => {
    const settings = await deps.signOn.providers.find(provider, takesPassword);
    if (settings.driver === 'ldap') {
      if (identifier === null) throw invalidPayload('"identifier" is required.');
      return issued(await signOnByPassword(deps.signOn, settings, { ...input, identifier }, client));
    }
    const address = given ?? readEmail(identifier ?? '');
    if (address === null) throw invalidPayload('"email" is required.');
    return issued(await logIn(deps.auth, deps.authenticator, { ...input, email: address, provider: settings.name }, client));
  },
});

export const readPasskeyLoginOptions = operation({
  ...signIn,
  id: 'passkeyLoginOptions',
  summary: 'A challenge to log in by a passkey: the options of `navigator.credentials.get`, bytes as base64url',
  input: {},
  output: document(),
  run: (call) => {
    const { options, cookies } = loginOptions(call.deps.signOn, call);
    return new Outcome(options, { cookies });
  },
});

export const loginByPasskey = operation({
  ...signIn,
  id: 'loginByPasskey',
  summary: 'Log in by a passkey',
  input: {
    response: described(document(), 'What `navigator.credentials.get` gave, as JSON.'),
    mode: withDefault(mode, 'json' as const),
  },
  output: tokens,
  run: async (call, input) => issued(await logInByPasskey(call.deps.signOn, input, call, call.client)),
});

export const beginSignOn = operation({
  ...signIn,
  id: 'beginSignOn',
  summary: 'Go to a provider to log in',
  browser: true,
  input: {
    provider: text(),
    redirect: described(
      optional(text()),
      'Where to go on after the login: a path, an address of the service, or one of REDIRECT_ALLOW_LIST.',
    ),
    prompt: described(optional(text({ maxLength: 50 })), 'Passed on to the provider.'),
    otp: described(optional(text({ maxLength: 20 })), 'A one-time code, if the account asks for one.'),
  },
  output: nothing,
  run: async ({ deps, url, client }, input) => new Outcome(undefined, await begin(deps.signOn, input, url, client)),
});

/** What a provider sends along. */
const callbackParameters = {
  code: optional(text()),
  state: optional(text()),
  iss: optional(text()),
  error: optional(text()),
  error_description: optional(text()),
  session_state: optional(text()),
};

export const completeSignOn = operation({
  ...signIn,
  id: 'completeSignOn',
  summary: 'Come back from a provider',
  browser: true,
  input: { provider: text(), ...callbackParameters, accept: optional(text()) },
  output: optional(tokens),
  run: async ({ deps, url, client, cookie }, { provider, accept, ...sent }) => {
    const parameters = new URLSearchParams(
      Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]])),
    );
    const back = { provider, by: 'client', parameters, wantsJson: wantsTokens(accept) } as const;
    return outcomeOf(await complete(deps.signOn, back, cookie, url, client));
  },
});

const wantsTokens = (accept: string | null): boolean => accept?.includes('application/json') === true && !accept.includes('text/html');

const outcomeOf = (completed: Completed): Outcome<unknown> =>
  'tokens' in completed ? new Outcome(completed.tokens.data, { cookies: completed.cookies }) : new Outcome(null, completed.journey);

export const completeSamlSignOn = operation({
  ...signIn,
  id: 'completeSamlSignOn',
  summary: 'Come back from a SAML identity provider',
  browser: true,
  input: { provider: text(), SAMLResponse: text({ maxLength: 524_288 }), RelayState: optional(text()), accept: optional(text()) },
  output: optional(tokens),
  run: async ({ deps, url, client, cookie }, { provider, SAMLResponse, RelayState, accept }) => {
    const parameters = new URLSearchParams({ SAMLResponse, state: RelayState ?? '' });
    const back = { provider, by: 'saml', parameters, wantsJson: wantsTokens(accept) } as const;
    return outcomeOf(await complete(deps.signOn, back, cookie, url, client));
  },
});

export const readSamlMetadata = operation({
  ...signIn,
  id: 'readSamlMetadata',
  summary: 'What a SAML identity provider needs to know of the service',
  browser: true,
  input: { provider: text() },
  output: text(),
  run: async ({ deps: { signOn }, url }, { provider }) => {
    const settings = await signOn.providers.find(provider, isSaml);
    return writeMetadata(settings, samlPlaces(settings, baseOf(signOn, url)));
  },
});

export const endBySaml = operation({
  ...signIn,
  id: 'endBySaml',
  summary: 'A SAML identity provider sends a browser to log out, or back from a logout',
  browser: true,
  input: {
    provider: text(),
    query: described(
      withDefault(text({ maxLength: 8192 }), ''),
      '`SAMLRequest`, `RelayState`, `SigAlg` and `Signature` as they are written in the address; or `SAMLResponse`.',
    ),
  },
  output: nothing,
  run: async ({ deps, url }, input) => new Outcome(undefined, { location: await endSaml(deps.signOn, input, url) }),
});

export const endByProvider = operation({
  ...signIn,
  id: 'endByProvider',
  summary: 'A provider tells that somebody has logged out there (back-channel logout)',
  browser: true,
  input: { provider: text(), logout_token: text() },
  output: nothing,
  run: ({ deps }, { provider, logout_token }) => endBy(deps.signOn, provider, logout_token),
});

export const logoutByProvider = operation({
  ...signIn,
  id: 'logoutByProvider',
  summary: 'Log out here, and learn where to log out at the provider',
  input: {
    provider: text(),
    redirect: described(withDefault(text(), '/'), 'Where the provider sends the browser afterwards.'),
    ...session,
  },
  output: text(),
  run: async ({ deps, url, client, cookie }, { provider, redirect, ...named }) => {
    const carried = carriedSession(named, cookie);
    const location = await signOut(deps.signOn, { provider, redirect, session: carried }, url, client);
    return new Outcome(location, { cookies: removedCookies(carried.mode) });
  },
});

export const resolveRedirect = operation({
  ...signIn,
  id: 'resolveRedirect',
  summary: 'Whether a login may lead to an address',
  input: { redirect: text(), provider: optional(text()) },
  output: text(),
  run: ({ deps }, { redirect, provider }) => resolve(deps.signOn, redirect, provider),
});

export const refresh = operation({
  ...signIn,
  id: 'refresh',
  summary: 'Renew an access token',
  input: session,
  output: tokens,
  run: async ({ deps, client, cookie }, input) => issued(await renew(deps.auth, deps.authenticator, carriedSession(input, cookie), client)),
});

export const logout = operation({
  ...signIn,
  id: 'logout',
  summary: 'Log out',
  input: session,
  output: nothing,
  run: async ({ deps, client, cookie }, input) => {
    const carried = carriedSession(input, cookie);
    await logOut(deps.auth, carried, client);
    return new Outcome(undefined, { cookies: removedCookies(carried.mode) });
  },
});

export const requestPasswordReset = operation({
  ...signIn,
  id: 'requestPasswordReset',
  summary: 'Ask for a letter to set a new password with',
  input: { email, reset_url: optional(text({ format: 'uri' })) },
  output: nothing,
  run: ({ deps, client }, input) => requestReset(deps.auth, input, client),
});

export const resetPassword = operation({
  ...signIn,
  id: 'resetPassword',
  summary: 'Set a new password',
  input: { token: text(), password: text() },
  output: nothing,
  run: ({ deps, client }, input) => reset(deps.auth, input, client),
});

export const openShare = operation({
  ...signIn,
  id: 'openShare',
  summary: 'Open what a link shares',
  input: { share: text(), password: optional(text()), mode: withDefault(mode, 'json' as const) },
  output: tokens,
  run: async ({ deps, client }, input) => issued(await openLink(deps.auth, input, client)),
});

export const readShareInfo = operation({
  ...signIn,
  id: 'readShareInfo',
  summary: 'What a link shares',
  input: { id: text() },
  output: document(),
  run: ({ deps }, { id }) => describeShare(deps.auth, id),
});

export const inviteToShare = operation({
  ...signIn,
  id: 'inviteToShare',
  summary: 'Send the link of a share by mail',
  input: {
    share: text(),
    emails: list(email, { min: 1, max: maxInvitations }),
    share_url: described(optional(text({ format: 'uri' })), 'The page that opens the share, one of ALLOWED_URLS; Studio without it.'),
  },
  output: nothing,
  open: ['users', may('read', 'service_shares')],
  once: 'apart',
  run: async ({ deps, caller, work }, input) => {
    // FORBIDDEN unless the caller may read the share.
    await deps.reader.item(work, 'service_shares', [input.share], parseQuery({ fields: ['id'] }, deps.limits));
    await sendLink(deps.auth, caller, input);
  },
});

export const signInOperations: readonly Operation[] = [
  readProviders,
  login,
  loginByProvider,
  readPasskeyLoginOptions,
  loginByPasskey,
  beginSignOn,
  completeSignOn,
  completeSamlSignOn,
  readSamlMetadata,
  endBySaml,
  endByProvider,
  logoutByProvider,
  resolveRedirect,
  refresh,
  logout,
  requestPasswordReset,
  resetPassword,
  openShare,
  readShareInfo,
  inviteToShare,
];
