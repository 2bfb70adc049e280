// Tokens: how they are generated, stored and compared. The database holds SHA-256 digests, so a copy of it opens nothing.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 62 letters and digits, which pass through URLs, cookies and shells unchanged. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on are discarded: they would make the first letters of the alphabet more likely than the last. */
const fairBytes = 256 - (256 % alphabet.length);

export function randomToken(length: number): string {
  let token = '';
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fairBytes && token.length < length) token += alphabet.charAt(byte % alphabet.length);
    }
  }
  return token;
}

/** 64 hexadecimal digits. A fast hash is enough because tokens are random; for passwords see hash-password.ts. */
export const digestToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** For text that may contain a password: guesses cannot be tried without the secret. */
export const digestWith = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}
