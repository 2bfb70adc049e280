// OAuth2 with endpoints of the settings, for providers without OpenID Connect: the profile is read from an address of the provider with the
// access token. GitHub keeps the addresses of its users apart from the profile, and says there which are verified.

import type { Configuration, TokenEndpointResponse } from 'openid-client';
import type { RedirectProvider } from '../provider.js';
import type { Oauth2Settings } from '../settings/provider-settings.js';
import { boundedFetch } from './bounded-fetch.js';
import { authorizationParameters, clientAuth, loadPackage, type Package } from './client-auth.js';
import { callbackUrl } from './openid.js';
import { probeClient } from './probe-client.js';
import { type Claims, readClaims } from './read-claims.js';

export async function openOauth2(settings: Oauth2Settings): Promise<RedirectProvider> {
  const client = await loadPackage();
  const config = await configure(client, settings);
  const issuer = new URL(settings.accessUrl).origin;
  const prove = async ({ access_token, refresh_token }: TokenEndpointResponse) => {
    const read = (address: string): Promise<unknown> => readJson(client, config, access_token, address);
    const profile = (await read(settings.profileUrl)) as Claims;
    const addresses = settings.emailsUrl === null ? [] : await read(settings.emailsUrl);
    return readClaims(settings, issuer, [profile, primaryAddress(settings.emailKey, addresses)], refresh_token ?? null);
  };
  return {
    kind: 'redirect',
    async authorize(checks, prompt) {
      return client.buildAuthorizationUrl(config, await authorizationParameters(client, settings, checks, prompt)).href;
    },
    async redeem(checks, parameters) {
      // The settings do not name the issuer, so there is nothing to compare it with; each provider has a callback of its own instead.
      const known = new URLSearchParams([...parameters].filter(([name]) => name !== 'iss'));
      return prove(
        await client.authorizationCodeGrant(config, callbackUrl(checks, known), {
          ...{ pkceCodeVerifier: checks.verifier, expectedState: checks.state },
        }),
      );
    },
    async renew(token) {
      const proved = await prove(await client.refreshTokenGrant(config, token));
      return { ...proved, token: proved.token ?? token };
    },
    probe: async (callback) => [await probeClient(client, config, callback)],
    readLogout: null,
    logoutUrl: null,
  };
}

async function configure(client: Package, settings: Oauth2Settings): Promise<Configuration> {
  const { authorizeUrl, accessUrl, profileUrl, clientId, clientSecret, timeoutMs } = settings;
  const server = {
    issuer: new URL(accessUrl).origin,
    authorization_endpoint: authorizeUrl,
    token_endpoint: accessUrl,
    userinfo_endpoint: profileUrl,
  };
  const metadata = { ...settings.client, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
  const config = new client.Configuration(server, clientId, metadata, await clientAuth(client, settings));
  config.timeout = timeoutMs / 1000;
  config[client.customFetch] = boundedFetch(settings.name);
  if ([accessUrl, profileUrl].some((address) => address.startsWith('http:'))) client.allowInsecureRequests(config);
  return config;
}

async function readJson(client: Package, config: Configuration, token: string, address: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' });
  const response = await client.fetchProtectedResource(config, token, new URL(address), 'GET', undefined, headers);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.json();
}

interface Address {
  readonly email?: unknown;
  readonly primary?: unknown;
  readonly verified?: unknown;
}

/** The primary address, if the provider lists addresses. */
function primaryAddress(emailKey: string, addresses: unknown): Claims {
  if (!Array.isArray(addresses)) return {};
  const primary = (addresses as readonly Address[]).find((entry) => entry.primary === true);
  if (primary === undefined) return {};
  return { email: primary.email, [emailKey]: primary.email, email_verified: primary.verified === true };
}
