// The service as the client of a provider: how it asks for an authorisation, and how it proves that it is the client.

import type { ClientAuth } from 'openid-client';
import type { LoginChecks } from '../provider.js';
import type { authMethods, ClientProviderSettings } from '../settings/provider-settings.js';

/** The package is loaded with the first driver that needs it. */
export const loadPackage = () => import('openid-client');
export type Package = Awaited<ReturnType<typeof loadPackage>>;

/** What asks for an authorisation code, always with PKCE. */
export const authorizationParameters = async (
  client: Package,
  { params, scope }: ClientProviderSettings,
  { callback, state, verifier }: LoginChecks,
  prompt: string | null,
): Promise<Record<string, string>> => ({
  ...params,
  ...(prompt === null ? {} : { prompt }),
  ...{ redirect_uri: callback, scope, state },
  ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
});

export async function clientAuth(
  { ClientSecretBasic, ClientSecretJwt, ClientSecretPost, None, PrivateKeyJwt }: Package,
  { authMethod, clientSecret, privateKeys }: ClientProviderSettings,
): Promise<ClientAuth> {
  const [jwk] = privateKeys;
  const secret = clientSecret ?? undefined;
  switch (authMethod ?? defaultMethod(jwk !== undefined, clientSecret !== null)) {
    case 'client_secret_basic':
      return ClientSecretBasic(secret);
    case 'client_secret_post':
      return ClientSecretPost(secret);
    case 'client_secret_jwt':
      return ClientSecretJwt(secret);
    case 'private_key_jwt':
      if (jwk === undefined) throw new Error('private_key_jwt needs CLIENT_PRIVATE_KEYS');
      return PrivateKeyJwt(await importKey(jwk));
    case 'none':
      return None();
  }
}

const defaultMethod = (hasKey: boolean, hasSecret: boolean): (typeof authMethods)[number] =>
  hasKey ? 'private_key_jwt' : hasSecret ? 'client_secret_basic' : 'none';

async function importKey(jwk: Readonly<Record<string, unknown>>) {
  const { importJWK } = await import('jose');
  const key = await importJWK(jwk, typeof jwk['alg'] === 'string' ? jwk['alg'] : 'RS256');
  if (key instanceof Uint8Array) throw new Error('CLIENT_PRIVATE_KEYS holds a key that both sides share, and not a private one');
  return typeof jwk['kid'] === 'string' ? { key, kid: jwk['kid'] } : key;
}
