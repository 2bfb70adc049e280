// Unguessable texts for tokens: 62 letters and digits, so that they pass through URLs, cookies and shells unchanged.

import { randomBytes } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would make the first letters likelier than the last. */
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
