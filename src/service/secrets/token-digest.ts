// How a token is stored and compared: as its SHA-256, so that a copy of the database opens nothing.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** 64 hexadecimal digits. Tokens are random, so a fast hash is enough; passwords are not, see hash-password.ts. */
export const digestToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** For texts that may hold a password: without the secret nobody can try guesses. */
export const digestWith = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** Equal texts, in a time that does not tell where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}
