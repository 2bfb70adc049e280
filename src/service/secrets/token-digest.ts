// How a token is stored and compared: as its SHA-256, so that a copy of the database opens nothing.

import { createHash, timingSafeEqual } from 'node:crypto';

/** 64 hexadecimal digits. Tokens are random, so a fast hash is enough; passwords are not, see hash-password.ts. */
export const digestToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Equal texts, in a time that does not tell where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}
