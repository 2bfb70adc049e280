// The token by which an OpenID provider reports a logout there (OpenID Connect Back-Channel Logout 1.0, 2.6).

import type { FetchImplementation, JWTVerifyGetKey } from 'jose';
import type { ServerMetadata } from 'openid-client';
import { isPlainObject } from '../../../../core/util/plain-object.js';
import { type EndedLogin, IdentityRefused } from '../provider.js';
import type { OpenidSettings } from '../settings/provider-settings.js';
import { isSafe } from '../settings/value-kinds.js';
import { boundedFetch } from './bounded-fetch.js';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Signatures with public keys only. With a shared key, everyone who knows the client secret could end sessions. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

const maxAgeSeconds = 300;

/** The keys of the provider. They are cached, so that a flood of invalid tokens causes no flood of requests to the provider. */
async function openKeys(name: string, keys: string): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await import('jose');
  const bounded = boundedFetch(name);
  const fetchKeys: FetchImplementation = (url, { headers, method, signal }) =>
    bounded(url, { headers: Object.fromEntries(headers), method, signal, redirect: 'manual', body: undefined });
  return createRemoteJWKSet(new URL(keys), { [customFetch]: fetchKeys });
}

/** The function throws unless the token is one of this provider, for this client, fresh, and names a user or a session. */
export function openLogoutReader(settings: OpenidSettings): (metadata: Readonly<ServerMetadata>, token: string) => Promise<EndedLogin> {
  let opened: { readonly at: string; readonly keys: Promise<JWTVerifyGetKey> } | null = null;
  return ({ issuer, jwks_uri: at }, token) => {
    if (at === undefined) throw new Error('the provider names no keys');
    // Keys that were fetched without HTTPS could have been replaced on the way.
    if (!isSafe(at)) throw new Error(`the keys at ${at} do not come by HTTPS`);
    if (opened?.at !== at) opened = { at, keys: openKeys(settings.name, at) };
    return readLogoutToken(settings, issuer, opened.keys, token);
  };
}

async function readLogoutToken(
  { clientId, identifierKey }: OpenidSettings,
  issuer: string,
  keys: Promise<JWTVerifyGetKey>,
  token: string,
): Promise<EndedLogin> {
  const { jwtVerify } = await import('jose');
  const { payload } = await jwtVerify(token, await keys, {
    ...{ issuer, audience: clientId, algorithms, maxTokenAge: maxAgeSeconds, requiredClaims: ['iat', 'jti', 'events'] },
  });
  const { events, sub, sid, jti, nonce } = payload;
  // An ID token has a nonce, and must not pass for a token of a logout.
  if (nonce !== undefined || !isPlainObject(events) || !isPlainObject(events[logoutEvent])) throw new Error('no token of a logout');
  if (jti === undefined) throw new Error('no id of the token');
  const ended = { issuer, id: jti, sessions: typeof sid === 'string' ? [sid] : [] };
  if (sub !== undefined && identifierKey === 'sub') return { ...ended, subject: sub };
  if (ended.sessions.length > 0) return { ...ended, subject: null };
  if (sub !== undefined) throw new IdentityRefused('users are identified by another claim than the one that logouts name');
  throw new IdentityRefused('the provider does not say who has logged out');
}
