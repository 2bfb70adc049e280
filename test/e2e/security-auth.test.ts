// Security cases C: authentication and sessions. Each test bears the id of its case. Those that compare times are in
// security-auth-times.test.ts.

import { SignJWT, UnsecuredJWT } from 'jose';
import { authenticator } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { linkOf, type MailBox, openMailBox } from '../harness/mail-box.js';
import { codeOf, makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const secret = 'the secret of these tests, long enough';
const key = new TextEncoder().encode(secret);
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

describeVendorsTogether('authentication', (vendor) => {
  let service: TestService;
  let mailBox: MailBox;

  beforeAll(async () => {
    mailBox = await openMailBox();
    const config = {
      secret,
      mailUrl: mailBox.url,
      publicUrl: 'https://data.example.com',
      allowedUrls: ['https://app.example.com/reset'],
      corsOrigin: ['https://app.example.com'],
    };
    service = await startService(vendor, { area: 'auth', config });
  });

  afterAll(async () => {
    await service.stop();
    await mailBox.close();
  });

  const login = (person: Pick<Person, 'email' | 'password'>, more: object = {}) =>
    service.as(null).post('/auth/login', { email: person.email, password: person.password, ...more });
  const me = (token: string) => service.as(token).get('/users/me?fields=id');
  const refresh = (token: string) => service.as(null).post('/auth/refresh', { refresh_token: token, mode: 'json' });

  it('C01: a token that is not signed by us, by our algorithm, for our service and with an end is invalid', async () => {
    const { id } = await makePerson(service, []);
    const claims = { id, role: null, app_access: true, admin_access: true };
    const draft = (header = { alg: 'HS256' }, issuer = 'tain') =>
      new SignJWT(claims).setProtectedHeader(header).setIssuedAt().setIssuer(issuer);
    const otherKey = new TextEncoder().encode('somebody else');
    const tokens = [
      new UnsecuredJWT(claims).setIssuedAt().setIssuer('tain').setExpirationTime(inAnHour()).encode(),
      await draft().setExpirationTime(inAnHour()).sign(otherKey),
      await draft({ alg: 'HS256' }, 'other').setExpirationTime(inAnHour()).sign(key),
      await draft({ alg: 'HS512' }).setExpirationTime(inAnHour()).sign(key),
      await draft(Object.assign({ alg: 'HS256' }, { kid: "../../x' or 1=1" }))
        .setExpirationTime(inAnHour())
        .sign(otherKey),
      await draft().sign(key),
      // Signed by us, but naming no session.
      await draft().setExpirationTime(inAnHour()).sign(key),
    ];
    for (const token of tokens) expect(codeOf(await me(token))).toBe('403 INVALID_TOKEN');
  });

  it('C02: a token of ours past its time is expired', async () => {
    const past = Math.floor(Date.now() / 1000) - 60;
    const token = await new SignJWT({ id: 'x', session: 'y' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(past - 900)
      .setIssuer('tain')
      .setExpirationTime(past)
      .sign(key);
    expect(codeOf(await me(token))).toBe('401 TOKEN_EXPIRED');
  });

  it('C03: more than one token is refused', async () => {
    const { token } = await makePerson(service, []);
    expect(codeOf(await service.as(token).get(`/users/me?access_token=${token}`))).toBe('400 INVALID_PAYLOAD');
    expect(codeOf(await service.as(null).get(`/users/me?access_token=${token}&access_token=${token}`))).toBe('400 INVALID_PAYLOAD');
  });

  it('C05: a refresh token can be used once; used again later it ends its whole family', async () => {
    const person = await makePerson(service, []);
    const { access_token, refresh_token: first } = (await login(person)).body.data;
    const second = (await refresh(first)).body.data;
    expect(codeOf(await refresh(first))).toBe('401 INVALID_CREDENTIALS');
    expect((await me(second.access_token)).status, 'a quick repetition ends nothing').toBe(200);
    const long = vendor.name === 'mysql' ? '2020-01-01 00:00:00' : '2020-01-01T00:00:00.000Z';
    const placeholder = vendor.name === 'postgres' ? '$1' : '?';
    await service.sql(`update service_sessions set rotated_at = ${placeholder} where rotated_at is not null`, [long]);
    expect(codeOf(await refresh(first))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await refresh(second.refresh_token))).toBe('401 INVALID_CREDENTIALS');
    for (const token of [access_token, second.access_token]) expect(codeOf(await me(token))).toBe('401 INVALID_CREDENTIALS');
  });

  it('C05: of many refreshes at once with one token exactly one succeeds', async () => {
    const { refresh_token } = (await login(await makePerson(service, []))).body.data;
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refresh_token)));
    expect(answers.map(codeOf).sort()).toEqual(['200', ...new Array(9).fill('401 INVALID_CREDENTIALS')]);
  });

  it('C05, C06: logout, a new password and a reset end sessions; the acting session stays', async () => {
    const update = {
      collection: 'service_users',
      action: 'update',
      permissions: { id: { _eq: '$CURRENT_USER' } },
      fields: ['password'],
    } as const;
    const person = await makePerson(service, [{ permissions: [update] }]);
    const [one, two, three] = [(await login(person)).body.data, (await login(person)).body.data, (await login(person)).body.data];
    await service.as(null).post('/auth/logout', { refresh_token: one.refresh_token, mode: 'json' });
    expect(codeOf(await me(one.access_token))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await refresh(one.refresh_token))).toBe('401 INVALID_CREDENTIALS');

    expect((await service.as(two.access_token).patch('/users/me', { password: 'another one' })).status).toBe(204);
    expect((await me(two.access_token)).status).toBe(200);
    expect(codeOf(await me(three.access_token))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await refresh(three.refresh_token))).toBe('401 INVALID_CREDENTIALS');

    await service.as(null).post('/auth/password/request', { email: person.email });
    const { token } = linkOf(await mailBox.next(person.email));
    expect((await service.as(null).post('/auth/password/reset', { token, password: 'a third one' })).status).toBe(204);
    expect(codeOf(await me(two.access_token))).toBe('401 INVALID_CREDENTIALS');
    expect((await login({ ...person, password: 'a third one' })).status).toBe(200);
    expect(codeOf(await service.as(null).post('/auth/password/reset', { token, password: 'x' })), 'good once').toBe('403 INVALID_TOKEN');
  });

  it('C06: suspension ends sessions and static tokens at once, a role change acts on the next request', async () => {
    const person = await makePerson(service, []);
    const { access_token, refresh_token } = (await login(person)).body.data;
    expect(codeOf(await service.as(access_token).get('/roles'))).toBe('403 FORBIDDEN');
    const admins = (await service.api.get('/roles?filter[name][_eq]=Administrator&fields=id')).body.data[0].id;
    await service.api.patch(`/users/${person.id}`, { role: admins });
    expect((await service.as(access_token).get('/roles')).status).toBe(200);
    await service.api.patch(`/users/${person.id}`, { role: null });
    expect(codeOf(await service.as(access_token).get('/roles'))).toBe('403 FORBIDDEN');
    await service.api.patch(`/users/${person.id}`, { status: 'suspended' });
    expect(codeOf(await me(access_token))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await me(person.token))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await refresh(refresh_token))).toBe('401 INVALID_CREDENTIALS');
  });

  it('C07: a session cookie brought along is not the session that begins', async () => {
    const person = await makePerson(service, []);
    const brought = (await login(person, { mode: 'session' })).headers.get('set-cookie') ?? '';
    const answer = await service
      .as(null)
      .post('/auth/login', { email: person.email, password: person.password, mode: 'session' }, { cookie: brought });
    const sessionOf = (cookie: string) => JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString()).session;
    expect(sessionOf(answer.headers.get('set-cookie') ?? '')).not.toBe(sessionOf(brought));
  });

  it('C07: an access token is not a session cookie: it cannot be renewed by those who have seen it', async () => {
    const person = await makePerson(service, []);
    const renew = (cookie: string) =>
      service.as(null).post('/auth/refresh', { mode: 'session' }, { cookie: `service_session_token=${cookie}` });
    for (const mode of ['json', 'cookie']) {
      const { access_token } = (await login(person, { mode })).body.data;
      const answer = await renew(access_token);
      expect([codeOf(answer), answer.headers.get('set-cookie')]).toEqual(['401 INVALID_CREDENTIALS', null]);
      expect((await me(access_token)).status, 'it lasts as long as before').toBe(200);
    }
    const cookie = /service_session_token=([^;]+)/.exec((await login(person, { mode: 'session' })).headers.get('set-cookie') ?? '');
    expect((await renew(cookie?.[1] ?? '')).status).toBe(200);
  });

  it('C09, C12: the address for the letter is checked before the account', async () => {
    const { email } = await makePerson(service, []);
    const ask = async (body: object) => codeOf(await service.as(null).post('/auth/password/request', body));
    for (const reset_url of [
      '//evil',
      'https://app.example.com@evil/reset',
      '\\\\evil',
      'javascript:alert(1)',
      'https://evil.example.org/x',
    ]) {
      expect(await ask({ email, reset_url })).toBe('400 INVALID_PAYLOAD');
      expect(await ask({ email: 'nobody@example.com', reset_url })).toBe('400 INVALID_PAYLOAD');
    }
  });

  it('C10: links begin with the configured address, whatever hosts the request names', async () => {
    const { email } = await makePerson(service, []);
    await service
      .as(null)
      .post('/auth/password/request', { email }, { 'x-forwarded-host': 'evil.example.org', forwarded: 'host=evil.example.org' });
    const letter = await mailBox.next(email);
    expect(linkOf(letter).link).toMatch(/^https:\/\/data\.example\.com\//);
    expect(letter.text).not.toContain('evil');
  });

  it('C11: an address that only looks like another one gets no letter', async () => {
    await makePerson(service, [], { email: 'julian@cure53.example.com' });
    await service.as(null).post('/auth/password/request', { email: 'julian@cüre53.example.com' });
    expect(mailBox.count('julian@cure53.example.com') + mailBox.count('julian@cüre53.example.com')).toBe(0);
    expect(codeOf(await login({ email: 'julian@cüre53.example.com', password: 'x' }))).toBe('401 INVALID_CREDENTIALS');
  });

  it('C14: the second factor: the whole circle, each code once, no secret of one’s own, then a limit', async () => {
    const person = await makePerson(service, []);
    const own = '/users/me/tfa';
    expect(codeOf(await person.api.post(`${own}/generate`, {}))).toBe('400 INVALID_PAYLOAD');
    const { secret: codes } = (await person.api.post(`${own}/generate`, { password: person.password })).body.data;
    const foreign = authenticator.generateSecret(20);
    expect(codeOf(await person.api.post(`${own}/enable`, { secret: foreign, otp: authenticator.generate(foreign) }))).toBe(
      '400 INVALID_PAYLOAD',
    );
    const code = authenticator.generate(codes);
    expect((await person.api.post(`${own}/enable`, { secret: codes, otp: code })).status).toBe(204);
    expect(codeOf(await login(person))).toBe('401 INVALID_OTP');
    expect(codeOf(await login(person, { otp: code })), 'used to enable it').toBe('401 INVALID_OTP');
    expect((await service.api.get(`/users/${person.id}?fields=tfa_secret`)).body.data.tfa_secret).toBe('**********');
    expect(codeOf(await service.api.get(`/users?filter[tfa_secret][_starts_with]=A`))).toBe('400 INVALID_QUERY');
    const guesses = await Promise.all(['000001', '000002', '000003', '000004', '000005'].map((otp) => login(person, { otp })));
    expect(guesses.map(codeOf)).toContain('429 REQUESTS_EXCEEDED');
    expect((await service.api.post(`/users/${person.id}/tfa/disable`)).status).toBe(204);
    expect((await login(person)).status).toBe(200);
  });

  it('a policy that enforces a second factor grants nothing but the way to one', async () => {
    const read = { collection: 'service_roles', action: 'read' } as const;
    const person = await makePerson(service, [{ app_access: true, permissions: [read] }]);
    const { access_token } = (await login(person)).body.data;
    const callers = [person.api, service.as(access_token)];
    for (const api of callers) expect((await api.get('/roles')).status).toBe(200);
    await service.api.patch(`/policies/${person.policies[0]}`, { enforce_tfa: true });
    for (const api of callers) {
      const before = await service.checksums();
      for (const answer of [
        await api.get('/roles'),
        await api.get('/roles/?fields=id'),
        await api.graphql('{ __typename }'),
        await api.patch('/users/me', { title: 'Dr' }),
        await api.get('/users/me/track/page'),
      ]) {
        expect(codeOf(answer)).toBe('403 FORBIDDEN');
      }
      expect((await api.get('/roles')).body.errors[0].extensions.reason).toBe('A second factor is required');
      expect((await api.get('/users/me?fields=*.*')).body).toEqual({ data: { id: person.id } });
      expect(await service.checksums()).toEqual(before);
    }
    const { secret: codes } = (await person.api.post('/users/me/tfa/generate', { password: person.password })).body.data;
    const otp = authenticator.generate(codes);
    expect((await person.api.post('/users/me/tfa/enable', { secret: codes, otp })).status).toBe(204);
    for (const api of callers) expect((await api.get('/roles')).status).toBe(200);
    expect((await service.api.post(`/users/${person.id}/tfa/disable`)).status).toBe(204);
    for (const api of callers) expect(codeOf(await api.get('/roles'))).toBe('403 FORBIDDEN');
  });

  it.each([
    ['empty', ''],
    ['a word', 'null'],
    ['another word', 'undefined'],
    ['long', 'x'.repeat(10_000)],
    ['a prefix', 'tain-test-admin-toke'],
  ])('C17: a static token that is %s opens nothing', async (_, token) => {
    expect(codeOf(await service.as(null).get(`/users/me?access_token=${token}`))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await me(token))).toBe('401 INVALID_CREDENTIALS');
  });

  it('C17: static and refresh tokens are stored as digests only', async () => {
    const person = await makePerson(service, []);
    const { refresh_token } = (await login(person)).body.data;
    const stored = JSON.stringify([await service.sql('select * from service_users'), await service.sql('select * from service_sessions')]);
    for (const plain of [person.token, person.password, refresh_token]) expect(stored).not.toContain(plain);
  });

  it('C19, H20: a cookie does nothing for another site, nor for a page of our name without TLS', async () => {
    const own = { collection: 'service_users', permissions: { id: { _eq: '$CURRENT_USER' } }, fields: ['id', 'title'] };
    const permissions = (['read', 'update'] as const).map((action) => ({ ...own, action }));
    const person = await makePerson(service, [{ permissions }]);
    const cookie = ((await login(person, { mode: 'session' })).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const change = (headers: Record<string, string>) =>
      service.as(null).patch('/users/me?fields=title', { title: 'Dr' }, { cookie, ...headers });
    expect(codeOf(await change({ origin: 'https://evil.example.org' }))).toBe('403 FORBIDDEN');
    expect(codeOf(await change({ origin: 'null' }))).toBe('403 FORBIDDEN');
    expect(codeOf(await service.as(null).post('/auth/logout', { mode: 'session' }, { cookie, origin: 'https://evil.example.org' }))).toBe(
      '403 FORBIDDEN',
    );
    expect((await change({ origin: 'https://app.example.com' })).status).toBe(200);
    expect((await change({ origin: 'https://data.example.com' })).status).toBe(200);
    expect((await change({ origin: service.url })).status).toBe(200);
    expect(codeOf(await change({ origin: 'http://data.example.com', host: 'data.example.com' }))).toBe('403 FORBIDDEN');
  });

  it('C20: other origins are not reflected', async () => {
    const evil = await service.api.get('/server/ping', { origin: 'https://evil.example.org' });
    expect(evil.headers.get('access-control-allow-origin')).toBeNull();
    const good = await service.api.get('/users/me', { origin: 'https://app.example.com' });
    expect(good.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  });

  it('C21: the address is the peer’s, not what a header says', async () => {
    const away = await makePerson(service, [{ ip_access: ['203.0.113.7'] }]);
    expect(codeOf(await away.api.get('/users/me', { 'x-forwarded-for': '203.0.113.7' }))).toBe('401 INVALID_IP');
    expect(codeOf(await login(away))).toBe('401 INVALID_IP');
    const here = await makePerson(service, [{ ip_access: ['127.0.0.0/8', '::1'] }]);
    expect((await here.api.get('/users/me', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
    expect(codeOf(await service.api.post('/policies', { name: 'x', ip_access: ['everywhere'] }))).toBe('400 INVALID_PAYLOAD');
  });

  it('A31, C22: answers of sign-in are not cached, and isolated from other windows', async () => {
    for (const answer of [
      await login({ email: 'nobody@example.com', password: 'x' }),
      await service.as(null).get('/auth'),
      await service.as(null).post('/auth/refresh', {}),
    ]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    }
  });
});

describeVendorsTogether('limits of sign-in', (vendor) => {
  it('C16: guessing is limited by address and by account, for every form of the request', async () => {
    const service = await startService(vendor, { area: 'limits', config: { rateLimit: 50 } });
    try {
      const guess = (email: string, path: string, headers: Record<string, string> = {}) =>
        service.as(null).post(path, { email, password: 'x' }, headers);
      const guesses = await Promise.all(
        Array.from({ length: 14 }, (_, count) =>
          guess(`user${count}@example.com`, count % 2 ? '/auth/login' : '/auth/login/', { 'x-forwarded-for': `10.0.0.${count}` }),
        ),
      );
      const codes = guesses.map(codeOf);
      expect(codes.filter((code) => code === '401 INVALID_CREDENTIALS')).toHaveLength(10);
      const refused = guesses.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused?.body.errors[0].extensions).toMatchObject({ code: 'REQUESTS_EXCEEDED', limit: 10, reset: expect.any(String) });
    } finally {
      await service.stop();
    }
  });

  it('C09: a link is invalid when the user has another address than the one it was sent to', async () => {
    const mailBox = await openMailBox();
    const config = { mailUrl: mailBox.url, publicUrl: 'https://data.example.com' };
    const service = await startService(vendor, { area: 'mailboxes', config });
    try {
      const person = await makePerson(service, []);
      await service.as(null).post('/auth/password/request', { email: person.email });
      const reset = linkOf(await mailBox.next(person.email)).token;
      await service.api.patch(`/users/${person.id}`, { email: 'moved@example.com' });
      expect(codeOf(await service.as(null).post('/auth/password/reset', { token: reset, password: 'x' }))).toBe('403 INVALID_TOKEN');

      const role = (await service.api.post('/roles', { name: 'guests' })).body.data.id;
      const invite = async (email: string): Promise<string> => {
        await service.api.post('/users/invite', { email, role });
        return linkOf(await mailBox.next(email)).token;
      };
      const accept = (token: string) => service.as(null).post('/users/invite/accept', { token, password: 'my own' });
      const wrong = await invite('gust@example.com');
      const [guest] = (await service.api.get('/users?filter[email][_eq]=gust@example.com&fields=id')).body.data;
      await service.api.patch(`/users/${guest.id}`, { email: 'guest@example.com' });
      expect(codeOf(await accept(wrong))).toMatch(/INVALID_INVITE$/);
      expect((await accept(await invite('guest@example.com'))).status).toBe(204);
    } finally {
      await service.stop();
      await mailBox.close();
    }
  });

  it('G05: an invitation, a reset and a code used many times at once succeed once', async () => {
    const mailBox = await openMailBox();
    const config = { mailUrl: mailBox.url, publicUrl: 'https://data.example.com' };
    const service = await startService(vendor, { area: 'limits', config });
    const login = (person: Pick<Person, 'email' | 'password'>, more: object = {}) =>
      service.as(null).post('/auth/login', { email: person.email, password: person.password, ...more });
    try {
      const role = (await service.api.post('/roles', { name: 'guests' })).body.data.id;
      const email = 'guest-of-many@example.com';
      expect((await service.api.post('/users/invite', { email, role })).status).toBe(204);
      const { token } = linkOf(await mailBox.next(email));
      const many = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, act));
      const wins = (answers: readonly { readonly status: number }[]) => answers.filter(({ status }) => status < 300).length;
      expect(wins(await many(() => service.as(null).post('/users/invite/accept', { token, password: 'my own' })))).toBe(1);
      expect((await login({ email, password: 'my own' })).status).toBe(200);

      await service.as(null).post('/auth/password/request', { email });
      const reset = linkOf(await mailBox.next(email)).token;
      const passwords = Array.from({ length: 20 }, (_, index) => `a new one ${index}`);
      const resets = await Promise.all(
        passwords.map((password) => service.as(null).post('/auth/password/reset', { token: reset, password })),
      );
      expect(wins(resets)).toBe(1);
      const password = passwords[resets.findIndex(({ status }) => status < 300)] ?? '';
      expect((await login({ email, password })).status).toBe(200);

      const codes = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
      const person = await makePerson(service, [], { tfa_secret: codes });
      const otp = authenticator.generate(codes);
      expect(wins(await many(() => login(person, { otp })))).toBe(1);
    } finally {
      await service.stop();
      await mailBox.close();
    }
  });

  it('C15: GraphQL is not a way around it: one login in a request, and it counts', async () => {
    const service = await startService(vendor, { area: 'limits', config: { rateLimit: 50 } });
    try {
      const field = (count: number) => `auth_login(email: "user${count}@example.com", password: "x") { access_token }`;
      const ask = (count: number) => service.as(null).graphql(`mutation { ${field(count)} }`, {}, '/graphql/system');
      const many = Array.from({ length: 100 }, (_, count) => `a${count}: ${field(count)}`).join(' ');
      expect((await service.as(null).graphql(`mutation { ${many} }`, {}, '/graphql/system')).status).toBe(400);
      const batch = Array.from({ length: 100 }, (_, count) => ({ query: `mutation { ${field(count)} }` }));
      expect((await service.as(null).post('/graphql/system', batch)).status).toBe(400);
      const codes = await Promise.all(Array.from({ length: 14 }, async (_, count) => (await ask(count)).body.errors[0].extensions.code));
      expect(codes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(10);
      expect(codes.filter((code) => code === 'REQUESTS_EXCEEDED')).toHaveLength(4);
    } finally {
      await service.stop();
    }
  });

  it('RATE_LIMIT is the number of requests of a caller in a second', async () => {
    const service = await startService(vendor, { area: 'limits', config: { rateLimit: 5 } });
    try {
      // On a busy machine a second may be over before all of them are counted.
      const refused: Answer[] = [];
      for (let round = 0; round < 20 && refused.length === 0; round += 1) {
        const answers = await Promise.all(Array.from({ length: 12 }, () => service.as(null).get('/users/me')));
        refused.push(...answers.filter(({ status }) => status === 429));
      }
      expect(refused[0]?.body.errors[0].extensions.limit).toBe(5);
    } finally {
      await service.stop();
    }
  });
});
