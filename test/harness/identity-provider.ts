// A real OpenID Connect provider (`oidc-provider`), with people, and the steps of a browser that logs in there.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import type { Browser, Visited } from './browser.js';

interface ProviderPerson {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly groups?: readonly string[];
}

export interface IdentityProvider {
  readonly url: string;
  /** By their subject; may be changed at any time. A removed user counts as suspended. */
  readonly people: Map<string, ProviderPerson>;
  /** The private key of the client that has no secret. */
  readonly clientKey: JWK;
  /** Logs in as `subject` and stops at the redirect to the service: what is answered is the address of the callback. */
  logIn(browser: Browser, start: string | URL, subject: string): Promise<URL>;
  /** Nothing listens at its address any more. */
  stop(): Promise<void>;
  /** After a stop: the same provider, which knows what it knew. */
  resume(): Promise<void>;
}

export const clientId = 'tain';
/** A client without a secret, which proves itself by a key (private_key_jwt). */
export const keyedClientId = 'tain-with-a-key';
export const clientSecret = 'a secret that the provider and the service share';

/** `port` 0 takes a free one. */
export async function startIdentityProvider(callbacks: readonly string[], port = 0): Promise<IdentityProvider> {
  const people = new Map<string, ProviderPerson>();
  const server = createServer();
  await listen(server, port);
  const { port: own } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${own}`;
  const keys = await generateKeyPair('RS256', { extractable: true });
  const clientKey = { ...(await exportJWK(keys.privateKey)), kid: 'key of the client', alg: 'RS256' };
  const provider = new Provider(url, configuration(callbacks, people, { ...(await exportJWK(keys.publicKey)), kid: clientKey.kid }));
  // Its warnings are about development.
  server.on('request', provider.callback());
  return {
    ...{ url, people, clientKey, stop: () => stop(server), resume: () => listen(server, own) },
    logIn: (browser, start, subject) => logIn(url, browser, start, subject),
  };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

const configuration = (callbacks: readonly string[], people: ReadonlyMap<string, ProviderPerson>, key: JWK): Configuration => ({
  clients: [
    { client_id: clientId, client_secret: clientSecret },
    { client_id: keyedClientId, token_endpoint_auth_method: 'private_key_jwt' as const, jwks: { keys: [{ ...key, kty: 'RSA' }] } },
  ].map((client) => ({
    ...client,
    redirect_uris: [...callbacks],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  })),
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'], groups: ['groups'] },
  scopes: ['openid', 'offline_access', 'email', 'profile', 'groups'],
  pkce: { required: () => true },
  issueRefreshToken: async () => true,
  findAccount: async (_context, subject) => {
    const person = people.get(subject);
    return person === undefined ? undefined : { accountId: subject, claims: async () => ({ sub: subject, ...person }) };
  },
  cookies: { keys: ['a key of cookies in tests'] },
});

/** The provider asks who it is, and whether the service may know; each is a form. */
async function logIn(url: string, browser: Browser, start: string | URL, subject: string): Promise<URL> {
  let answer: Visited = await browser.ask(start);
  for (let steps = 0; steps < 20; steps += 1) {
    const location = answer.headers.get('location');
    const next = location === null ? null : new URL(location, answer.url);
    if (next !== null && next.origin !== url) return next;
    if (next !== null) answer = await browser.ask(next);
    else answer = await submit(browser, answer, subject);
  }
  throw new Error('the provider asks without an end');
}

async function submit(browser: Browser, { text, url, status }: Visited, subject: string): Promise<Visited> {
  const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
  const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
  if (action === undefined || prompt === undefined) throw new Error(`no form of the provider: ${status} ${url.href} ${text.slice(0, 300)}`);
  return browser.ask(new URL(action, url), { form: { prompt, login: subject, password: 'any' } });
}
