// Logins when a way in is missing: passwords are switched off, or a provider is away, at the start, at a login or at a refresh.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from '../harness/identity-provider.js';
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
  whoIs,
} from '../harness/sign-on.js';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';
import { freePort } from '../harness/throw-away-server.js';

describeEachVendor('sign-on without passwords, and without providers that are away', (vendor) => {
  let company: IdentityProvider;
  let late: string;
  let latePort: number;
  let service: TestService;

  beforeAll(async () => {
    // A port that no outgoing connection takes while the provider is away.
    company = await startIdentityProvider([callbackOf('company')], await freePort());
    latePort = await freePort();
    late = `http://127.0.0.1:${latePort}`;
    const client = { DRIVER: 'openid', CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ALLOW_PUBLIC_REGISTRATION: 'true' };
    service = await startService(vendor, {
      area: 'sign-on-away',
      config: {
        publicUrl,
        authDisableDefault: true,
        authProviders: ['company', 'late', 'branch'],
        authVariables: {
          ...providerVariables('company', { ...client, ISSUER_URL: company.url }),
          // Nothing listens there when the service starts.
          ...providerVariables('late', { ...client, ISSUER_URL: late, ISSUER_DISCOVERY_MUST_SUCCEED: 'true' }),
          ...providerVariables('branch', { DRIVER: 'local' }),
        },
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    await company.stop();
  });

  const stateOf = async (name: string): Promise<string> => (await service.api.get('/server/health')).body.checks[`login:${name}`][0].status;
  const refresh = (token: string) => service.as(null).post('/auth/refresh', { mode: 'session' }, { cookie: `${sessionCookie}=${token}` });
  const renewed = ({ headers }: { readonly headers: Headers }): string =>
    /service_session_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
  const logIn = async (provider: IdentityProvider, name: string, subject: string) => {
    const browser = openBrowser(service);
    expect(reasonOf(await browser.ask(await provider.logIn(browser, startOf(name), subject)))).toBeNull();
    return browser;
  };

  it('AUTH_DISABLE_DEFAULT: no door takes an email and a password, right or wrong, and both say so', async () => {
    const anybody = service.as(null);
    const { body } = await anybody.get('/auth');
    expect(body).toMatchObject({ disableDefault: true, passkeys: false });
    expect((await anybody.graphql('{ auth_providers }', {}, '/graphql/system')).body.data.auth_providers).toEqual(body);
    const mutation = 'mutation ($email: String!, $password: String!) { auth_login(email: $email, password: $password) { access_token } }';
    for (const password of [adminPassword, 'wrong']) {
      const credentials = { email: adminEmail, password };
      expect(codeOf(await anybody.post('/auth/login', credentials))).toBe('404 ROUTE_NOT_FOUND');
      const { data, errors } = (await anybody.graphql(mutation, credentials, '/graphql/system')).body;
      expect([data?.auth_login ?? null, errors[0].extensions.code]).toEqual([null, 'ROUTE_NOT_FOUND']);
      await expect(service.call('login', credentials)).rejects.toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    }
  });

  it('AUTH_DISABLE_DEFAULT: providers, accounts of a local provider and static tokens continue', async () => {
    company.people.set('ann', { email: 'ann@example.org' });
    expect(await whoIs(service, await logIn(company, 'company', 'ann'))).toMatchObject({ email: 'ann@example.org' });
    const { email, password, id } = await makePerson(service, [], { provider: 'branch' });
    const { data } = (await service.as(null).post('/auth/login/branch', { email, password })).body;
    expect(await ownerOf(service, data.access_token)).toMatchObject({ id });
    expect((await service.api.get('/users/me?fields=email')).body.data).toEqual({ email: adminEmail });
  });

  it('discovery failure kills the process: ISSUER_DISCOVERY_MUST_SUCCEED does not, and the provider is there once it answers', async () => {
    const answer = await openBrowser(service).ask(startOf('late', { redirect: '/after' }));
    expect([answer.status, reasonOf(answer)]).toEqual([302, 'SERVICE_UNAVAILABLE']);
    expect([await stateOf('late'), await stateOf('company')]).toEqual(['warn', 'ok']);
    company.people.set('eve', {});
    expect(await whoIs(service, await logIn(company, 'company', 'eve'))).toMatchObject({ external_identifier: 'eve' });
    const started = await startIdentityProvider([callbackOf('late')], latePort);
    try {
      started.people.set('lea', { email: 'lea@example.org' });
      expect(await whoIs(service, await logIn(started, 'late', 'lea'))).toMatchObject({ email: 'lea@example.org' });
      expect(await stateOf('late')).toBe('ok');
    } finally {
      await started.stop();
    }
  });

  it('away at the callback: a client of JSON gets a 503 in clear words, and nothing is stored', async () => {
    company.people.set('cal', {});
    const browser = openBrowser(service);
    const callback = await company.logIn(browser, startOf('company'), 'cal');
    await company.stop();
    try {
      const { status, text } = await browser.ask(callback, { accept: 'application/json' });
      const [{ message, extensions }] = JSON.parse(text).errors;
      expect([status, extensions.code, message]).toEqual([503, 'SERVICE_UNAVAILABLE', 'The login service cannot be reached.']);
      expect(browser.cookie(publicUrl, sessionCookie)).toBeNull();
    } finally {
      await company.resume();
    }
    expect(reasonOf(await browser.ask(callback)), 'the state is spent').toBe('INVALID_CREDENTIALS');
    expect(await service.sql("select subject from service_identities where subject = 'cal'")).toEqual([]);
  });

  it('away at a refresh: sessions of its users continue, and it is asked again as soon as it answers', async () => {
    company.people.set('rob', { email: 'rob@example.org' });
    const token = (await logIn(company, 'company', 'rob')).cookie(publicUrl, sessionCookie) ?? '';
    const { email, password } = await makePerson(service, [], { provider: 'branch' });
    await company.stop();
    let next: string;
    try {
      const answer = await refresh(token);
      next = renewed(answer);
      expect([answer.status, await stateOf('company')]).toEqual([200, 'warn']);
      expect(await ownerOf(service, next)).toMatchObject({ email: 'rob@example.org' });
      expect((await service.as(null).post('/auth/login/branch', { email, password })).status, 'others sign in').toBe(200);
    } finally {
      await company.resume();
    }
    const again = await refresh(next);
    expect([again.status, await stateOf('company')]).toEqual([200, 'ok']);
    company.people.delete('rob');
    expect(codeOf(await refresh(renewed(again))), 'suspended meanwhile').toBe('401 INVALID_CREDENTIALS');
  });
});
