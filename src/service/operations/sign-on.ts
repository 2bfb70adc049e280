// Logins by providers that a browser is sent to, and what happens when sessions end at the provider.

import { samlPlaces, writeMetadata } from '../auth/providers/drivers/saml-metadata.js';
import { isSaml } from '../auth/providers/settings/provider-settings.js';
import {
  baseOf,
  beginSignOn as begin,
  type Completed,
  completeSignOn as complete,
  resolveRedirect as resolve,
} from '../auth/providers/sign-on.js';
import { endByProvider as endBy, endBySaml as endSaml, signOut } from '../auth/providers/sign-out.js';
import { removedCookies } from '../auth/session/issue-tokens.js';
import { carriedSession } from '../auth/session/refresh.js';
import { type Operation, Outcome, operation } from './operation.js';
import { session, signIn, tokens } from './session-shapes.js';
import { described, nothing, optional, text, withDefault } from './shape.js';

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
  summary: 'A provider reports that a user has logged out there (back-channel logout)',
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

export const signOnOperations: readonly Operation[] = [
  beginSignOn,
  completeSignOn,
  completeSamlSignOn,
  readSamlMetadata,
  endBySaml,
  endByProvider,
  logoutByProvider,
  resolveRedirect,
];
