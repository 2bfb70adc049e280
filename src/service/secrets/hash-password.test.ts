import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './hash-password.js';

describe('passwords', () => {
  it('become argon2id hashes that verify', async () => {
    const stored = await hashPassword('correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
    expect(await verifyPassword(stored, 'correct horsf')).toBe(false);
  });

  it('never match without a readable hash', async () => {
    expect(await verifyPassword(null, 'anything')).toBe(false);
    expect(await verifyPassword('plain', 'plain')).toBe(false);
    expect(await verifyPassword('', '')).toBe(false);
  });
});
