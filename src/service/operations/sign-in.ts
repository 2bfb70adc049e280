// Signing in and out by passwords and passkeys, and forgotten passwords.

import { invalidPayload } from '../../core/errors/service-error.js';
import { requestPasswordReset as requestReset, resetPassword as reset } from '../auth/account/password-reset.js';
import { readEmail } from '../auth/email.js';
import { loginByPasskey as logInByPasskey, loginOptions, takesPasskeys } from '../auth/passkeys/passkey-login.js';
import { isRedirect, takesPassword } from '../auth/providers/settings/provider-settings.js';
import { signOnByPassword } from '../auth/providers/sign-on.js';
import { removedCookies } from '../auth/session/issue-tokens.js';
import { login as logIn, logout as logOut } from '../auth/session/login.js';
import { carriedSession, refresh as renew } from '../auth/session/refresh.js';
import { type Operation, Outcome, operation } from './operation.js';
import { issued, mode, session, signIn, tokens } from './session-shapes.js';
import { boolean, described, document, email, list, nothing, object, optional, text, withDefault } from './shape.js';

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

export const signInOperations: readonly Operation[] = [
  readProviders,
  login,
  loginByProvider,
  readPasskeyLoginOptions,
  loginByPasskey,
  refresh,
  logout,
  requestPasswordReset,
  resetPassword,
];
