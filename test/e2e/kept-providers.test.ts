// Providers that administrators keep in the settings: added, tried, used, changed and removed while the service runs, on every instance, against
// a provider that really runs (`oidc-provider`).

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from '../harness/identity-provider.js';
import { patience, patientConfig } from '../harness/patience.js';
import { codeOf, makePerson } from '../harness/people.js';
import { callbackOf, openBrowser, providerVariables, publicUrl, reasonOf, startOf, whoIs } from '../harness/sign-on.js';
import { adminEmail, adminPassword, adminToken, startService, type TestService } from '../harness/start-service.js';

const waiting = { timeout: patience, interval: 20 };
const stars = '**********';

describeEachVendor('providers kept in the settings', (vendor) => {
  let provider: IdentityProvider;
  let service: TestService;
  let settings: Readonly<Record<string, unknown>>;

  const logIn = async (subject: string, name: string, url = service.url) => {
    const browser = openBrowser({ url });
    const callback = await provider.logIn(browser, startOf(name), subject);
    return { browser, answer: await browser.ask(callback) };
  };
  const listed = async (name: string) =>
    (await service.api.get('/auth/providers')).body.data.providers.find((entry: { name: string }) => entry.name === name);
  const add = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
    service.api.post('/auth/providers', { name, driver: 'openid', settings: { ...settings, ...more } });
  const offered = async (url = service.url): Promise<readonly string[]> =>
    (await makeApi(url, null).get('/auth')).body.data.map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    provider = await startIdentityProvider(['house', 'garden', 'fixed'].map(callbackOf));
    settings = { ISSUER_URL: provider.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ALLOW_PUBLIC_REGISTRATION: true };
    const fixed = { DRIVER: 'openid', ISSUER_URL: provider.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    service = await startService(vendor, {
      area: 'kept-providers',
      config: {
        publicUrl,
        secret: 'one secret for both instances',
        authProviders: ['fixed'],
        authVariables: providerVariables('fixed', fixed),
      },
    });
    provider.people.set('ann', { email: 'ann@example.org' });
    provider.people.set('bob', { email: 'bob@example.org' });
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
  });

  it('are open to administrators who are signed in by a cookie, as Studio is', async () => {
    const credentials = { email: adminEmail, password: adminPassword, mode: 'session' };
    const { headers } = await service.as(null).post('/auth/login', credentials);
    const cookie = headers.getSetCookie().map((set) => set.split(';')[0]);
    expect((await service.as(null).get('/auth/providers', { cookie: cookie.join('; ') })).status).toBe(200);
    expect((await service.as(null).get('/auth/providers')).status).toBe(403);
  });

  it('one that is added is used at once, its secret is sealed and never answered, and what was done is recorded without it', async () => {
    expect((await add('house', { LABEL: 'The house' })).status).toBe(204);
    expect((await service.as(null).get('/auth')).body.data).toContainEqual({
      ...{ name: 'house', label: 'The house', driver: 'openid', icon: 'account_circle' },
    });
    expect(await whoIs(service, (await logIn('ann', 'house')).browser)).toMatchObject({ email: 'ann@example.org', provider: 'house' });
    const shown = await listed('house');
    expect(shown).toMatchObject({ source: 'settings', state: 'ready', problems: [], callback: callbackOf('house') });
    expect(shown.settings).toEqual({
      ...{ ISSUER_URL: provider.url, CLIENT_ID: clientId, CLIENT_SECRET: stars, LABEL: 'The house', ALLOW_PUBLIC_REGISTRATION: 'true' },
    });
    const rows = await service.sql('select * from service_providers');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(clientSecret);
    const recorded = (await service.api.get('/activity?filter[collection][_eq]=service_providers')).body.data;
    expect(recorded).toMatchObject([{ action: 'create', item: 'house' }]);
    expect((await service.api.get('/items/service_providers')).status).toBe(403);
  });

  it('trying says whether the provider answers, and whether it accepts the client', async () => {
    const codes = async (body: Readonly<Record<string, unknown>>) => {
      const { works, findings } = (await service.api.post('/auth/providers/try', body)).body.data;
      return [works, ...findings.map(({ code }: { code: string }) => code)];
    };
    expect(await codes({ name: 'house' })).toEqual([true, 'ISSUER_ANSWERS', 'CLIENT_ACCEPTED']);
    expect(await codes({ name: 'fixed' })).toEqual([true, 'ISSUER_ANSWERS', 'CLIENT_ACCEPTED']);
    expect(await codes({ name: 'house', settings: { CLIENT_SECRET: 'another' } })).toEqual([false, 'ISSUER_ANSWERS', 'CLIENT_REFUSED']);
    const elsewhere = { ...settings, ISSUER_URL: 'http://127.0.0.1:1' };
    expect(await codes({ name: 'new', driver: 'openid', settings: elsewhere })).toEqual([false, 'AWAY']);
    const oauth2 = {
      ...{ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, AUTHORIZE_URL: `${provider.url}/auth` },
      ...{ ACCESS_URL: `${provider.url}/token`, PROFILE_URL: `${provider.url}/me` },
    };
    expect(await codes({ name: 'house', driver: 'oauth2', settings: oauth2 })).toEqual([true, 'CLIENT_ACCEPTED']);
    expect(await codes({ name: 'house', driver: 'oauth2', settings: { ...oauth2, CLIENT_SECRET: 'x' } })).toEqual([
      false,
      'CLIENT_REFUSED',
    ]);
    expect(await listed('house')).toMatchObject({ state: 'ready' });
    expect(await offered()).toEqual(['fixed', 'house']);
  });

  it('a secret is rotated, and kept while stars are sent; the others stay as they are', async () => {
    const change = (given: Readonly<Record<string, unknown>>) => service.api.patch('/auth/providers/house', { settings: given });
    expect((await change({ CLIENT_SECRET: 'out of date' })).status).toBe(204);
    expect(reasonOf((await logIn('ann', 'house')).answer)).toBe('INVALID_CREDENTIALS');
    expect((await change({ CLIENT_SECRET: clientSecret, LABEL: null })).status).toBe(204);
    expect((await change({ CLIENT_SECRET: stars, ICON: 'home' })).status).toBe(204);
    expect(await whoIs(service, (await logIn('ann', 'house')).browser)).toMatchObject({ email: 'ann@example.org' });
    expect(await listed('house')).toMatchObject({ label: 'house', settings: { ICON: 'home', CLIENT_SECRET: stars } });
  });

  it('a kept secret is sent to no other place', async () => {
    const thief = { ISSUER_URL: 'https://thief.example.com' };
    for (const path of ['/auth/providers/try', '/auth/providers/house']) {
      const body = { name: 'house', settings: { ...thief, CLIENT_SECRET: stars } };
      const refused = path.endsWith('try') ? await service.api.post(path, body) : await service.api.patch(path, body);
      expect([refused.status, refused.body.errors[0].extensions.problems]).toEqual([
        400,
        ['CLIENT_SECRET: has to be given again, since ISSUER_URL leads to another place'],
      ]);
    }
    expect(await listed('house')).toMatchObject({ settings: { ISSUER_URL: provider.url } });
  });

  it('settings that cannot be used are refused one by one, and nothing is kept', async () => {
    const before = await service.sql('select * from service_providers order by name');
    const refused = await service.api.post('/auth/providers', {
      name: 'odd',
      driver: 'openid',
      settings: { CLIENT_SECRET: stars, SPOPE: 'x' },
    });
    expect([refused.status, refused.body.errors[0].extensions.problems]).toEqual([
      400,
      [
        'CLIENT_SECRET: has to be given, since there is none',
        'ISSUER_URL: is required',
        'CLIENT_ID: is required',
        'SPOPE: means nothing to this driver',
      ],
    ]);
    for (const name of ['default', 'a b', 'HOUSE', 'Fixed']) expect([name, (await add(name)).status]).toEqual([name, 400]);
    expect((await add('plain', { ISSUER_URL: 'http://login.example.com' })).status).toBe(400);
    expect((await service.api.patch('/auth/providers/none', { settings: {} })).status).toBe(403);
    expect((await service.api.patch('/auth/providers/fixed', { settings: {} })).status).toBe(403);
    expect(await service.sql('select * from service_providers order by name')).toEqual(before);
  });

  it('only administrators see, change or try them', async () => {
    const person = await makePerson(service, [{ app_access: true }]);
    for (const api of [person.api, service.as(null)]) {
      const answers = [
        await api.get('/auth/providers'),
        await api.post('/auth/providers', { name: 'mine', driver: 'openid', settings }),
        await api.patch('/auth/providers/house', { settings: {} }),
        await api.delete('/auth/providers/house'),
        await api.post('/auth/providers/try', { name: 'house' }),
      ];
      expect(answers.map(codeOf)).toEqual(answers.map(() => '403 FORBIDDEN'));
    }
  });

  it('the environment wins where both have a name, and its providers are read-only', async () => {
    expect(await listed('fixed')).toMatchObject({
      source: 'environment',
      state: 'ready',
      settings: { CLIENT_SECRET: stars, CLIENT_ID: clientId },
    });
    expect((await service.api.delete('/auth/providers/fixed')).status).toBe(403);
  });

  it('another instance takes over additions, changes and removals', async () => {
    const other = await startBeside(service, {
      authProviders: ['garden'],
      authVariables: providerVariables('garden', { DRIVER: 'local' }),
    });
    try {
      expect(await offered(other.url)).toEqual(['garden', 'house']);
      expect((await add('garden')).status).toBe(204);
      expect(await offered()).toEqual(['fixed', 'garden', 'house']);
      const shown = async () => {
        const { providers } = (await makeApi(other.url, adminToken).get('/auth/providers')).body.data;
        return providers.map((entry: { name: string; source: string; state: string }) => [entry.name, entry.source, entry.state]);
      };
      await expect.poll(shown, waiting).toEqual([
        ['garden', 'environment', 'ready'],
        ['garden', 'settings', 'overridden'],
        ['house', 'settings', 'ready'],
      ]);
      const { browser } = await logIn('bob', 'house', other.url);
      expect(await whoIs(service, browser)).toMatchObject({ email: 'bob@example.org' });
      expect((await service.api.delete('/auth/providers/house')).status).toBe(204);
      await expect.poll(() => offered(other.url), waiting).toEqual(['garden']);
      expect((await makeApi(other.url, null).get('/auth/login/house')).status).toBe(404);
    } finally {
      await other.service.close();
    }
  });

  it('removing one takes its own logins and nothing else; it can be added again, and people are known again', async () => {
    expect(await offered()).toEqual(['fixed', 'garden']);
    expect(reasonOf((await logIn('ann', 'garden')).answer)).toBe('INVALID_CREDENTIALS');
    await add('house');
    expect(await whoIs(service, (await logIn('ann', 'house')).browser)).toMatchObject({ email: 'ann@example.org', provider: 'house' });
  });

  it('secrets that this service cannot open make one provider unusable, and no other', async () => {
    await service.sql("update service_providers set secrets = 'nonsense' where name = 'garden'");
    // Raises the epoch.
    await service.api.patch('/auth/providers/house', { settings: { ICON: 'house' } });
    expect(await offered()).toEqual(['fixed', 'house']);
    const { state, problems } = await listed('garden');
    expect([state, problems]).toEqual(['broken', ['its secrets were sealed with another SECRET: give them again']]);
    const change = (given: object) => service.api.patch('/auth/providers/garden', { settings: given });
    expect((await change({ LABEL: 'x' })).body.errors[0].extensions.problems).toEqual([
      'CLIENT_SECRET: has to be given again, since it was sealed with another SECRET',
    ]);
    expect((await change({ LABEL: 'x', CLIENT_SECRET: clientSecret })).status).toBe(204);
    expect(await listed('garden')).toMatchObject({ state: 'ready', settings: { LABEL: 'x' } });
  });
});

async function startBeside({ databaseUrl }: TestService, config: object): Promise<{ readonly service: Service; readonly url: string }> {
  const common = { databaseUrl, port: 0, logLevel: 'error', rateLimit: null, publicUrl, secret: 'one secret for both instances' } as const;
  const service = await createService({ ...common, ...patientConfig, ...config });
  const url = await service.listen();
  await service.ready();
  return { service, url };
}
