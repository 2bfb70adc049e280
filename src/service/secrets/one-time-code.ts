// Time-based one-time codes (RFC 6238: SHA-1, 6 digits, 30 s). The code of the previous step is accepted as well, for slow users and
// clocks. A code can be used once; the caller ensures that by storing the step that `findCodeStep` returns.

import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from './token.js';

const stepMs = 30_000;
/** Number of previous steps that are accepted. Codes of future steps are not. */
const acceptedPast = 1;
const digits = 6;

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

/** The `otpauth:` URL that authenticator applications scan. */
export const codeAddress = (account: string, project: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(project)}:${encodeURIComponent(account)}?secret=${secret}&period=${stepMs / 1000}` +
  `&digits=${digits}&algorithm=SHA1&issuer=${encodeURIComponent(project)}`;

/** The time step that the code belongs to; null when the code is wrong. */
export function findCodeStep(secret: string, code: string): number | null {
  if (!/^\d{6}$/.test(code) || !isCodeSecret(secret)) return null;
  const key = fromBase32(secret);
  const now = Math.floor(Date.now() / stepMs);
  for (let step = now; step >= now - acceptedPast; step -= 1) if (isSameSecret(codeOf(key, step), code)) return step;
  return null;
}

/** RFC 4226: the step counted in eight bytes, signed; four bytes of the signature, found by its last letter, are the code. */
function codeOf(key: Uint8Array, step: number): string {
  const counted = Buffer.alloc(8);
  counted.writeBigUInt64BE(BigInt(step));
  const signature = createHmac('sha1', key).update(counted).digest();
  const at = signature.readUInt8(signature.length - 1) & 0x0f;
  const number = signature.readUInt32BE(at) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Five bits for each letter; bits that do not fill a byte are dropped. */
function fromBase32(text: string): Uint8Array {
  const letters = text.replace(/=+$/, '');
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const letter of letters) {
    bits = ((bits << 5) | base32.indexOf(letter)) & 0xfff;
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = (bits >> held) & 0xff;
  }
  return bytes;
}

/** Base32 of at least 80 bits. */
export const isCodeSecret = (text: string): boolean => /^[A-Z2-7]{16,128}=*$/.test(text);
