// Sealed texts (AES-256-GCM): only this service can read or change them, and they open only for what they were sealed about.

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Seal } from '../../core/engine/read/cursor.js';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Each purpose gets its own key, derived from the secret. `open` returns null for anything it did not seal. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = createHmac('sha256', secret).update(purpose).digest();
  return {
    seal: (text, about) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open: (token, about) => {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return null;
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      const opened = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      opened.setAAD(Buffer.from(about)).setAuthTag(tag);
      try {
        return opened.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + opened.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
