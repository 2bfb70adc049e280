import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createTokenSigner, looksSigned } from './signed-token.js';

const signer = createTokenSigner('a secret of the test');
const refusal = (token: string) => signer.verify('access', token).catch((error: { code: string }) => error.code);
const key = new TextEncoder().encode('a secret of the test');
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

describe('signed tokens', () => {
  it('carry claims, time of issue and expiry', async () => {
    const token = await signer.sign('access', { id: 'u1', session: 's1' }, 900_000);
    const { claims, issuedAt, expiresAt } = await signer.verify('access', token);
    expect(claims).toMatchObject({ id: 'u1', session: 's1', iss: 'tain' });
    expect(expiresAt - issuedAt).toBe(900_000);
  });

  it('of one purpose are not accepted for another', async () => {
    const token = await signer.sign('invite', { id: 'u1' }, 900_000);
    expect(await refusal(token)).toBe('INVALID_TOKEN');
    await expect(signer.verify('password-reset', token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(signer.verify('invite', token)).resolves.toMatchObject({ claims: { id: 'u1' } });
  });

  it('are expired, not invalid, after their lifetime', async () => {
    expect(await refusal(await signer.sign('access', { id: 'u1' }, -1000))).toBe('TOKEN_EXPIRED');
  });

  it.each([
    ['of another key', () => createTokenSigner('another').sign('access', { id: 'u1' }, 900_000)],
    [
      'without a signature',
      async () => new UnsecuredJWT({ id: 'u1' }).setIssuedAt().setIssuer('tain').setExpirationTime(inAnHour).encode(),
    ],
    [
      'of another algorithm',
      () =>
        new SignJWT({ id: 'u1' })
          .setProtectedHeader({ alg: 'HS512' })
          .setIssuedAt()
          .setIssuer('tain')
          .setExpirationTime(inAnHour)
          .sign(key),
    ],
    [
      'of another issuer',
      () =>
        new SignJWT({ id: 'u1' })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuedAt()
          .setIssuer('other')
          .setExpirationTime(inAnHour)
          .sign(key),
    ],
    ['without an end', () => new SignJWT({ id: 'u1' }).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().setIssuer('tain').sign(key)],
    ['that only look like a token', async () => 'aaa.bbb.ccc'],
  ])('%s are invalid', async (_, make) => {
    expect(await refusal(await make())).toBe('INVALID_TOKEN');
  });

  it('differ from static ones by their three parts', () => {
    expect(['a.b.c', '..', 'a.b.c.d', 'a.b', 'abc', ''].map(looksSigned)).toEqual([true, true, false, false, false, false]);
  });
});
