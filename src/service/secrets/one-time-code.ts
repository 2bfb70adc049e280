// Time-based one-time codes (RFC 6238: SHA-1, 6 digits, 30 s). The step before the present one is accepted too, for slow hands and
// clocks; every step is good for one use, which the caller ensures by storing the step that is returned here.

import { createHmac, randomBytes } from 'node:crypto';
import { authenticator } from 'otplib';
import { isSameSecret } from './token-digest.js';

const stepMs = 30_000;
/** Steps before the present one. None after it: a clock that runs ahead is a clock to be set. */
const acceptedPast = 1;

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const randomLength = 16;

/** 32 letters of base32, the second half of which proves that this service gave it to this user: nobody enables a secret of his own. */
export function createCodeSecret(key: string, user: string): string {
  const chance = toBase32(randomBytes(randomLength));
  return chance + proof(key, user, chance);
}

export const isIssuedCodeSecret = (key: string, user: string, secret: string): boolean =>
  isSameSecret(secret.slice(randomLength), proof(key, user, secret.slice(0, randomLength)));

const proof = (key: string, user: string, chance: string): string =>
  toBase32(createHmac('sha256', key).update(`one-time-code ${user} ${chance}`).digest().subarray(0, randomLength));

const toBase32 = (bytes: Uint8Array): string => [...bytes].map((byte) => base32.charAt(byte % base32.length)).join('');

export const codeAddress = (account: string, project: string, secret: string): string => authenticator.keyuri(account, project, secret);

/** The step whose code this is, or null. */
export function findCodeStep(secret: string, code: string, now = Date.now()): number | null {
  if (!/^\d{6}$/.test(code) || !isCodeSecret(secret)) return null;
  const delta = authenticator.clone({ epoch: now, step: stepMs / 1000, window: [acceptedPast, 0] }).checkDelta(code, secret);
  return delta === null ? null : Math.floor(now / stepMs) + delta;
}

/** Base32 of at least 80 bits. */
export const isCodeSecret = (text: string): boolean => /^[A-Z2-7]{16,128}=*$/.test(text);
