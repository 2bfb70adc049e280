import { describe, expect, it } from 'vitest';
import { hashPassword, isPasswordHash, verifyPassword } from './hash-password.js';

describe('passwords', () => {
  it('are argon2id texts that verify', async () => {
    const stored = await hashPassword('correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(isPasswordHash(stored)).toBe(true);
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
    expect(await verifyPassword(stored, 'correct horsf')).toBe(false);
  });

  it('refuse everybody without a readable stored text', async () => {
    expect(await verifyPassword(null, 'anything')).toBe(false);
    expect(await verifyPassword('plain', 'plain')).toBe(false);
    expect(await verifyPassword('', '')).toBe(false);
  });
});
