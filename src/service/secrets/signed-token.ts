// Signed tokens (JWT). Algorithm and issuer are fixed, and a token of one purpose is never accepted for another. The package is loaded with
// the first token.

import { serviceError } from '../../core/errors/service-error.js';

const issuer = 'tain';
const algorithm = 'HS256';

/** `access` authenticates requests; the others are sent by mail and used once. */
type TokenPurpose = 'access' | 'password-reset' | 'invite' | 'verify-email';

type Claims = Readonly<Record<string, unknown>>;

export interface TokenSigner {
  sign(purpose: TokenPurpose, claims: Claims, lifetimeMs: number): Promise<string>;
  /** Resolves to the claims. TOKEN_EXPIRED for an expired token of this service, INVALID_TOKEN for anything else. */
  verify(purpose: TokenPurpose, token: string): Promise<SignedClaims>;
}

/** Times in milliseconds. */
export interface SignedClaims {
  readonly claims: Claims;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export function createTokenSigner(secret: string): TokenSigner {
  const key = new TextEncoder().encode(secret);
  return {
    async sign(purpose, claims, lifetimeMs) {
      const { SignJWT } = await import('jose');
      const now = Math.floor(Date.now() / 1000);
      const scoped = purpose === 'access' ? claims : { ...claims, scope: purpose };
      return new SignJWT({ ...scoped })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuedAt(now)
        .setExpirationTime(now + Math.ceil(lifetimeMs / 1000))
        .setIssuer(issuer)
        .sign(key);
    },
    async verify(purpose, token) {
      const claims = await readClaims(token, key);
      if ((claims['scope'] ?? 'access') !== purpose) throw invalidToken();
      return { claims, issuedAt: Number(claims['iat']) * 1000, expiresAt: Number(claims['exp']) * 1000 };
    },
  };
}

async function readClaims(token: string, key: Uint8Array): Promise<Claims> {
  const { errors, jwtVerify } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: [algorithm], issuer, requiredClaims: ['exp', 'iat'] });
    return payload;
  } catch (cause) {
    throw cause instanceof errors.JWTExpired ? tokenExpired() : invalidToken();
  }
}

export const invalidToken = () => serviceError('INVALID_TOKEN', 'Invalid token.');
export const tokenExpired = () => serviceError('TOKEN_EXPIRED', 'Token expired.');

/** True for three parts joined by dots. Anything else is a static token. */
export function looksSigned(token: string): boolean {
  const first = token.indexOf('.');
  const second = first < 0 ? -1 : token.indexOf('.', first + 1);
  return second > 0 && token.indexOf('.', second + 1) < 0;
}
