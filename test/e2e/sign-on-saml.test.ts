// Logins by SAML, end to end against an identity provider that really runs and really signs, and that forges what a test asks for.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { codeOf, makePerson, makePolicy } from '../harness/people.js';
import { type SamlLogins, startSamlLogins } from '../harness/saml-logins.js';
import { messageIn, samlKeys } from '../harness/saml-provider.js';
import { openBrowser, ownerOf, publicUrl, reasonOf, sessionCookie, startOf, storedAccounts, whoIs } from '../harness/sign-on.js';
import type { TestService } from '../harness/start-service.js';

const roles = {
  reader: '5a4f1c1e-0000-4000-8000-000000000011',
  writer: '5a4f1c1e-0000-4000-8000-000000000012',
  chief: '5a4f1c1e-0000-4000-8000-000000000013',
};
const extra = '5a4f1c1e-0000-4000-8000-000000000014';
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const placeOf = (name: string, place: 'acs' | 'metadata' | 'logout'): string => `${publicUrl}/auth/login/${name}/${place}`;

describeVendorsTogether('sign-on by SAML', (vendor) => {
  let logins: SamlLogins;
  let service: TestService;
  let provider: SamlLogins['provider'];

  beforeAll(async () => {
    const open = { ALLOW_PUBLIC_REGISTRATION: 'true' };
    const mapped = {
      ...open,
      DEFAULT_ROLE_ID: roles.reader,
      ROLE_MAPPING: JSON.stringify({ writers: roles.writer, chiefs: roles.chief }),
      POLICY_MAPPING: JSON.stringify({ writers: [extra] }),
    };
    logins = await startSamlLogins(vendor, 'sign-on-saml', {
      company: { ...open, LABEL: 'The company', REDIRECT_ALLOW_LIST: 'https://app.example.com/after' },
      closed: {},
      mapped,
      powerful: { ...mapped, ALLOW_ADMIN: 'true' },
      keyed: {
        ...open,
        SP_privateKey: samlKeys.service.key.replaceAll('\n', '\\n'),
        SP_signingCert: samlKeys.service.certificate,
        SP_ENTITY_ID: 'urn:the-service',
      },
      bymail: { ...open, IDENTIFIER_KEY: `${claims}/emailaddress`, SYNC_USER_INFO: 'true' },
      cookies: { ...open, MODE: 'cookie' },
    });
    ({ service, provider } = logins);
    const chief = await makePolicy(service, { admin_access: true, app_access: true });
    await service.api.post('/roles', [
      { id: roles.reader, name: 'readers' },
      { id: roles.writer, name: 'writers' },
      { id: roles.chief, name: 'chiefs', policies: [{ policy: chief }] },
    ]);
    await service.api.post('/policies', { id: extra, name: 'extra' });
  });
  beforeEach(() => {
    provider.lies = {};
    provider.person = { nameId: 'stranger' };
  });
  afterAll(() => logins.stop());

  it('makes an account of an unknown person, and finds it again', async () => {
    provider.person = {
      nameId: 'ann',
      attributes: {
        [`${claims}/emailaddress`]: ['Ann@Example.org'],
        [`${claims}/givenname`]: ['Ann &amp; Co'],
        [`${claims}/surname`]: ['Archer'],
      },
    };
    const { browser, answer } = await logins.logIn('company', { redirect: '/admin/content?x=1' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/admin/content?x=1']);
    expect(browser.cookieNames(publicUrl)).toEqual([sessionCookie]);
    const me = await whoIs(service, browser);
    expect(me).toMatchObject({
      email: 'ann@example.org',
      first_name: 'Ann & Co',
      last_name: 'Archer',
      provider: 'company',
      external_identifier: 'ann',
    });
    expect(await whoIs(service, (await logins.logIn()).browser)).toEqual(me);
    const rows = await service.sql('select provider, subject, issuer from service_identities');
    expect(rows.filter(({ subject }) => subject === 'ann')).toEqual([
      { provider: 'company', subject: 'ann', issuer: `${provider.url}/idp` },
    ]);
    const { data } = (await service.as(null).get('/auth')).body;
    expect(data[0]).toEqual({ name: 'company', label: 'The company', driver: 'saml', icon: 'account_circle' });
  });

  it('gives the provider the address of the service, and signs requests with its own key', async () => {
    const metadata = await service.as(null).request('GET', '/auth/login/company/metadata');
    expect(metadata.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const text = await (await fetch(`${service.url}/auth/login/keyed/metadata`)).text();
    expect(text).toContain('entityID="urn:the-service"');
    expect(text).toContain(`Location="${placeOf('keyed', 'acs')}"`);
    expect(text).toContain(`Location="${placeOf('keyed', 'logout')}"`);
    expect(text).toContain(samlKeys.service.certificate.split('\n')[1]);
    const start = async (name: string) => new URL((await openBrowser(service).ask(startOf(name))).headers.get('location') ?? '');
    expect((await start('company')).searchParams.has('Signature')).toBe(false);
    const signed = await start('keyed');
    expect(signed.searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
    const { createVerify } = await import('node:crypto');
    const [query, signature] = signed.search.slice(1).split('&Signature=');
    expect(
      createVerify('sha256')
        .update(query ?? '')
        .verify(samlKeys.service.certificate, decodeURIComponent(signature ?? ''), 'base64'),
    ).toBe(true);
    provider.person = { nameId: 'kay' };
    expect(await whoIs(service, (await logins.logIn('keyed')).browser)).toMatchObject({ external_identifier: 'kay' });
    expect(codeOf(await service.as(null).get('/auth/login/nobody/metadata'))).toBe('404 ROUTE_NOT_FOUND');
  });

  it('the cookie mode sets a refresh cookie; without a redirect, a client that accepts JSON only gets tokens', async () => {
    provider.person = { nameId: 'cora' };
    const { browser } = await logins.logIn('cookies', { redirect: '/after' });
    expect(browser.cookieNames(publicUrl)).toEqual(['service_refresh_token']);
    const client = openBrowser(service);
    const { action, fields } = await provider.logIn(client, startOf('cookies'));
    const { status, text } = await client.ask(action, {
      form: { ...fields, returned: 'yes' },
      from: publicUrl,
      accept: 'application/json',
    });
    const { data } = JSON.parse(text);
    expect([status, Object.keys(data).toSorted()]).toEqual([200, ['access_token', 'expires', 'refresh_token']]);
    expect(await ownerOf(service, data.access_token)).toMatchObject({ external_identifier: 'cora' });
    const { body } = await service.as(null).post('/auth/refresh', { refresh_token: data.refresh_token, mode: 'json' });
    expect(await ownerOf(service, body.data.access_token), 'a refresh').toMatchObject({ external_identifier: 'cora' });
  });

  it('role mapping: groups give role and policies, a group that is taken away takes them along; administrators only with ALLOW_ADMIN', async () => {
    const rights = async () => {
      const [user] = await service.sql("select id, role from service_users where external_identifier = 'will'");
      const policies = (await service.api.get(`/access?filter[user][_eq]=${user?.['id']}&fields=policy`)).body.data;
      return [user?.['role'], policies.map(({ policy }: { policy: string }) => policy)];
    };
    provider.person = { nameId: 'will', attributes: { groups: ['unimportant', 'writers'] } };
    await logins.logIn('mapped');
    expect(await rights()).toEqual([roles.writer, [extra]]);
    provider.person = { nameId: 'will', attributes: { groups: ['chiefs'] } };
    await logins.logIn('mapped');
    expect(await rights()).toEqual([roles.reader, []]);
    provider.person = { nameId: 'boss', attributes: { groups: ['chiefs'] } };
    const { browser } = await logins.logIn('powerful');
    expect(await whoIs(service, browser)).toMatchObject({ role: roles.chief });
  });

  it('an attribute can identify people, and is taken over', async () => {
    provider.person = { nameId: 'changes', attributes: { [`${claims}/emailaddress`]: ['Mia@example.org'] } };
    const me = await whoIs(service, (await logins.logIn('bymail')).browser);
    expect(me).toMatchObject({ external_identifier: 'mia@example.org', email: 'mia@example.org', first_name: null });
    provider.person = {
      nameId: 'again',
      attributes: { [`${claims}/emailaddress`]: ['mia@example.org'], [`${claims}/givenname`]: ['Mia'] },
    };
    provider.lies = { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' };
    expect(await whoIs(service, (await logins.logIn('bymail')).browser)).toEqual({ ...me, first_name: 'Mia' });
    await logins.expectRefused(provider.lies);
    provider.person = { nameId: 'x', attributes: { [`${claims}/emailaddress`]: ['one@example.org', 'mia@example.org'] } };
    await logins.expectRefused({}, 'bymail');
  });

  it('C18, account taken over by email: an address that is taken opens nothing', async () => {
    const person = await makePerson(service, []);
    provider.person = { nameId: 'thief', attributes: { [`${claims}/emailaddress`]: [person.email], email_verified: ['true'] } };
    await logins.expectRefused({});
  });

  it('user enumeration: unknown, of another provider, suspended: one answer', async () => {
    await makePerson(service, [], { provider: 'company', external_identifier: 'elsewhere-saml' });
    await makePerson(service, [], { provider: 'closed', external_identifier: 'idle-saml', status: 'suspended' });
    for (const nameId of ['unknown', 'elsewhere-saml', 'idle-saml']) {
      provider.person = { nameId };
      await logins.expectRefused({}, 'closed');
    }
  });

  describe('log-in CSRF', () => {
    it('an answer counts only in the browser where the login began, and there once', async () => {
      provider.person = { nameId: 'cy' };
      const before = await storedAccounts(service);
      const form = await provider.logIn(openBrowser(service), startOf('company'));
      expect(reasonOf(await logins.bring(openBrowser(service), form)), 'no cookie').toBe('INVALID_CREDENTIALS');
      const other = openBrowser(service);
      await other.ask(startOf('company'));
      expect(reasonOf(await logins.bring(other, form)), 'the cookie of another login').toBe('INVALID_CREDENTIALS');
      const direct = openBrowser(service);
      const own = await provider.logIn(direct, startOf('company'));
      const foreign = await direct.ask(own.action, { form: { ...own.fields, returned: 'yes' }, from: 'https://evil.example' });
      expect(reasonOf(foreign), 'from another site').toBe('INVALID_CREDENTIALS');
      expect(await storedAccounts(service)).toEqual(before);
    });

    it('the provider has to return the state of the login', async () => {
      const before = await storedAccounts(service);
      for (const RelayState of ['', 'another', 'https://evil.example']) {
        const browser = openBrowser(service);
        const { action, fields } = await provider.logIn(browser, startOf('company', { redirect: '/after' }));
        const answer = await logins.bring(browser, { action, fields: { ...fields, RelayState } });
        expect([RelayState, answer.headers.get('location')]).toEqual([RelayState, '/after?reason=INVALID_CREDENTIALS']);
      }
      expect(await storedAccounts(service)).toEqual(before);
    });
  });

  it('open redirect: neither the first step nor RelayState leads elsewhere', async () => {
    for (const redirect of ['//evil.example', 'https://evil.example/', 'javascript:alert(1)'])
      expect(codeOf(await service.as(null).get(`/auth/login/company?${new URLSearchParams({ redirect })}`))).toBe('400 INVALID_PAYLOAD');
    const back = async (RelayState: string) => {
      const query = new URLSearchParams({ SAMLResponse: 'x', RelayState });
      return (await openBrowser(service).ask(`${placeOf('company', 'logout')}?${query}`)).headers.get('location');
    };
    expect(await back('https://evil.example/')).toBe('/');
    expect(await back('//evil.example')).toBe('/');
    expect(await back('/bye')).toBe('/bye');
    expect(await back('https://app.example.com/after?a=b')).toBe('https://app.example.com/after?a=b');
  });

  it('replay: an assertion can be used once, also as the answer to another login, and in another process', async () => {
    provider.person = { nameId: 'rex' };
    const assertionId = `_${crypto.randomUUID()}`;
    provider.lies = { assertionId };
    const { browser, form, answer } = await logins.logIn('company', { redirect: '/after' });
    expect(answer.headers.get('location')).toBe('/after');
    const before = await storedAccounts(service);
    expect(reasonOf(await logins.bring(browser, form)), 'the same again').toBe('INVALID_CREDENTIALS');
    expect(reasonOf((await logins.logIn()).answer), 'the same assertion to another login').toBe('INVALID_CREDENTIALS');
    expect(await storedAccounts(service)).toEqual(before);
    // What was spent is in the database, which processes share, and goes when it would be too old.
    const rows = await service.sql('select expires from service_spent');
    expect(rows.length).toBeGreaterThan(1);
    for (const { expires } of rows) expect(new Date(String(expires)).getTime()).toBeLessThan(Date.now() + 2 * 86_400_000);
  });

  it('logs out here, and answers where to log out at the provider, which sends the browser back', async () => {
    provider.person = { nameId: 'leaving' };
    const { browser } = await logins.logIn('keyed');
    const cookie = `${sessionCookie}=${browser.cookie(publicUrl, sessionCookie)}`;
    const leave = (redirect: string, name = 'keyed') =>
      service.as(null).post(`/auth/login/${name}/logout`, { mode: 'session', redirect }, { cookie });
    expect(codeOf(await leave('https://evil.example'))).toBe('400 INVALID_PAYLOAD');
    const answer = await leave('/bye');
    const url = new URL(answer.body.data);
    expect([url.origin + url.pathname, url.searchParams.get('RelayState'), url.searchParams.has('Signature')]).toEqual([
      `${provider.url}/slo`,
      `${publicUrl}/bye`,
      true,
    ]);
    expect(messageIn(url)).toMatch(/<saml:NameID [^>]*>leaving<\/saml:NameID>.*session of leaving<\//);
    expect(await whoIs(service, browser)).toBeNull();
    expect((await leave('/bye')).body.data, 'nobody is logged in').toBe(`${publicUrl}/bye`);
    const back = await browser.ask(
      `${placeOf('keyed', 'logout')}?${new URLSearchParams({ SAMLResponse: 'x', RelayState: `${publicUrl}/bye` })}`,
    );
    expect(back.headers.get('location')).toBe(`${publicUrl}/bye`);
  });

  it('a logout at the provider ends the sessions of the person, once, and is answered', async () => {
    provider.person = { nameId: 'parting' };
    const [one, two] = [(await logins.logIn()).browser, (await logins.logIn()).browser];
    provider.person = { nameId: 'staying' };
    const other = (await logins.logIn()).browser;
    const request = provider.logoutRequest(placeOf('company', 'logout'), 'parting', { id: '_asked' });
    const answer = await one.ask(request);
    const url = new URL(answer.headers.get('location') ?? '', publicUrl);
    expect([url.origin + url.pathname, url.searchParams.get('RelayState')]).toEqual([`${provider.url}/slo`, 'state of the provider']);
    expect(messageIn(url)).toMatch(/InResponseTo="_asked".*status:Success/);
    for (const browser of [one, two]) expect(await whoIs(service, browser)).toBeNull();
    expect(await whoIs(service, other)).not.toBeNull();
    expect(reasonOf(await one.ask(request)), 'the same again').toBe('INVALID_PAYLOAD');
  });

  it('a logout at the provider that names sessions (SessionIndex) ends those, and no other', async () => {
    const begin = async (index: string | null, nameId = 'parting') => {
      provider.person = { nameId };
      const written = index === null ? '' : ` SessionIndex="${index}"`;
      provider.lies = { unsigned: (xml) => xml.replace(/ SessionIndex="[^"]*"/, written) };
      return (await logins.logIn()).browser;
    };
    const [desk, phone, tablet] = [await begin('1'), await begin('2'), await begin('3')];
    const other = await begin('1', 'staying');
    const ask = (...indexes: readonly string[]) => {
      const named = indexes.map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join('');
      const xml = (text: string): string => text.replace('</saml:NameID>', `</saml:NameID>${named}`);
      return desk.ask(provider.logoutRequest(placeOf('company', 'logout'), 'parting', { xml }));
    };
    expect(reasonOf(await ask('1'))).toBeNull();
    expect(await whoIs(service, desk)).toBeNull();
    for (const browser of [phone, tablet]) expect(await whoIs(service, browser)).not.toBeNull();
    const old = await begin(null);
    expect(reasonOf(await ask('2', '3', 'unknown'))).toBeNull();
    for (const browser of [phone, tablet, old]) expect(await whoIs(service, browser)).toBeNull();
    expect(await whoIs(service, other), 'an index is unique for its person only').not.toBeNull();
  });

  it('a logout counts only if the provider signed it, for this place, now', async () => {
    provider.person = { nameId: 'parting' };
    const { browser } = await logins.logIn();
    const place = placeOf('company', 'logout');
    const honest = provider.logoutRequest(place, 'parting');
    const lies: readonly string[] = [
      honest.replace(/&Signature=.*/, ''),
      honest.replace(/&SigAlg=.*/, ''),
      honest.replace('rsa-sha256', 'rsa-sha1'),
      honest.replace('RelayState=state', 'RelayState=other'),
      honest.replace('?', `?SAMLRequest=${new URL(provider.logoutRequest(place, 'staying')).searchParams.get('SAMLRequest')}&`),
      provider.logoutRequest(place, 'parting', { key: 'stranger' }),
      provider.logoutRequest(place, 'parting', { issuer: 'https://another.example' }),
      provider.logoutRequest(place, 'parting', { destination: 'https://another.example/logout' }),
      provider.logoutRequest(place, 'parting', { issued: -3_600_000 }),
      provider.logoutRequest(place, 'parting', { xml: (xml) => xml.replace('>parting<', '>par<!-- -->ting<') }),
      provider.logoutRequest(place, 'parting', { xml: (xml) => xml.replace('<saml:Issuer>', `<saml:Issuer>${' '.repeat(2_000_000)}`) }),
      `${place}?SAMLRequest=x`,
    ];
    for (const lie of lies) expect([lie, reasonOf(await browser.ask(lie))]).toEqual([lie, 'INVALID_PAYLOAD']);
    expect(await whoIs(service, browser)).not.toBeNull();
    expect(reasonOf(await browser.ask(honest))).toBeNull();
    expect(await whoIs(service, browser)).toBeNull();
  });

  it('answers 404 for what is not a SAML provider, and at places of other drivers', async () => {
    for (const path of ['/auth/login/nobody/metadata', '/auth/login/nobody/logout', '/auth/login/company/callback'])
      expect([path, codeOf(await service.as(null).get(path))]).toEqual([path, '404 ROUTE_NOT_FOUND']);
    const raw = new URLSearchParams({ SAMLResponse: 'AAAA', returned: 'yes' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(codeOf(await service.as(null).request('POST', '/auth/login/nobody/acs', { raw, headers }))).toBe('404 ROUTE_NOT_FOUND');
  });
});
