// Logins by providers that lie, are away, or know addresses of accounts here. Each is refused by one answer, and nothing is stored.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CrookedProvider, type Mischief, startCrookedProvider } from '../harness/crooked-provider.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import { codeOf, makePerson } from '../harness/people.js';
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

const client = { CLIENT_ID: 'tain', CLIENT_SECRET: 'shared', ALLOW_PUBLIC_REGISTRATION: 'true' };

describeVendorsTogether('sign-on by providers that are not to be trusted', (vendor) => {
  let provider: CrookedProvider;
  let service: TestService;
  let mailBox: MailBox;

  const logIn = async (name: string) => {
    const browser = openBrowser(service);
    const answer = await browser.follow(startOf(name, { redirect: '/after' }), `${publicUrl}/after`);
    return { browser, reason: reasonOf(answer) };
  };

  beforeAll(async () => {
    [provider, mailBox] = [await startCrookedProvider(), await openMailBox()];
    const { url } = provider;
    const openid = { DRIVER: 'openid', ISSUER_URL: url, ...client };
    const oauth2 = {
      DRIVER: 'oauth2',
      AUTHORIZE_URL: `${url}/authorize`,
      ACCESS_URL: `${url}/token`,
      PROFILE_URL: `${url}/user`,
      ...client,
    };
    service = await startService(vendor, {
      area: 'sign-on-checks',
      config: {
        publicUrl,
        mailUrl: mailBox.url,
        trustProxy: true,
        authAllowedPublicUrls: ['https://other.example.com'],
        authProviders: [
          'crooked',
          'linking',
          'strict',
          'byemail',
          'away',
          'silent',
          'endless',
          'keyless',
          'hub',
          'plain',
          'branch',
          'upn',
          'sync',
        ],
        authVariables: {
          ...providerVariables('crooked', openid),
          ...providerVariables('linking', { ...openid, LINK_BY_EMAIL: 'verified' }),
          ...providerVariables('strict', { ...openid, LINK_BY_EMAIL: 'verified', REQUIRE_VERIFIED_EMAIL: 'true', SYNC_USER_INFO: 'true' }),
          ...providerVariables('upn', { ...openid, EMAIL_KEY: 'preferred_username', LINK_BY_EMAIL: 'verified' }),
          ...providerVariables('sync', { ...openid, LINK_BY_EMAIL: 'verified', SYNC_USER_INFO: 'true' }),
          ...providerVariables('silent', { ...openid, ISSUER_URL: `${url}/silent`, CLIENT_HTTP_TIMEOUT: '300' }),
          ...providerVariables('endless', { ...openid, ISSUER_URL: `${url}/endless` }),
          ...providerVariables('keyless', { ...openid, ISSUER_URL: `${url}/keyless` }),
          ...providerVariables('byemail', { ...openid, IDENTIFIER_KEY: 'email' }),
          // Nothing listens there.
          ...providerVariables('away', { ...openid, ISSUER_URL: 'http://127.0.0.1:9' }),
          ...providerVariables('hub', { ...oauth2, IDENTIFIER_KEY: 'id', FIRST_NAME_KEY: 'name', EMAILS_URL: `${url}/user/emails` }),
          ...providerVariables('plain', oauth2),
          ...providerVariables('branch', { DRIVER: 'local' }),
        },
      },
    });
  });
  beforeEach(() => {
    provider.mischief = {};
    provider.person = { sub: 'somebody', email: 'somebody@example.org', email_verified: true };
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
    await mailBox.close();
  });

  it('takes an honest answer', async () => {
    const { browser, reason } = await logIn('crooked');
    expect(reason).toBeNull();
    expect(await whoIs(service, browser)).toMatchObject({ email: 'somebody@example.org' });
    expect(provider.exchanges.at(-1)?.get('code_verifier')).toMatch(/^\w{64}$/);
  });

  it('code injection, replay: the cookie of a login can be used once, even where the provider takes a code twice', async () => {
    const browser = openBrowser(service);
    const { url } = await browser.follow(startOf('crooked', { redirect: '/after' }), callbackOf('crooked'));
    const [name = ''] = browser.cookieNames(publicUrl);
    const kept = browser.cookie(publicUrl, name) ?? '';
    expect(reasonOf(await browser.ask(url))).toBeNull();
    const before = await storedAccounts(service);
    const thief = openBrowser(service);
    thief.setCookie(publicUrl, name, kept);
    expect(reasonOf(await thief.ask(url))).toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  it.each<[string, Mischief]>([
    ['wrong nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['wrong issuer', { claims: { iss: 'https://evil.example' } }],
    ['wrong audience', { claims: { aud: 'another-client' } }],
    ['made for another party', { claims: { aud: ['tain', 'another-client'], azp: 'another-client' } }],
    ['wrong signature', { otherKey: true }],
    ['no signature', { unsigned: true }],
    ['algorithm confusion: signed by the secret of the client', { sharedKey: 'the secret' }],
    ['algorithm confusion: signed by the public key, taken for a secret', { sharedKey: 'the public key' }],
    ['expired', { claims: { iat: past, exp: past + 60 } }],
    ['wrong code', { callback: { code: 'made up' } }],
    ['no code', { callback: { code: null } }],
    ['wrong state', { callback: { state: 'made up' } }],
    ['no state', { callback: { state: null } }],
    ['issuer mix-up: a response of another issuer', { callback: { iss: 'https://evil.example' } }],
    ['issuer mix-up: a response without the issuer that was announced', { callback: { iss: null } }],
    ['information about another user', { otherSubject: 'somebody else' }],
  ])('refuses: %s', async (_what, mischief) => {
    provider.person = { sub: 'stranger' };
    provider.mischief = mischief;
    const before = await storedAccounts(service);
    const { browser, reason } = await logIn('crooked');
    expect(reason).toBe('INVALID_CREDENTIALS');
    expect(browser.cookieNames(publicUrl)).toEqual([]);
    expect(await storedAccounts(service)).toEqual(before);
  });

  it('C18, account taken over by email: LINK_BY_EMAIL links a verified address, and informs its owner', async () => {
    const person = await makePerson(service, []);
    provider.person = { sub: 'linked', email: person.email, email_verified: false };
    expect((await logIn('linking')).reason, 'not verified').toBe('INVALID_CREDENTIALS');
    provider.person = { ...provider.person, email_verified: true };
    expect((await logIn('crooked')).reason, 'not allowed').toBe('INVALID_CREDENTIALS');
    expect(mailBox.count(person.email)).toBe(0);
    const { browser } = await logIn('linking');
    expect(await whoIs(service, browser)).toMatchObject({ id: person.id, provider: 'default' });
    expect((await mailBox.next(person.email)).text).toContain('another login service');
    provider.person = { sub: 'linked', email: 'another@example.org' };
    expect(await whoIs(service, (await logIn('linking')).browser), 'the identity counts from now on').toMatchObject({ id: person.id });
    const { email, password } = person;
    expect((await service.as(null).post('/auth/login', { email, password })).status, 'the password still does').toBe(200);
  });

  it('C18, account taken over by email: never an administrator, nor an account with a second factor', async () => {
    const guarded = await makePerson(service, [], { tfa_secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
    const before = await storedAccounts(service);
    for (const email of [adminEmail, guarded.email]) {
      provider.person = { sub: `thief of ${email}`, email, email_verified: true };
      expect([email, (await logIn('linking')).reason]).toEqual([email, 'INVALID_CREDENTIALS']);
    }
    expect(await storedAccounts(service)).toEqual(before);
  });

  it('C18, account taken over by email: an account with a passkey has a second factor', async () => {
    const person = await makePerson(service, []);
    const user = vendor.name === 'mysql' ? '`user`' : '"user"';
    await service.sql(
      `insert into service_passkeys (digest, ${user}, name, credential, public_key, counter) values ('d', '${person.id}', 'Key', 'c', 'k', '0')`,
    );
    provider.person = { sub: 'thief of a passkey', email: person.email, email_verified: true };
    expect((await logIn('linking')).reason).toBe('INVALID_CREDENTIALS');
    await service.sql("delete from service_passkeys where digest = 'd'");
    expect((await logIn('linking')).reason).toBeNull();
  });

  it('C18, account taken over by email: LINK_BY_EMAIL never links an account whose address was not verified', async () => {
    provider.person = { sub: 'squatter', email: 'late@example.org', email_verified: false };
    const squatter = await whoIs(service, (await logIn('crooked')).browser);
    expect(squatter).toMatchObject({ email: 'late@example.org' });
    provider.person = { sub: 'owner', email: 'late@example.org', email_verified: true };
    expect((await logIn('linking')).reason).toBe('INVALID_CREDENTIALS');

    provider.person = { sub: 'honest', email: 'honest@example.org', email_verified: true };
    const honest = await whoIs(service, (await logIn('strict')).browser);
    provider.person = { sub: 'honest', email: 'claimed@example.org', email_verified: false };
    expect(await whoIs(service, (await logIn('strict')).browser), 'a claim is not taken over').toMatchObject({
      email: 'honest@example.org',
    });
    provider.person = { sub: 'honest elsewhere', email: 'honest@example.org', email_verified: true };
    expect(await whoIs(service, (await logIn('linking')).browser)).toMatchObject({ id: honest.id });
  });

  it('C18, account taken over by email: email_verified vouches for the email beside it, not for a user name or another document', async () => {
    const person = await makePerson(service, []);
    const before = await storedAccounts(service);
    const thief = { sub: 'thief by another claim', email: 'thief@example.org', email_verified: true };
    provider.person = { ...thief, preferred_username: person.email };
    expect((await logIn('upn')).reason, 'a user name').toBe('INVALID_CREDENTIALS');
    provider.person = { sub: thief.sub };
    for (const [token, info] of [
      [thief, { email: person.email }],
      [{ email: person.email }, { email_verified: true }],
      [
        { email: person.email, email_verified: false },
        { email: person.email, email_verified: true },
      ],
      [
        { email: person.email, email_verified: true },
        { email: person.email, email_verified: false },
      ],
    ]) {
      provider.mischief = { claims: { ...token }, info: { ...info } };
      expect([token, (await logIn('linking')).reason]).toEqual([token, 'INVALID_CREDENTIALS']);
    }
    expect(await storedAccounts(service)).toEqual(before);
    provider.mischief = {};
    provider.person = { ...thief, email: person.email, preferred_username: person.email };
    expect(await whoIs(service, (await logIn('upn')).browser), 'the same address under both').toMatchObject({ id: person.id });
  });

  it('C18, account taken over by email: SYNC_USER_INFO brings no unverified address to an account that the provider did not make', async () => {
    const person = await makePerson(service, []);
    provider.person = { sub: 'synced', email: person.email, email_verified: true };
    const log = async () => whoIs(service, (await logIn('sync')).browser);
    expect(await log()).toMatchObject({ id: person.id });
    provider.person = { sub: 'synced', email: 'awaited@example.org', email_verified: false, given_name: 'Sam' };
    expect(await log()).toMatchObject({ id: person.id, email: person.email, first_name: 'Sam' });
    provider.person = { sub: 'synced', email: 'proven@example.org', email_verified: true };
    expect(await log()).toMatchObject({ id: person.id, email: 'proven@example.org' });
  });

  it('a number that JSON has rounded identifies no user', async () => {
    const before = await storedAccounts(service);
    provider.person = { profile: { id: 2 ** 53 } };
    expect((await logIn('hub')).reason).toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
  });

  it('an address identifies no user unless it is verified', async () => {
    const before = await storedAccounts(service);
    provider.person = { sub: 'x', email: 'mail@example.org', email_verified: false };
    expect((await logIn('byemail')).reason).toBe('INVALID_CREDENTIALS');
    provider.person = { profile: { email: 'mail@example.org' } };
    expect((await logIn('plain')).reason).toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
    provider.person = { sub: 'x', email: 'Mail@example.org', email_verified: true };
    expect(await whoIs(service, (await logIn('byemail')).browser)).toMatchObject({ external_identifier: 'mail@example.org' });
  });

  it('OAuth2 with endpoints of its own: the profile, and the primary address from a list (the shape of GitHub)', async () => {
    const emails = [
      { email: 'old@example.org', primary: false, verified: true },
      { email: 'hubert@example.org', primary: true, verified: true },
    ];
    provider.person = { sub: 'ignored', profile: { id: 4711, login: 'hubert', name: 'Hubert', email: null }, emails };
    const { browser } = await logIn('hub');
    expect(await whoIs(service, browser)).toMatchObject({
      email: 'hubert@example.org',
      first_name: 'Hubert',
      external_identifier: '4711',
      provider: 'hub',
    });
    expect(provider.exchanges.at(-1)?.get('code_verifier')).toMatch(/^\w{64}$/);
    provider.mischief = { callback: { code: 'made up' } };
    expect((await logIn('hub')).reason).toBe('INVALID_CREDENTIALS');
    provider.mischief = { callback: { state: 'made up' } };
    expect((await logIn('hub')).reason).toBe('INVALID_CREDENTIALS');
  });

  const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
  const logoutClaims = () => {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: provider.url,
      aud: 'tain',
      iat: now,
      exp: now + 120,
      jti: crypto.randomUUID(),
      sub: 'leaving',
      events: { [logoutEvent]: {} },
    };
  };
  const sendLogout = async (token: string, name = 'crooked') => {
    const raw = new URLSearchParams({ logout_token: token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return codeOf(await service.as(null).request('POST', `/auth/login/${name}/backchannel-logout`, { raw, headers }));
  };

  it('suspended at the provider: a back-channel logout ends the sessions of the person, once', async () => {
    provider.person = { sub: 'leaving' };
    const [one, two] = [(await logIn('crooked')).browser, (await logIn('crooked')).browser];
    provider.person = { sub: 'staying' };
    const { browser: other } = await logIn('crooked');
    const token = await provider.sign(logoutClaims());
    expect(await whoIs(service, one)).not.toBeNull();
    expect(await sendLogout(token)).toBe('200');
    for (const browser of [one, two]) expect(await whoIs(service, browser)).toBeNull();
    expect(await whoIs(service, other)).not.toBeNull();
    expect(await sendLogout(token), 'the same again').toBe('400 INVALID_PAYLOAD');
  });

  it('suspended at the provider: a back-channel logout with a sid ends the session that it names, and no other', async () => {
    const begin = async (sid: string | undefined, name = 'crooked') => {
      provider.mischief = sid === undefined ? {} : { claims: { sid } };
      return (await logIn(name)).browser;
    };
    provider.person = { sub: 'leaving' };
    const [desk, phone, old] = [await begin('at the desk'), await begin('on the phone'), await begin(undefined)];
    const elsewhere = await begin('at the desk', 'linking');
    provider.mischief = {};
    const cookie = `${sessionCookie}=${phone.cookie(publicUrl, sessionCookie)}`;
    const { headers } = await service.as(null).post('/auth/refresh', { mode: 'session' }, { cookie });
    const refreshed = /service_session_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
    const { sub: _sub, ...claims } = logoutClaims();
    expect(await sendLogout(await provider.sign({ ...claims, sid: 'at the desk' }))).toBe('200');
    expect(await whoIs(service, desk)).toBeNull();
    for (const browser of [old, elsewhere]) expect(await whoIs(service, browser)).not.toBeNull();
    expect(await ownerOf(service, refreshed)).not.toBeNull();

    const again = await begin('at the desk');
    provider.mischief = {};
    expect(await sendLogout(await provider.sign({ ...logoutClaims(), sub: 'another', sid: 'at the desk' }))).toBe('200');
    expect(await whoIs(service, again), 'of another person').not.toBeNull();
    expect(await sendLogout(await provider.sign({ ...logoutClaims(), sid: 'on the phone' }))).toBe('200');
    expect(await ownerOf(service, refreshed), 'a refresh keeps the name of the session').toBeNull();
    expect(await whoIs(service, old), 'it may be the one that is meant').toBeNull();
    expect(await whoIs(service, again)).not.toBeNull();
  });

  it('a back-channel logout with a sid counts where users are identified by another claim', async () => {
    provider.person = { sub: 'nameless', email: 'nameless@example.org', email_verified: true };
    provider.mischief = { claims: { sid: 'session of byemail' } };
    const { browser } = await logIn('byemail');
    provider.mischief = {};
    expect(await sendLogout(await provider.sign({ ...logoutClaims(), sub: 'nameless' }), 'byemail')).toBe('400 INVALID_PAYLOAD');
    expect(await whoIs(service, browser)).not.toBeNull();
    const claims = { ...logoutClaims(), sub: 'nameless', sid: 'session of byemail' };
    expect(await sendLogout(await provider.sign(claims), 'byemail')).toBe('200');
    expect(await whoIs(service, browser)).toBeNull();
  });

  it('a back-channel logout counts only if the provider signed it, for this client, now, as a logout', async () => {
    provider.person = { sub: 'leaving' };
    const { browser } = await logIn('crooked');
    const { events: _events, ...withoutEvent } = logoutClaims();
    const { sub: _sub, ...withoutSubject } = logoutClaims();
    const lies: readonly Readonly<Record<string, unknown>>[] = [
      { ...logoutClaims(), iss: 'https://evil.example' },
      { ...logoutClaims(), aud: 'another-client' },
      { ...logoutClaims(), iat: past, exp: past + 60 },
      { ...logoutClaims(), nonce: 'an ID token has one' },
      withoutEvent,
      withoutSubject,
    ];
    for (const claims of lies) expect([claims, await sendLogout(await provider.sign(claims))]).toEqual([claims, '400 INVALID_PAYLOAD']);
    provider.mischief = { otherKey: true };
    expect(await sendLogout(await provider.sign(logoutClaims()))).toBe('400 INVALID_PAYLOAD');
    const asked = provider.keysAsked;
    for (let times = 0; times < 3; times += 1) expect(await sendLogout(await provider.sign(logoutClaims()))).toBe('400 INVALID_PAYLOAD');
    expect(provider.keysAsked, 'tokens that mean nothing do not make the service ask').toBe(asked);
    expect(await sendLogout('no token')).toBe('400 INVALID_PAYLOAD');
    expect(await sendLogout(await provider.sign(logoutClaims()), 'hub'), 'a driver that knows no logouts').toBe('400 INVALID_PAYLOAD');
    expect(await whoIs(service, browser)).not.toBeNull();
  });

  it('logs out here, and answers where to log out at the provider', async () => {
    provider.person = { sub: 'leaving' };
    const { browser } = await logIn('crooked');
    const cookie = `${sessionCookie}=${browser.cookie(publicUrl, sessionCookie)}`;
    const leave = (body: object, name = 'crooked') =>
      service.as(null).post(`/auth/login/${name}/logout`, { mode: 'session', ...body }, { cookie });
    expect(codeOf(await leave({ redirect: 'https://evil.example' }))).toBe('400 INVALID_PAYLOAD');
    expect(await whoIs(service, browser)).not.toBeNull();
    const answer = await leave({ redirect: '/bye' });
    const url = new URL(answer.body.data);
    expect([url.origin + url.pathname, url.searchParams.get('post_logout_redirect_uri'), url.searchParams.get('client_id')]).toEqual([
      `${provider.url}/end`,
      `${publicUrl}/bye`,
      'tain',
    ]);
    expect(answer.headers.get('set-cookie')).toMatch(/^service_session_token=; Max-Age=0/);
    expect(await whoIs(service, browser)).toBeNull();
    expect((await leave({ redirect: '/bye' }, 'away')).body.data, 'a provider that is away keeps nobody').toBe(`${publicUrl}/bye`);
  });

  it('one account by several providers: a signed-in user adds and removes them, but not the last way to sign in', async () => {
    provider.person = { sub: 'several' };
    const { browser } = await logIn('crooked');
    const me = service.as(browser.cookie(publicUrl, sessionCookie));
    const list = async () =>
      (await me.get('/users/me/identities')).body.data as readonly { readonly id: string; readonly provider: string }[];
    const [first] = await list();
    expect(codeOf(await me.delete(`/users/me/identities/${first?.id}`))).toBe('422 UNPROCESSABLE_CONTENT');
    const { id } = await whoIs(service, browser);
    const added = await me.post('/users/me/identities', { provider: 'hub', redirect: '/account' });
    for (const line of added.headers.getSetCookie())
      browser.setCookie(publicUrl, line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1, line.indexOf(';')));
    provider.person = { profile: { id: 815 } };
    const back = await browser.follow(added.body.data, `${publicUrl}/account`);
    expect([reasonOf(back), back.url.pathname]).toEqual([null, '/account']);
    expect((await list()).map((entry) => entry.provider)).toEqual(['crooked', 'hub']);
    expect(await whoIs(service, (await logIn('hub')).browser)).toMatchObject({ id });
    expect((await service.api.get(`/users/${id}/identities`)).body.data).toEqual(await list());
    expect((await me.delete(`/users/me/identities/${(await list())[1]?.id}`)).status).toBe(204);
    expect(await whoIs(service, (await logIn('hub')).browser), 'somebody new').not.toMatchObject({ id });
    expect((await service.api.delete(`/users/${id}/identities/${first?.id}`)).status).toBe(204);
    expect(await whoIs(service, browser), 'its sessions have ended').toBeNull();
    expect(codeOf(await service.as(null).post('/users/me/identities', { provider: 'hub' }))).toBe('401 INVALID_CREDENTIALS');
  });

  it('an identity of another user cannot be added', async () => {
    provider.person = { profile: { id: 4242 } };
    const owner = await whoIs(service, (await logIn('hub')).browser);
    const person = await makePerson(service, []);
    const wanted = { provider: 'hub', redirect: '/account', password: person.password };
    const { body, headers } = await person.api.post('/users/me/identities', wanted);
    const [line = ''] = headers.getSetCookie();
    const browser = openBrowser(service);
    browser.setCookie(publicUrl, line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1, line.indexOf(';')));
    expect(reasonOf(await browser.follow(body.data, `${publicUrl}/account`))).toBe('INVALID_CREDENTIALS');
    expect((await person.api.get('/users/me/identities')).body.data).toEqual([]);
    expect(await whoIs(service, (await logIn('hub')).browser)).toEqual(owner);
  });

  it('an identity is added after a recent login or with the password, not by a session that was left open or a token that was found', async () => {
    const { api, email, password } = await makePerson(service, []);
    const link = (caller: typeof api, more = {}) => caller.post('/users/me/identities', { provider: 'hub', ...more });
    expect((await link(api)).body.errors[0].extensions).toEqual({
      code: 'FORBIDDEN',
      refusal: 'prove_owner',
      detail: 'A new provider',
      reason: 'A new provider needs the password of the account, or a login within the last five minutes',
    });
    expect(codeOf(await link(api, { password: 'wrong' }))).toBe('401 INVALID_CREDENTIALS');
    expect((await link(api, { password })).status).toBe(200);
    const { access_token } = (await service.as(null).post('/auth/login', { email, password })).body.data;
    expect((await link(service.as(access_token))).status).toBe(200);
    const longAgo = new Date(Date.now() - 301_000).toISOString();
    const written = vendor.name === 'sqlite' ? longAgo : longAgo.replace('Z', '').replace('T', ' ');
    await service.sql(`update service_sessions set signed_in = '${written}'`);
    expect(codeOf(await link(service.as(access_token)))).toBe('403 FORBIDDEN');
  });

  it('renewals of one session at once ask the provider once: its tokens can be used once', async () => {
    provider.mischief = { rotates: true };
    provider.person = { sub: 'two tabs' };
    const { browser } = await logIn('crooked');
    const renew = async (token: string | null): Promise<string> => {
      const { headers, status } = await service
        .as(null)
        .post('/auth/refresh', { mode: 'session' }, { cookie: `${sessionCookie}=${token}` });
      expect(status).toBe(200);
      return /service_session_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
    };
    const first = browser.cookie(publicUrl, sessionCookie);
    const asked = provider.exchanges.length;
    const [one, two] = await Promise.all([renew(first), renew(first)]);
    const three = await renew(first);
    expect(provider.exchanges.length).toBe(asked + 1);
    for (const token of [one, two, three]) expect(await ownerOf(service, token)).not.toBeNull();
    // Whichever cookie the browser has kept continues with the next token of the provider.
    await renew(await renew(two));
    expect(provider.exchanges.length).toBe(asked + 3);
  });

  it('many logins of a new person at once make one account', async () => {
    provider.person = { sub: 'eager', email: 'eager@example.org' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => logIn('crooked')));
    expect(answers.map(({ reason }) => reason)).toEqual(new Array(5).fill(null));
    const people = await Promise.all(answers.map(({ browser }) => whoIs(service, browser)));
    expect(new Set(people.map(({ id }) => id)).size).toBe(1);
  });

  it('AUTH_ALLOWED_PUBLIC_URLS: the callback has the address that the browser came by, if it is listed', async () => {
    const redirectUri = async (host: string): Promise<string | null> => {
      const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' };
      const { headers: answered } = await service.as(null).get('/auth/login/crooked', headers);
      return new URL(answered.get('location') ?? '').searchParams.get('redirect_uri');
    };
    expect(await redirectUri('other.example.com')).toBe('https://other.example.com/auth/login/crooked/callback');
    expect(await redirectUri('evil.example')).toBe(`${publicUrl}/auth/login/crooked/callback`);
    for (const host of ['a b', '[', 'localhost:99999'])
      expect(codeOf(await service.as(null).get('/auth/login/crooked', { 'x-forwarded-host': host })), host).toBe('400 INVALID_PAYLOAD');
  });

  it('a local provider has accounts and passwords of its own', async () => {
    const { email, password } = await makePerson(service, [], { provider: 'branch' });
    expect((await service.as(null).post('/auth/login/branch', { email, password })).status).toBe(200);
    expect(codeOf(await service.as(null).post('/auth/login/branch', { email, password: 'wrong' }))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await service.as(null).post('/auth/login', { email, password }))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await service.as(null).post('/auth/login/branch', { email: adminEmail, password: adminPassword }))).toBe(
      '401 INVALID_CREDENTIALS',
    );
  });

  it('discovery failure kills the process: a provider that is away stops neither the service nor other logins', async () => {
    const answer = await openBrowser(service).ask(startOf('away', { redirect: '/after' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^https:\/\/data\.example\.com\/(?:admin\/login|login-failed)\?reason=SERVICE_UNAVAILABLE$/),
    ]);
    const { checks, status } = (await service.api.get('/server/health')).body;
    // The whole is as well as its database, which a busy machine may slow down.
    const database = checks[`${vendor.name}:responseTime`][0].status;
    expect([checks['login:away'][0].status, checks['login:crooked'][0].status, status]).toEqual(['warn', 'ok', database]);
    expect((await logIn('crooked')).reason).toBeNull();
    expect((await service.as(null).post('/auth/login', { email: adminEmail, password: adminPassword })).status).toBe(200);
  });

  it.each(['silent', 'endless'])(
    'SSRF through ISSUER_URL/PROFILE_URL: an answer within bounds of time and size, or the provider is away: %s',
    async (name) => {
      const began = Date.now();
      expect(reasonOf(await openBrowser(service).ask(startOf(name)))).toBe('SERVICE_UNAVAILABLE');
      expect(Date.now() - began).toBeLessThan(3000);
    },
  );

  it('SSRF through ISSUER_URL/PROFILE_URL: keys of logouts come by HTTPS', async () => {
    const token = await provider.sign({ ...logoutClaims(), iss: `${provider.url}/keyless` });
    expect(await sendLogout(token, 'keyless')).toBe('400 INVALID_PAYLOAD');
  });

  it('a provider that breaks during a login is away, and is asked again', async () => {
    const browser = openBrowser(service);
    const callback = await browser.follow(startOf('crooked', { redirect: '/after' }), `${publicUrl}/auth/login/crooked/callback`);
    provider.mischief = { status: 503 };
    expect(reasonOf(await browser.ask(callback.url))).toBe('SERVICE_UNAVAILABLE');
    provider.mischief = {};
    expect((await logIn('crooked')).reason).toBeNull();
  });

  it('answers 404 for what is not a provider of that kind', async () => {
    for (const path of ['/auth/login/nobody', '/auth/login/nobody/callback', '/auth/login/default'])
      expect([path, codeOf(await service.as(null).get(path))]).toEqual([path, '404 ROUTE_NOT_FOUND']);
  });
});
