// A service with providers to log in by, and logins as a browser makes them.

import type { Answer } from './api.js';
import { Browser, type Visited } from './browser.js';
import type { TestService } from './start-service.js';

/** Where browsers know the service; their requests are sent to where it is. */
export const publicUrl = 'https://data.example.com';

export const callbackOf = (provider: string): string => `${publicUrl}/auth/login/${provider}/callback`;

/** AUTH_<NAME>_… for one provider. */
export const providerVariables = (name: string, settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [`AUTH_${name.toUpperCase()}_${key}`, value]));

export const openBrowser = ({ url }: Pick<TestService, 'url'>): Browser => new Browser({ [publicUrl]: url });

export const startOf = (provider: string, parameters: Readonly<Record<string, string>> = {}): string =>
  `${publicUrl}/auth/login/${provider}?${new URLSearchParams(parameters)}`;

export const sessionCookie = 'service_session_token';

/** The code by which a browser was led back without a login; null: it was not. */
export const reasonOf = ({ headers }: Pick<Visited, 'headers'>): string | null => {
  const location = headers.get('location');
  return location === null ? null : new URL(location, publicUrl).searchParams.get('reason');
};

/** The user that the browser's session belongs to; null without one. */
export async function whoIs(service: TestService, browser: Browser): Promise<Answer['body']> {
  const token = browser.cookie(publicUrl, sessionCookie);
  return token === null ? null : ownerOf(service, token);
}

/** The user that a token belongs to; null: none. */
export async function ownerOf(service: TestService, token: string): Promise<Answer['body']> {
  const { body } = await service.as(token).get('/users/me?fields=id');
  if (body.data === undefined) return null;
  const fields = 'id,email,first_name,last_name,role,provider,external_identifier';
  return (await service.api.get(`/users/${body.data.id}?fields=${fields}`)).body.data;
}

/** What a refused login must leave as it was. */
export async function storedAccounts(service: TestService): Promise<unknown> {
  const count = async (table: string): Promise<number> =>
    Number(Object.values((await service.sql(`select count(*) as n from ${table}`))[0] ?? {})[0]);
  return [await count('service_users'), await count('service_identities'), await count('service_sessions')];
}
