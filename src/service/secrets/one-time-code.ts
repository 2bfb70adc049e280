// Time-based one-time codes (RFC 6238: SHA-1, 6 digits, 30 s). The code of the previous step is accepted as well, for slow users and
// clocks. A code can be used once; the caller ensures that by storing the step that `findCodeStep` returns.

import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from './token.js';

const stepMs = 30_000;
/** Number of previous steps that are accepted. Codes of future steps are not. */
const acceptedPast = 1;

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const randomLength = 16;

/**
 * 32 letters of base32. The second half proves that this service issued the secret to this user, so that a user cannot enable a secret
 * chosen by an attacker.
 */
export function createCodeSecret(key: string, user: string): string {
  const random = toBase32(randomBytes(randomLength));
  return random + proof(key, user, random);
}

export const isIssuedCodeSecret = (key: string, user: string, secret: string): boolean =>
  isSameSecret(secret.slice(randomLength), proof(key, user, secret.slice(0, randomLength)));

const proof = (key: string, user: string, random: string): string =>
  toBase32(createHmac('sha256', key).update(`one-time-code ${user} ${random}`).digest().subarray(0, randomLength));

const toBase32 = (bytes: Uint8Array): string => [...bytes].map((byte) => base32.charAt(byte % base32.length)).join('');

/** Loaded with the first code. */
const otplib = () => import('otplib');

/** The `otpauth:` URL that authenticator applications scan. */
export const codeAddress = async (account: string, project: string, secret: string): Promise<string> =>
  (await otplib()).authenticator.keyuri(account, project, secret);

/** The time step that the code belongs to; null when the code is wrong. */
export async function findCodeStep(secret: string, code: string): Promise<number | null> {
  if (!/^\d{6}$/.test(code) || !isCodeSecret(secret)) return null;
  const { authenticator } = await otplib();
  const now = Date.now();
  const delta = authenticator.clone({ epoch: now, step: stepMs / 1000, window: [acceptedPast, 0] }).checkDelta(code, secret);
  return delta === null ? null : Math.floor(now / stepMs) + delta;
}

/** Base32 of at least 80 bits. */
export const isCodeSecret = (text: string): boolean => /^[A-Z2-7]{16,128}=*$/.test(text);
