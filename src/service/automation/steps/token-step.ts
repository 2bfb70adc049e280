// JSON web tokens: signed, verified, or just read. The package is loaded with the first of them.

import { createSecretKey, type KeyObject } from 'node:crypto';
import type { importPKCS8 as importKey, JWTPayload, JWTVerifyOptions } from 'jose';
import { invalidPayload, ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import { type StepCall, type StepType, stepType } from './step.js';

export const tokenSteps: Readonly<Record<string, StepType>> = {
  'json-web-token': stepType(async ({ options }) => workOnToken(options), { documents: ['payload'] }),
};

async function workOnToken(options: StepCall['options']): Promise<unknown> {
  const further = isPlainObject(options['options']) ? options['options'] : {};
  switch (options['operation']) {
    case 'sign':
      return sign(options['payload'], options['secret'], further);
    case 'verify':
      return verify(tokenOf(options['token']), options['secret'], further);
    case 'decode':
      return decode(options['token']);
    default:
      throw invalidPayload('"operation" has to be "sign", "verify" or "decode".');
  }
}

async function sign(payload: unknown, secret: unknown, options: PlainObject): Promise<string> {
  if (!isPlainObject(payload)) throw invalidPayload('"payload" has to be an object.');
  const { SignJWT } = await import('jose');
  const algorithm = String(options['algorithm'] ?? 'HS256');
  const token = new SignJWT({ ...payload }).setProtectedHeader({ alg: algorithm, typ: 'JWT' });
  if (options['noTimestamp'] !== true && payload['iat'] === undefined) token.setIssuedAt();
  const { expiresIn, notBefore, audience, issuer, subject, jwtid } = options;
  if (expiresIn !== undefined) token.setExpirationTime(typeof expiresIn === 'number' ? `${expiresIn}s` : String(expiresIn));
  if (notBefore !== undefined) token.setNotBefore(typeof notBefore === 'number' ? `${notBefore}s` : String(notBefore));
  if (audience !== undefined) token.setAudience(Array.isArray(audience) ? audience.map(String) : String(audience));
  if (issuer !== undefined) token.setIssuer(String(issuer));
  if (subject !== undefined) token.setSubject(String(subject));
  if (jwtid !== undefined) token.setJti(String(jwtid));
  return token
    .sign(await keyOf(secret, algorithm, 'private'))
    .catch(refuse('The token cannot be signed: secret and algorithm do not fit.'));
}

async function verify(token: string, secret: unknown, options: PlainObject): Promise<JWTPayload> {
  const { decodeProtectedHeader, jwtVerify } = await import('jose');
  const named = Array.isArray(options['algorithms']) ? options['algorithms'].map(String) : null;
  try {
    const { alg = '' } = decodeProtectedHeader(token);
    // A secret text is for HMAC and a key in PEM for the others, so that a public key is never taken for a secret.
    const key = await keyOf(secret, alg, 'public');
    const { audience, issuer, subject, maxAge, clockTolerance } = options;
    const wanted: JWTVerifyOptions = {
      algorithms: named ?? [alg],
      ...(audience === undefined ? {} : { audience: Array.isArray(audience) ? audience.map(String) : String(audience) }),
      ...(issuer === undefined ? {} : { issuer: Array.isArray(issuer) ? issuer.map(String) : String(issuer) }),
      ...(subject === undefined ? {} : { subject: String(subject) }),
      ...(maxAge === undefined ? {} : { maxTokenAge: typeof maxAge === 'number' ? maxAge : String(maxAge) }),
      ...(typeof clockTolerance === 'number' ? { clockTolerance } : {}),
    };
    return (await jwtVerify(token, key, wanted)).payload;
  } catch (error) {
    throw error instanceof ServiceError ? error : serviceError('INVALID_TOKEN', 'Invalid token.', {}, error);
  }
}

async function decode(token: unknown): Promise<JWTPayload | null> {
  const { decodeJwt } = await import('jose');
  try {
    return decodeJwt(String(token));
  } catch {
    return null;
  }
}

async function keyOf(
  secret: unknown,
  algorithm: string,
  kind: 'private' | 'public',
): Promise<KeyObject | Awaited<ReturnType<typeof importKey>>> {
  if (typeof secret !== 'string' || secret === '') throw invalidPayload('"secret" is missing.');
  const isPem = secret.includes('-----BEGIN');
  if (algorithm.startsWith('HS') && !isPem) return createSecretKey(Buffer.from(secret, 'utf8'));
  if (algorithm.startsWith('HS') || !isPem) throw invalidPayload(`"secret" is no key for "${algorithm.slice(0, 20)}".`);
  const { importPKCS8, importSPKI, importX509 } = await import('jose');
  const failed = refuse(`"secret" is no key for "${algorithm.slice(0, 20)}".`);
  if (kind === 'private') return importPKCS8(secret, algorithm).catch(failed);
  return (secret.includes('BEGIN CERTIFICATE') ? importX509(secret, algorithm) : importSPKI(secret, algorithm)).catch(failed);
}

const refuse =
  (reason: string) =>
  (error: unknown): never => {
    throw error instanceof ServiceError ? error : invalidPayload(reason);
  };

function tokenOf(token: unknown): string {
  if (typeof token !== 'string' || token === '') throw invalidPayload('"token" is missing.');
  return token;
}
