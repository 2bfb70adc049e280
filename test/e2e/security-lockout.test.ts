// Security case H08: whatever attackers try on an account, its owner can sign in. Addresses come from a trusted proxy's header.

import { authenticator } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { linkOf, type MailBox, openMailBox } from '../harness/mail-box.js';
import { codeOf, makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

/** A little less than strangers have to wait. */
const waitMs = 4_500;

describeVendorsTogether('nobody is locked out by others', (vendor) => {
  let service: TestService;
  let mailBox: MailBox;
  beforeAll(async () => {
    mailBox = await openMailBox();
    const config = { rateLimit: 1_000, trustProxy: true, mailUrl: mailBox.url, publicUrl: 'https://data.example.com' };
    service = await startService(vendor, { area: 'lockout', config });
  });
  afterAll(async () => {
    await service.stop();
    await mailBox.close();
  });

  const at = (address: string) => ({ 'x-forwarded-for': address });
  const login = ({ email, password }: Pick<Person, 'email' | 'password'>, address: string, more: object = {}): Promise<Answer> =>
    service.as(null).post('/auth/login', { email, password, ...more }, at(address));
  const timed = async (asking: () => Promise<Answer>): Promise<{ readonly code: string; readonly ms: number }> => {
    const started = performance.now();
    return { code: codeOf(await asking()), ms: performance.now() - started };
  };
  /** Of some tries the quickest: on a busy machine any may take long, but an address that has to wait waits each time. */
  const quickest = async (asking: () => Promise<Answer>): Promise<{ readonly codes: ReadonlySet<string>; readonly ms: number }> => {
    const tries = [await timed(asking)];
    while (tries.length < 8 && Math.min(...tries.map(({ ms }) => ms)) >= waitMs) tries.push(await timed(asking));
    return { codes: new Set(tries.map(({ code }) => code)), ms: Math.min(...tries.map(({ ms }) => ms)) };
  };
  /** Wrong passwords from so many addresses, two from each. */
  const attack = (email: string, addresses: number, network: string): Promise<readonly Answer[]> =>
    Promise.all(
      Array.from({ length: addresses * 2 }, (_, index) => login({ email, password: 'wrong' }, `${network}.${Math.floor(index / 2) + 1}`)),
    );

  it('H08: sixty wrong passwords from many addresses suspend no account, and the owner logs in meanwhile', async () => {
    const owner = await makePerson(service, []);
    const { access_token } = (await login(owner, '198.51.100.7')).body.data;
    const unknown = 'nobody-at-all@example.com';
    const attacking = attack(owner.email, 30, '203.0.113');
    const attackingNobody = attack(unknown, 30, '203.0.113');
    const meanwhile = await Promise.all([login(owner, '198.51.100.7'), login(owner, '192.0.2.55')]);
    expect(meanwhile.map(codeOf)).toEqual(['200', '200']);
    expect(new Set((await attacking).map(codeOf))).toEqual(new Set(['401 INVALID_CREDENTIALS']));
    expect((await service.api.get(`/users/${owner.id}?fields=status`)).body.data.status).toBe('active');
    for (const token of [access_token, owner.token]) expect((await service.as(token).get('/users/me?fields=id')).status).toBe(200);
    // With the attack in the books strangers wait, whether the account exists or not; the owner's address does not.
    await attackingNobody;
    const [guess, ghost, away] = await Promise.all([
      timed(() => login({ ...owner, password: 'wrong' }, '192.0.2.77')),
      timed(() => login({ email: unknown, password: 'wrong' }, '192.0.2.77')),
      login(owner, '2001:db8:1:2::9'),
    ]);
    expect(Math.min(guess.ms, ghost.ms)).toBeGreaterThan(waitMs);
    const home = await quickest(() => login(owner, '198.51.100.7'));
    expect(away.status).toBe(200);
    // A session began in this /64 by now.
    const near = await quickest(() => login(owner, '2001:db8:1:2::a'));
    for (const { codes, ms } of [home, near]) {
      expect(codes).toEqual(new Set(['200']));
      expect(ms).toBeLessThan(waitMs);
    }
  });

  it('H08: one address is refused after ten tries, for this account and for all, and no other address is', async () => {
    const owner = await makePerson(service, []);
    const guess = async (): Promise<string> => codeOf(await login({ ...owner, password: 'wrong' }, '203.0.113.200'));
    expect(await Promise.all(Array.from({ length: 10 }, guess))).toEqual(new Array(10).fill('401 INVALID_CREDENTIALS'));
    for (let count = 0; count < 2; count += 1) expect(await guess()).toBe('429 REQUESTS_EXCEEDED');
    expect(codeOf(await login(await makePerson(service, []), '203.0.113.200'))).toBe('429 REQUESTS_EXCEEDED');
    expect((await login(owner, '203.0.113.201')).status).toBe(200);
  });

  it('H08: `auth_login_attempts` says when strangers begin to wait; null: never', async () => {
    const owner = await makePerson(service, []);
    await service.api.patch('/settings', { auth_login_attempts: null });
    await attack(owner.email, 30, '203.0.113');
    // Each from an address without a session.
    let address = 0;
    const never = await quickest(() => {
      address += 1;
      return login(owner, `192.0.2.${address}`);
    });
    await service.api.patch('/settings', { auth_login_attempts: 25 });
    const now = await timed(() => login(owner, '192.0.2.100'));
    expect([...never.codes, now.code]).toEqual(['200', '200']);
    expect(now.ms).toBeGreaterThan(waitMs);
    expect(never.ms).toBeLessThan(waitMs);
  });

  it('H08: letters asked for by strangers are few, and the owner can still ask', async () => {
    const { email } = await makePerson(service, []);
    const ask = (address: string) => service.as(null).post('/auth/password/request', { email }, at(address));
    const asked = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(`203.0.113.${index + 1}`)));
    expect(new Set(asked.map(codeOf))).toEqual(new Set(['204']));
    expect(codeOf(await ask('198.51.100.8'))).toBe('204');
    const { token } = linkOf(await mailBox.next(email));
    expect(codeOf(await service.as(null).post('/auth/password/reset', { token, password: 'a new one' }, at('198.51.100.8')))).toBe('204');
    expect(mailBox.count(email)).toBeLessThanOrEqual(5);
  });

  it('H08: codes guessed by a client with the password are limited together, and not at the owner’s address', async () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const owner = await makePerson(service, [], { tfa_secret: secret });
    const first = await login(owner, '198.51.100.9', { otp: authenticator.generate(secret) });
    expect(first.status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => login(owner, `203.0.113.${index + 1}`, { otp: String(index).padStart(6, '0') })),
    );
    const refused = guesses.map(codeOf).filter((code) => code === '429 REQUESTS_EXCEEDED');
    expect(refused.length).toBeGreaterThanOrEqual(20);
    // A code is good once, so the next one differs from the one before by its error.
    expect(codeOf(await login(owner, '198.51.100.9', { otp: authenticator.generate(secret) }))).toMatch(/^(200|401 INVALID_OTP)$/);
  });
});
