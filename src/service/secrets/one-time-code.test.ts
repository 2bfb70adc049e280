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
  it('are those of other authenticators, for secrets of any length', () => {
    for (let length = 16; length <= 40; length += 1) {
      const long = createCodeSecret('key', 'ann').repeat(2).slice(0, length);
      for (const time of [now, now + 12_345_678_000]) {
        vi.setSystemTime(time);
        expect(findCodeStep(long, authenticator.clone({ epoch: time }).generate(long)), long).toBe(Math.floor(time / 30_000));
      }
    }
    vi.setSystemTime(now);
  });

  it('have their leading zeros', () => {
    const early = [...Array(100).keys()].map((step) => now + step * 30_000).find((time) => codeAt(time).startsWith('0'));
    vi.setSystemTime(early ?? 0);
    expect(findCodeStep(secret, codeAt(early ?? 0))).not.toBeNull();
    vi.setSystemTime(now);
  });

  it('name the step they belong to', () => {
    expect(findCodeStep(secret, codeAt(now))).toBe(Math.floor(now / 30_000));
  });

  it('are accepted for the previous step, never for a later or older one', () => {
    expect(findCodeStep(secret, codeAt(now - 30_000))).toBe(Math.floor(now / 30_000) - 1);
    expect(findCodeStep(secret, codeAt(now - 60_000))).toBeNull();
    expect(findCodeStep(secret, codeAt(now + 30_000))).toBeNull();
  });

  it('C14: only a secret that this service issued to this user can be enabled', () => {
    const made = createCodeSecret('key', 'ann');
    expect(isIssuedCodeSecret('key', 'ann', made)).toBe(true);
    expect(isIssuedCodeSecret('key', 'bob', made)).toBe(false);
    expect(isIssuedCodeSecret('other', 'ann', made)).toBe(false);
    expect(isIssuedCodeSecret('key', 'ann', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')).toBe(false);
    expect(isIssuedCodeSecret('key', 'ann', '')).toBe(false);
  });

  it('match nothing when the code or the secret is malformed', () => {
    expect(findCodeStep(secret, 'abcdef')).toBeNull();
    expect(findCodeStep('not base32!', codeAt(now))).toBeNull();
    expect(findCodeStep('', '000000')).toBeNull();
  });

  it('have a URL for authenticator applications', () => {
    const made = createCodeSecret('key', 'ann');
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(codeAddress('ann@example.com', 'Tain', made)).toBe(
      `otpauth://totp/Tain:ann%40example.com?secret=${made}&period=30&digits=6&algorithm=SHA1&issuer=Tain`,
    );
  });
});
