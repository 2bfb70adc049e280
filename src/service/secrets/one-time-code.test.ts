import { authenticator } from 'otplib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeAddress, createCodeSecret, findCodeStep, isIssuedCodeSecret } from './one-time-code.js';

const secret = 'JBSWY3DPEHPK3PXP';
const now = 1_750_000_015_000;
const codeAt = (time: number) => authenticator.clone({ epoch: time }).generate(secret);

beforeAll(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

describe('one-time codes', () => {
  it('name the step they belong to', async () => {
    expect(await findCodeStep(secret, codeAt(now))).toBe(Math.floor(now / 30_000));
  });

  it('are accepted for the previous step, never for a later or older one', async () => {
    expect(await findCodeStep(secret, codeAt(now - 30_000))).toBe(Math.floor(now / 30_000) - 1);
    expect(await findCodeStep(secret, codeAt(now - 60_000))).toBeNull();
    expect(await findCodeStep(secret, codeAt(now + 30_000))).toBeNull();
  });

  it('C14: only a secret that this service issued to this user can be enabled', () => {
    const made = createCodeSecret('key', 'ann');
    expect(isIssuedCodeSecret('key', 'ann', made)).toBe(true);
    expect(isIssuedCodeSecret('key', 'bob', made)).toBe(false);
    expect(isIssuedCodeSecret('other', 'ann', made)).toBe(false);
    expect(isIssuedCodeSecret('key', 'ann', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')).toBe(false);
    expect(isIssuedCodeSecret('key', 'ann', '')).toBe(false);
  });

  it('match nothing when the code or the secret is malformed', async () => {
    expect(await findCodeStep(secret, 'abcdef')).toBeNull();
    expect(await findCodeStep('not base32!', codeAt(now))).toBeNull();
    expect(await findCodeStep('', '000000')).toBeNull();
  });

  it('have a URL for authenticator applications', async () => {
    const made = createCodeSecret('key', 'ann');
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(await codeAddress('ann@example.com', 'Tain', made)).toBe(
      `otpauth://totp/Tain:ann%40example.com?secret=${made}&period=30&digits=6&algorithm=SHA1&issuer=Tain`,
    );
  });
});
