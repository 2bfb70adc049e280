// A provider that forges what a test asks for: it implements OpenID Connect without a login form.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

/** What is wrong with its answers; nothing by default. */
export interface Mischief {
  /** Claims of the ID token, in place of the right ones. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs by a key that is not in its list. */
  readonly otherKey?: boolean;
  /** Claims no algorithm, and signs nothing. */
  readonly unsigned?: boolean;
  /** Signs by a key that both sides know: the secret of the client, or the public key taken for a secret. */
  readonly sharedKey?: 'the secret' | 'the public key';
  /** Parameters of the callback, in place of the right ones; null leaves one out. */
  readonly callback?: Readonly<Record<string, string | null>>;
  /** Claims of the user information, in place of the right ones. */
  readonly info?: Readonly<Record<string, unknown>>;
  /** The subject of the user information, which is another than that of the ID token. */
  readonly otherSubject?: string;
  /** Gives a refresh token that is good once, and another one for it. */
  readonly rotates?: boolean;
  /** Answers every request by this status. */
  readonly status?: number;
}

export interface CrookedProvider {
  readonly url: string;
  mischief: Mischief;
  /** The correct claims of the user who logs in. */
  person: Readonly<Record<string, unknown>>;
  /** Signs claims as the provider does, for tokens that it sends by itself. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** How often its keys were asked for. */
  keysAsked: number;
  /** The last requests for tokens. */
  readonly exchanges: URLSearchParams[];
  stop(): Promise<void>;
}

export async function startCrookedProvider(): Promise<CrookedProvider> {
  const [own, other] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  const publicKey = await exportSPKI(own.publicKey);
  const nonces = new Map<string, string>();
  const refreshTokens = new Set<string>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: CrookedProvider = {
    url,
    mischief: {},
    person: { sub: 'somebody' },
    exchanges: [],
    keysAsked: 0,
    sign: (claims) => {
      const key = provider.mischief.otherKey === true ? other.privateKey : own.privateKey;
      return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key);
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function idToken(nonce: string): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: url, aud: 'tain', iat: now, exp: now + 300, nonce, ...provider.person, ...provider.mischief.claims };
    if (provider.mischief.unsigned === true) {
      const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${encode({ alg: 'none' })}.${encode(claims)}.`;
    }
    const { sharedKey } = provider.mischief;
    if (sharedKey === undefined) return provider.sign(claims);
    const secret = new TextEncoder().encode(sharedKey === 'the secret' ? 'shared' : publicKey);
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'own' }).sign(secret);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(request.url ?? '/', url);
    const { mischief, person } = provider;
    const json = (value: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (asked.pathname.startsWith('/silent')) return;
    if (asked.pathname.startsWith('/endless')) return sendOn(response);
    if (mischief.status !== undefined) return json({ error: 'server_error' }, mischief.status);
    switch (asked.pathname) {
      case '/keyless/.well-known/openid-configuration':
      case '/.well-known/openid-configuration': {
        const isWhole = !asked.pathname.startsWith('/keyless');
        return json({
          issuer: isWhole ? url : `${url}/keyless`,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          userinfo_endpoint: `${url}/userinfo`,
          // Its keys come by HTTP from elsewhere, where nothing answers.
          jwks_uri: isWhole ? `${url}/keys` : 'http://192.0.2.1/keys',
          end_session_endpoint: `${url}/end`,
          authorization_response_iss_parameter_supported: true,
          id_token_signing_alg_values_supported: ['RS256'],
        });
      }
      case '/keys':
        provider.keysAsked += 1;
        return json({ keys: [jwk] });
      case '/authorize': {
        const code = `code-${nonces.size + 1}`;
        nonces.set(code, asked.searchParams.get('nonce') ?? '');
        const target = new URL(asked.searchParams.get('redirect_uri') ?? url);
        const sent = { code, state: asked.searchParams.get('state'), iss: url, ...mischief.callback };
        for (const [name, value] of Object.entries(sent)) if (value !== null) target.searchParams.set(name, value);
        response.writeHead(302, { location: target.href }).end();
        return;
      }
      case '/token': {
        const form = new URLSearchParams(await textOf(request));
        provider.exchanges.push(form);
        const nonce = nonces.get(form.get('code') ?? '');
        if (nonce === undefined && !refreshTokens.delete(form.get('refresh_token') ?? '')) return json({ error: 'invalid_grant' }, 400);
        // Without a nonce the request is not one of OpenID Connect.
        const more = nonce === undefined || nonce === '' ? {} : { id_token: await idToken(nonce) };
        const refresh_token = `refresh-${provider.exchanges.length}`;
        if (mischief.rotates === true) refreshTokens.add(refresh_token);
        const again = mischief.rotates === true ? { refresh_token } : {};
        return json({ access_token: 'an-access-token', token_type: 'bearer', expires_in: 300, ...more, ...again });
      }
      case '/userinfo':
        return json({ ...person, ...mischief.info, ...(mischief.otherSubject === undefined ? {} : { sub: mischief.otherSubject }) });
      // The shape of GitHub.
      case '/user':
        return json(person['profile'] ?? person);
      case '/user/emails':
        return json(person['emails'] ?? []);
      default:
        return json({ error: 'not_found' }, 404);
    }
  }
  return provider;
}

/** A body without an end, as fast as it is read. */
function sendOn(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const part = `"${'x'.repeat(65_536)}",`;
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', more).write('[');
  more();
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
