// OpenID Connect by the authorisation code, always with PKCE, state and nonce. The signature of every ID token is verified, although the
// provider was asked directly.

import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import type { LoginChecks, ProvedIdentity, RedirectProvider } from '../provider.js';
import { ProviderAway } from '../provider.js';
import type { OpenidSettings } from '../settings/provider-settings.js';
import { boundedFetch } from './bounded-fetch.js';
import { authorizationParameters, clientAuth, loadPackage, type Package } from './client-auth.js';
import { openLogoutReader } from './logout-token.js';
import { probeClient } from './probe-client.js';
import { readClaims } from './read-claims.js';

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** How long a discovery document is cached. */
const keptMs = 3_600_000;

export async function openOpenid(settings: OpenidSettings): Promise<RedirectProvider> {
  const client = await loadPackage();
  const readLogout = openLogoutReader(settings);
  const configuration = keepFresh(() => discover(client, settings));
  const prove = async (config: Configuration, tokens: Tokens, issuer: string, subject: string): Promise<ProvedIdentity> => {
    const { userinfo_endpoint } = config.serverMetadata();
    const info = userinfo_endpoint === undefined ? {} : await client.fetchUserInfo(config, tokens.access_token, subject);
    const claims = tokens.claims();
    const proved = readClaims(settings, issuer, [claims ?? {}, info], tokens.refresh_token ?? null);
    return { ...proved, session: typeof claims?.['sid'] === 'string' ? claims['sid'] : null };
  };
  return {
    kind: 'redirect',
    async authorize(checks, prompt) {
      const parameters = { ...(await authorizationParameters(client, settings, checks, prompt)), nonce: checks.nonce };
      return client.buildAuthorizationUrl(await configuration(), parameters).href;
    },
    async redeem(checks, parameters) {
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, callbackUrl(checks, parameters), {
        ...{ pkceCodeVerifier: checks.verifier, expectedState: checks.state, expectedNonce: checks.nonce, idTokenExpected: true },
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the provider gave no ID token');
      return prove(config, tokens, claims.iss, claims.sub);
    },
    async renew(token, known) {
      const config = await configuration();
      const tokens = await client.refreshTokenGrant(config, token);
      const claims = tokens.claims();
      // Without a new ID token, the user info of the new access token must have the known subject.
      const subject = claims?.sub ?? (settings.identifierKey === 'sub' ? known : null);
      if (subject === null) throw new Error('the provider does not say whom it renewed');
      const proved = await prove(config, tokens, claims?.iss ?? config.serverMetadata().issuer, subject);
      return { ...proved, token: proved.token ?? token };
    },
    async probe(callback) {
      const config = await configuration();
      const { issuer } = config.serverMetadata();
      const answers = { level: 'good', code: 'ISSUER_ANSWERS', message: `The issuer ${issuer} answers.` } as const;
      return [answers, await probeClient(client, config, callback)];
    },
    readLogout: async (token) => readLogout((await configuration()).serverMetadata(), token),
    logoutUrl: async (target) => {
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: target, client_id: settings.clientId }).href;
    },
  };
}

export function callbackUrl({ callback }: LoginChecks, parameters: URLSearchParams): URL {
  const url = new URL(callback);
  url.search = parameters.toString();
  return url;
}

async function discover(client: Package, settings: OpenidSettings): Promise<Configuration> {
  const { name, issuerUrl, clientId, clientSecret, timeoutMs } = settings;
  try {
    const server = new URL(issuerUrl);
    const config = await client.discovery(
      server,
      clientId,
      { ...settings.client, ...(clientSecret === null ? {} : { client_secret: clientSecret }) },
      await clientAuth(client, settings),
      {
        timeout: timeoutMs / 1000,
        [client.customFetch]: boundedFetch(name),
        execute: [client.enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : [])],
      },
    );
    checkDocument(server, config.serverMetadata().issuer);
    return config;
  } catch (error) {
    throw error instanceof ProviderAway ? error : new ProviderAway(name, error);
  }
}

const documentPath = '/.well-known/openid-configuration';

/** Checks that the document belongs to the issuer, which the package does not do if it is given the address of the document. */
function checkDocument({ href, pathname }: URL, issuer: string): void {
  if (!pathname.includes('/.well-known/')) return;
  if (`${issuer.replace(/\/$/, '')}${documentPath}` !== href) throw new Error(`the document at ${href} is of another issuer: ${issuer}`);
}

/** Requests that come together share one discovery; one that fails is not kept. */
function keepFresh<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly until: number } | null = null;
  return () => {
    if (kept !== null && kept.until > Date.now()) return kept.value;
    const value = load();
    kept = { value, until: Date.now() + keptMs };
    value.catch(() => {
      kept = null;
    });
    return value;
  };
}
