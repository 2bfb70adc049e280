import { authenticator } from 'otplib';
import { describe, expect, it } from 'vitest';
import { codeAddress, createCodeSecret, findCodeStep, isIssuedCodeSecret } from './one-time-code.js';

const secret = 'JBSWY3DPEHPK3PXP';
const now = 1_750_000_015_000;
const codeAt = (time: number) => authenticator.clone({ epoch: time }).generate(secret);

describe('one-time codes', () => {
  it('name the step they belong to', () => {
    expect(findCodeStep(secret, codeAt(now), now)).toBe(Math.floor(now / 30_000));
  });

  it('are good for the step before, never for a later or older one', () => {
    expect(findCodeStep(secret, codeAt(now - 30_000), now)).toBe(Math.floor(now / 30_000) - 1);
    expect(findCodeStep(secret, codeAt(now - 60_000), now)).toBeNull();
    expect(findCodeStep(secret, codeAt(now + 30_000), now)).toBeNull();
  });

  it('C14: only a secret this service gave to this user can be enabled', () => {
    const made = createCodeSecret('key', 'ann');
    expect(isIssuedCodeSecret('key', 'ann', made)).toBe(true);
    expect(isIssuedCodeSecret('key', 'bob', made)).toBe(false);
    expect(isIssuedCodeSecret('other', 'ann', made)).toBe(false);
    expect(isIssuedCodeSecret('key', 'ann', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')).toBe(false);
    expect(isIssuedCodeSecret('key', 'ann', '')).toBe(false);
  });

  it('that are none, or a secret that is none, match nothing', () => {
    expect(findCodeStep(secret, 'abcdef', now)).toBeNull();
    expect(findCodeStep('not base32!', codeAt(now), now)).toBeNull();
    expect(findCodeStep('', '000000', now)).toBeNull();
  });

  it('come with an address for the authenticator application', () => {
    const made = createCodeSecret('key', 'ann');
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(codeAddress('ann@example.com', 'Tain', made)).toBe(
      `otpauth://totp/Tain:ann%40example.com?secret=${made}&period=30&digits=6&algorithm=SHA1&issuer=Tain`,
    );
  });
});
