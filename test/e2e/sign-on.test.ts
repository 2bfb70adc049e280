// Logins by OpenID Connect, end to end against a provider that really runs (`oidc-provider`).

import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { locationOf } from '../harness/browser.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { clientId, clientSecret, type IdentityProvider, keyedClientId, startIdentityProvider } from '../harness/identity-provider.js';
import { codeOf, makePerson, makePolicy } from '../harness/people.js';
import {
  callbackOf,
  openBrowser,
  ownerOf,
  providerVariables,
  publicUrl,
  reasonOf,
  sessionCookie,
  startOf,
  storedAccounts,
  whoIs,
} from '../harness/sign-on.js';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';

const roles = {
  reader: '5a4f1c1e-0000-4000-8000-000000000001',
  writer: '5a4f1c1e-0000-4000-8000-000000000002',
  chief: '5a4f1c1e-0000-4000-8000-000000000003',
};
const extra = '5a4f1c1e-0000-4000-8000-000000000004';

describeVendorsTogether('sign-on by OpenID Connect', (vendor) => {
  let provider: IdentityProvider;
  let service: TestService;

  const logIn = async (subject: string, name = 'company', parameters: Readonly<Record<string, string>> = {}) => {
    const browser = openBrowser(service);
    const callback = await provider.logIn(browser, startOf(name, parameters), subject);
    return { browser, callback, answer: await browser.ask(callback) };
  };

  beforeAll(async () => {
    const names = ['company', 'cookies', 'closed', 'verified', 'mapped', 'powerful', 'keyed', 'locksmith'];
    provider = await startIdentityProvider(names.map(callbackOf));
    const common = {
      DRIVER: 'openid',
      ISSUER_URL: provider.url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      SCOPE: 'openid profile email groups',
    };
    const open = { ...common, ALLOW_PUBLIC_REGISTRATION: 'true' };
    const { CLIENT_SECRET: _secret, ...keyed } = { ...open, CLIENT_ID: keyedClientId };
    const stranger = await exportJWK((await generateKeyPair('RS256', { extractable: true })).privateKey);
    const mapped = {
      ...open,
      DEFAULT_ROLE_ID: roles.reader,
      ROLE_MAPPING: JSON.stringify({ writers: roles.writer, chiefs: roles.chief }),
      POLICY_MAPPING: JSON.stringify({ writers: [extra] }),
    };
    service = await startService(vendor, {
      area: 'sign-on',
      config: {
        publicUrl,
        authProviders: names,
        authVariables: {
          ...providerVariables('company', {
            ...open,
            LABEL: 'The company',
            ICON: 'apartment',
            REDIRECT_ALLOW_LIST: 'https://app.example.com/after',
          }),
          ...providerVariables('cookies', { ...open, MODE: 'cookie', ISSUER_URL: `${provider.url}/.well-known/openid-configuration` }),
          ...providerVariables('closed', common),
          ...providerVariables('verified', { ...open, REQUIRE_VERIFIED_EMAIL: 'true', SYNC_USER_INFO: 'true' }),
          ...providerVariables('mapped', mapped),
          ...providerVariables('keyed', { ...keyed, CLIENT_PRIVATE_KEYS: JSON.stringify([provider.clientKey]) }),
          ...providerVariables('locksmith', {
            ...keyed,
            CLIENT_PRIVATE_KEYS: JSON.stringify({ ...stranger, kid: provider.clientKey.kid }),
          }),
          ...providerVariables('powerful', { ...mapped, ALLOW_ADMIN: 'true' }),
        },
      },
    });
    const chief = await makePolicy(service, { admin_access: true, app_access: true });
    await service.api.post('/roles', [
      { id: roles.reader, name: 'readers' },
      { id: roles.writer, name: 'writers' },
      { id: roles.chief, name: 'chiefs', policies: [{ policy: chief }] },
    ]);
    await service.api.post('/policies', { id: extra, name: 'extra' });
  });
  beforeEach(() => provider.people.clear());
  afterAll(async () => {
    await service.stop();
    await provider.stop();
  });

  it('lists the providers; sessionOnly leaves out those whose logins end in a refresh cookie', async () => {
    const { body } = await service.as(null).get('/auth');
    expect(body.disableDefault).toBe(false);
    expect(body.data[0]).toEqual({ name: 'company', label: 'The company', driver: 'openid', icon: 'apartment' });
    expect(body.data[1]).toEqual({ name: 'cookies', label: 'cookies', driver: 'openid', icon: 'account_circle' });
    const { data } = (await service.as(null).get('/auth?sessionOnly')).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual([
      'company',
      'closed',
      'verified',
      'mapped',
      'powerful',
      'keyed',
      'locksmith',
    ]);
    expect((await service.as(null).graphql('{ auth_providers }', {}, '/graphql/system')).body.data.auth_providers).toEqual(body);
  });

  it('makes an account of an unknown person, and finds it again', async () => {
    provider.people.set('ann', { email: 'Ann@Example.org', email_verified: true, given_name: 'Ann', family_name: 'Archer' });
    const { browser, answer } = await logIn('ann', 'company', { redirect: '/admin/content?x=1' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/admin/content?x=1']);
    const me = await whoIs(service, browser);
    expect(me).toMatchObject({
      email: 'ann@example.org',
      first_name: 'Ann',
      last_name: 'Archer',
      provider: 'company',
      external_identifier: 'ann',
    });
    expect(await whoIs(service, (await logIn('ann')).browser)).toEqual(me);
    const rows = await service.sql('select provider, subject, issuer, email from service_identities');
    expect(rows.filter(({ subject }) => subject === 'ann')).toEqual([
      { provider: 'company', subject: 'ann', issuer: provider.url, email: 'Ann@Example.org' },
    ]);
    const { data } = (await service.api.get(`/activity?filter[user][_eq]=${me.id}&filter[action][_eq]=login`)).body;
    expect(data).toHaveLength(2);
  });

  it('private_key_jwt: a client proves itself by its key, at the login and at the refresh, and by no other', async () => {
    provider.people.set('kay', { email: 'kay@example.org' });
    const before = await storedAccounts(service);
    expect(reasonOf((await logIn('kay', 'locksmith')).answer)).toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
    const { browser } = await logIn('kay', 'keyed');
    expect(await whoIs(service, browser)).toMatchObject({ email: 'kay@example.org', provider: 'keyed' });
    const cookie = `${sessionCookie}=${browser.cookie(publicUrl, sessionCookie)}`;
    expect((await service.as(null).post('/auth/refresh', { mode: 'session' }, { cookie })).status).toBe(200);
  });

  it('the cookie mode sets a refresh cookie, which a refresh takes', async () => {
    provider.people.set('cora', { email: 'cora@example.org' });
    const { browser, answer } = await logIn('cora', 'cookies', { redirect: '/after' });
    expect(answer.headers.get('location')).toBe('/after');
    expect(browser.cookieNames(publicUrl)).toEqual(['service_refresh_token']);
    const cookie = `service_refresh_token=${browser.cookie(publicUrl, 'service_refresh_token')}`;
    const { body } = await service.as(null).post('/auth/refresh', { mode: 'cookie' }, { cookie });
    expect(await ownerOf(service, body.data.access_token)).toMatchObject({ email: 'cora@example.org' });
  });

  it('without a redirect, a client that accepts JSON only gets tokens, and a browser the start page', async () => {
    provider.people.set('jo', { email: 'jo@example.org' });
    expect((await logIn('jo')).answer.headers.get('location')).toBe('/');
    const browser = openBrowser(service);
    const callback = await provider.logIn(browser, startOf('company'), 'jo');
    const { status, text } = await browser.ask(callback, { accept: 'application/json' });
    expect(browser.cookieNames(publicUrl), 'the cookie of the login is gone').toEqual([]);
    const { data } = JSON.parse(text);
    expect([status, Object.keys(data).toSorted()]).toEqual([200, ['access_token', 'expires', 'refresh_token']]);
    expect(await ownerOf(service, data.access_token)).toMatchObject({ email: 'jo@example.org' });
  });

  it('an answer by a form (form_post) is led to the same address with the same parameters', async () => {
    provider.people.set('fay', { email: 'fay@example.org' });
    const browser = openBrowser(service);
    const callback = await provider.logIn(browser, startOf('company'), 'fay');
    const posted = await browser.ask(callback.origin + callback.pathname, { form: Object.fromEntries(callback.searchParams) });
    expect(posted.status).toBe(303);
    expect(locationOf(posted)?.href).toBe(callback.href);
    await browser.ask(locationOf(posted) ?? '');
    expect(await whoIs(service, browser)).toMatchObject({ email: 'fay@example.org' });
  });

  it('code injection, replay: a callback can be used once, and a code only for the login it was made for', async () => {
    provider.people.set('rex', { email: 'rex@example.org' });
    const browser = openBrowser(service);
    const callback = await provider.logIn(browser, startOf('company'), 'rex');
    const state = browser.cookie(publicUrl, '__Host-openid.company') ?? '';
    expect(reasonOf(await browser.ask(callback))).toBeNull();
    expect(browser.cookieNames(publicUrl), 'the state is removed').toEqual([sessionCookie]);
    const before = await storedAccounts(service);
    browser.setCookie(publicUrl, '__Host-openid.company', state);
    expect(reasonOf(await browser.ask(callback)), 'the same again').toBe('INVALID_CREDENTIALS');

    const [victim, thief] = [openBrowser(service), openBrowser(service)];
    const stolen = await provider.logIn(victim, startOf('company'), 'rex');
    const own = await provider.logIn(thief, startOf('company'), 'rex');
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(reasonOf(await thief.ask(own)), 'the code of another login').toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
  });

  it('log-in CSRF: a login ends only in the browser where it began', async () => {
    provider.people.set('cy', { email: 'cy@example.org' });
    const before = await storedAccounts(service);
    const callback = await provider.logIn(openBrowser(service), startOf('company'), 'cy');
    expect(reasonOf(await openBrowser(service).ask(callback)), 'no cookie').toBe('INVALID_CREDENTIALS');
    const other = openBrowser(service);
    await other.ask(startOf('company'));
    expect(reasonOf(await other.ask(callback)), 'the cookie of another login').toBe('INVALID_CREDENTIALS');
    const forged = openBrowser(service);
    forged.setCookie(publicUrl, '__Host-openid.company', 'bm90IHNlYWxlZCBieSB0aGUgc2VydmljZSwgYnV0IGxvbmcgZW5vdWdo');
    expect(reasonOf(await forged.ask(callback)), 'a forged cookie').toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
  });

  it('three independent random values, and a hashed challenge', async () => {
    const ask = async () => new URL((await openBrowser(service).ask(startOf('company'))).headers.get('location') ?? '').searchParams;
    const [one, two] = [await ask(), await ask()];
    const values = [one, two].flatMap((sent) => ['state', 'nonce', 'code_challenge'].map((name) => sent.get(name)));
    expect(new Set(values).size).toBe(6);
    for (const value of values) expect(value?.length).toBeGreaterThanOrEqual(43);
    expect(one.get('code_challenge_method')).toBe('S256');
    expect(one.get('redirect_uri')).toBe(callbackOf('company'));
  });

  it('open redirect: a login leads to its own host or to a listed address, and nowhere else', async () => {
    for (const redirect of [
      '//evil.example',
      '/\\evil.example',
      '/.//evil.example',
      'https://evil.example/',
      'https://data.example.com@evil.example/',
      'javascript:alert(1)',
    ]) {
      const answer = await service.as(null).get(`/auth/login/company?${new URLSearchParams({ redirect })}`);
      expect([redirect, codeOf(answer)]).toEqual([redirect, '400 INVALID_PAYLOAD']);
      expect(answer.body.errors[0].message).toContain("can't be used to redirect after login");
      expect(codeOf(await service.as(null).post('/utils/resolve-redirect', { redirect, provider: 'company' }))).toBe('400 INVALID_PAYLOAD');
    }
    const listed = 'https://app.example.com/after?from=here';
    expect((await service.as(null).post('/utils/resolve-redirect', { redirect: listed, provider: 'company' })).body).toEqual({
      data: listed,
    });
    expect(codeOf(await service.as(null).post('/utils/resolve-redirect', { redirect: listed, provider: 'closed' }))).toBe(
      '400 INVALID_PAYLOAD',
    );
    provider.people.set('olga', { email: 'olga@example.org' });
    expect((await logIn('olga', 'company', { redirect: listed })).answer.headers.get('location')).toBe(listed);
  });

  it('errors lead back to the redirect, with a reason', async () => {
    provider.people.set('err', {});
    const { answer, browser } = await logIn('err', 'closed', { redirect: '/page?reason=old&a=b' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/page?reason=INVALID_CREDENTIALS&a=b']);
    expect(browser.cookieNames(publicUrl)).toEqual([]);
    const denied = openBrowser(service);
    const start = await denied.ask(startOf('company', { redirect: '/page' }));
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const parameters = new URLSearchParams({ error: 'access_denied', state, iss: provider.url });
    expect((await denied.ask(`${callbackOf('company')}?${parameters}`)).headers.get('location')).toBe('/page?reason=INVALID_CREDENTIALS');
  });

  it('tokens in URLs, Referer: no token is in an address that a browser visits', async () => {
    provider.people.set('ivy', { email: 'ivy@example.org' });
    const { browser } = await logIn('ivy', 'company', { redirect: '/after' });
    const token = browser.cookie(publicUrl, sessionCookie) ?? 'none';
    for (const address of browser.visited) {
      expect(address).not.toContain(token);
      expect(address).not.toMatch(/access_token|refresh_token|id_token/);
    }
  });

  it('Secure cookie default false: cookies are Secure where PUBLIC_URL is HTTPS, and that of the login is of this host alone', async () => {
    provider.people.set('sue', { email: 'sue@example.org' });
    const browser = openBrowser(service);
    const [state] = (await browser.ask(startOf('company'))).headers.getSetCookie();
    expect(state).toMatch(/^__Host-openid\.company=[\w-]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const { answer } = await logIn('sue');
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((line) => line.split('=')[0])).toEqual(['__Host-openid.company', sessionCookie]);
    for (const line of cookies) expect(line).toMatch(/; HttpOnly;.*; Secure$/);
  });

  it('callback host from request: only an address of the settings is used', async () => {
    for (const host of ['evil.example', 'other.example.com'])
      expect(
        new URL(
          (
            await fetch(`${service.url}/auth/login/company`, { headers: { host, 'x-forwarded-host': host }, redirect: 'manual' })
          ).headers.get('location') ?? '',
        ).searchParams.get('redirect_uri'),
      ).toBe(callbackOf('company'));
  });

  it('C18, account taken over by email: an address that is taken opens nothing', async () => {
    const person = await makePerson(service, []);
    provider.people.set('thief', { email: person.email, email_verified: true });
    const before = await storedAccounts(service);
    expect(reasonOf((await logIn('thief')).answer)).toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
  });

  it('unverified email: REQUIRE_VERIFIED_EMAIL makes no account for it', async () => {
    provider.people.set('una', { email: 'una@example.org', email_verified: false });
    const before = await storedAccounts(service);
    expect(reasonOf((await logIn('una', 'verified')).answer)).toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
    provider.people.set('una', { email: 'una@example.org', email_verified: true });
    expect(await whoIs(service, (await logIn('una', 'verified')).browser)).toMatchObject({ email: 'una@example.org', first_name: null });
    provider.people.set('una', { email: 'una@example.net', email_verified: true, given_name: 'Una' });
    expect(await whoIs(service, (await logIn('una', 'verified')).browser), 'SYNC_USER_INFO').toMatchObject({
      email: 'una@example.net',
      first_name: 'Una',
    });
  });

  it('same identifier at two providers: two accounts; subjects differ by their case', async () => {
    provider.people.set('Sam', { given_name: 'big' }).set('sam', { given_name: 'small' });
    const people: { readonly id: string; readonly first_name: string }[] = [];
    for (const [subject, name] of [
      ['Sam', 'company'],
      ['sam', 'company'],
      ['sam', 'verified'],
    ] as const) {
      const email = `${subject}.of.${people.length}@example.org`;
      provider.people.set(subject, { ...provider.people.get(subject), email, email_verified: true });
      people.push(await whoIs(service, (await logIn(subject, name)).browser));
    }
    expect(new Set(people.map(({ id }) => id)).size).toBe(3);
    expect(people.map(({ first_name }) => first_name)).toEqual(['big', 'small', 'small']);
  });

  it('a user configured by provider and identifier is recognised, and no longer when renamed', async () => {
    const { id } = await makePerson(service, [], { provider: 'closed', external_identifier: 'nan' });
    provider.people.set('nan', {}).set('nan2', {});
    expect(await whoIs(service, (await logIn('nan', 'closed')).browser)).toMatchObject({ id });
    expect(reasonOf((await logIn('nan2', 'closed')).answer)).toBe('INVALID_CREDENTIALS');
    await service.api.patch(`/users/${id}`, { external_identifier: 'nan2' });
    expect(await whoIs(service, (await logIn('nan2', 'closed')).browser)).toMatchObject({ id });
    expect(reasonOf((await logIn('nan', 'closed')).answer)).toBe('INVALID_CREDENTIALS');
  });

  it('same identifier at two providers: users that an administrator configured differ by case, too, in a table that compares without it', async () => {
    // As the table of an adopted database does.
    if (vendor.name === 'mysql')
      await service.sql(`update service_users set external_identifier = null;
        alter table service_users modify external_identifier varchar(255) collate utf8mb4_general_ci`);
    const { id } = await makePerson(service, [], { provider: 'closed', external_identifier: 'kim' });
    provider.people.set('kim', {}).set('KIM', {});
    expect(reasonOf((await logIn('KIM', 'closed')).answer)).toBe('INVALID_CREDENTIALS');
    expect(await whoIs(service, (await logIn('kim', 'closed')).browser)).toMatchObject({ id });
  });

  it('user enumeration: unknown, of another provider, suspended: one answer', async () => {
    provider.people.set('unknown', {}).set('elsewhere', {}).set('idle', {});
    await makePerson(service, [], { provider: 'company', external_identifier: 'elsewhere' });
    await makePerson(service, [], { provider: 'closed', external_identifier: 'idle', status: 'suspended' });
    const before = await storedAccounts(service);
    for (const subject of ['unknown', 'elsewhere', 'idle']) {
      const { answer } = await logIn(subject, 'closed', { redirect: '/x' });
      expect([subject, answer.status, answer.headers.get('location')]).toEqual([subject, 302, '/x?reason=INVALID_CREDENTIALS']);
    }
    expect(await storedAccounts(service)).toEqual(before);
  });

  it('role mapping can make administrators: only with ALLOW_ADMIN', async () => {
    provider.people.set('boss', { groups: ['chiefs'] });
    expect(await whoIs(service, (await logIn('boss', 'mapped')).browser)).toMatchObject({ role: roles.reader });
    const { browser } = await logIn('boss', 'powerful');
    expect((await service.as(browser.cookie(publicUrl, sessionCookie)).get('/users/me?fields=role')).body.data).toEqual({
      role: roles.chief,
    });
  });

  it('role mapping: a group that is taken away takes role and policies along, at the login and at the refresh', async () => {
    const person = { groups: ['unimportant', 'writers'] };
    provider.people.set('will', person);
    const { browser } = await logIn('will', 'mapped');
    const token = browser.cookie(publicUrl, sessionCookie) ?? '';
    const rights = async () => {
      const [user] = await service.sql("select id, role from service_users where external_identifier = 'will'");
      const policies = (await service.api.get(`/access?filter[user][_eq]=${user?.['id']}&fields=policy`)).body.data;
      return [user?.['role'], policies.map(({ policy }: { policy: string }) => policy)];
    };
    expect(await rights()).toEqual([roles.writer, [extra]]);
    const refresh = (cookie: string) =>
      service.as(null).post('/auth/refresh', { mode: 'session' }, { cookie: `${sessionCookie}=${cookie}` });
    const sessionOf = (headers: Headers): string => /service_session_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
    provider.people.set('will', { groups: [] });
    const refreshed = await refresh(token);
    expect(refreshed.status).toBe(200);
    expect(await rights()).toEqual([roles.reader, []]);
    provider.people.set('will', person);
    const again = await refresh(sessionOf(refreshed.headers));
    expect([again.status, await rights()]).toEqual([200, [roles.writer, [extra]]]);
    provider.people.set('will', {});
    await logIn('will', 'mapped');
    expect(await rights()).toEqual([roles.reader, []]);
  });

  it('suspended at the provider: the next refresh ends the session', async () => {
    provider.people.set('sid', { email: 'sid@example.org' });
    const { browser } = await logIn('sid');
    const token = browser.cookie(publicUrl, sessionCookie) ?? '';
    const refresh = (cookie: string) =>
      service.as(null).post('/auth/refresh', { mode: 'session' }, { cookie: `${sessionCookie}=${cookie}` });
    const first = await refresh(token);
    expect(first.status).toBe(200);
    const next = /service_session_token=([^;]+)/.exec(first.headers.get('set-cookie') ?? '')?.[1] ?? '';
    provider.people.delete('sid');
    expect(codeOf(await refresh(next))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await service.as(next).get('/users/me'))).toBe('401 INVALID_CREDENTIALS');
    expect(
      await service.sql(
        'select s.token from service_sessions s join service_users u on u.id = s."user" where u.external_identifier = \'sid\''.replaceAll(
          '"',
          vendor.name === 'mysql' ? '`' : '"',
        ),
      ),
    ).toEqual([]);
  });

  it('the second factor of an account is asked for as well', async () => {
    provider.people.set('tom', {});
    const tfa_secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    await makePerson(service, [], { provider: 'closed', external_identifier: 'tom', tfa_secret });
    expect(reasonOf((await logIn('tom', 'closed')).answer)).toBe('INVALID_OTP');
    expect(reasonOf((await logIn('tom', 'closed', { otp: '000000' })).answer)).toBe('INVALID_OTP');
    const { authenticator } = await import('otplib');
    const { browser } = await logIn('tom', 'closed', { otp: authenticator.generate(tfa_secret) });
    expect(await whoIs(service, browser)).toMatchObject({ external_identifier: 'tom' });
  });

  it('a policy that enforces a second factor: a user without a password sets up codes after a login of just now', async () => {
    provider.people.set('ida', {});
    const details = { provider: 'closed', external_identifier: 'ida', password: null };
    const ida = await makePerson(service, [{ permissions: [{ collection: 'service_roles', action: 'read' }] }], details);
    await service.api.patch(`/policies/${ida.policies[0]}`, { enforce_tfa: true });
    const { browser } = await logIn('ida', 'closed');
    const api = service.as(browser.cookie(publicUrl, sessionCookie));
    expect((await api.get('/roles')).body.errors[0].extensions.reason).toBe('A second factor is required');
    expect(codeOf(await ida.api.post('/users/me/tfa/generate')), 'a token that was found').toBe('403 FORBIDDEN');
    expect(codeOf(await api.post('/users/me/tfa/generate', { password: 'any' }))).toBe('401 INVALID_CREDENTIALS');
    const { secret } = (await api.post('/users/me/tfa/generate')).body.data;
    const { authenticator } = await import('otplib');
    expect((await api.post('/users/me/tfa/enable', { secret, otp: authenticator.generate(secret) })).status).toBe(204);
    expect((await api.get('/roles')).status).toBe(200);
    expect(reasonOf((await logIn('ida', 'closed')).answer)).toBe('INVALID_OTP');
    const person = await makePerson(service, []);
    expect(codeOf(await person.api.post('/users/me/tfa/generate')), 'who has a password needs it').toBe('400 INVALID_PAYLOAD');
  });

  it('a user of a provider has no password here, and logins by password continue', async () => {
    const person = await makePerson(service, [], { provider: 'company', external_identifier: 'pat' });
    const { email, password } = person;
    expect(codeOf(await service.as(null).post('/auth/login', { email, password }))).toBe('401 INVALID_CREDENTIALS');
    expect((await service.as(null).post('/auth/login', { email: adminEmail, password: adminPassword })).status).toBe(200);
    expect(codeOf(await service.as(null).get('/auth/login/nobody'))).toBe('404 ROUTE_NOT_FOUND');
    expect(codeOf(await service.as(null).post('/auth/login/company', { identifier: 'x', password: 'y' }))).toBe('404 ROUTE_NOT_FOUND');
  });
});
