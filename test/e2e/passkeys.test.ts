// Passkeys, end to end with an authenticator in software: adding them, logging in by them, and everything that must be refused.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { adoptDatabase, createService } from '../../src/tain.js';
import { type Answer, type Api, makeApi } from '../harness/api.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { projectScript, readProject } from '../harness/directus-project.js';
import { patientConfig } from '../harness/patience.js';
import { codeOf, makePerson, type Person } from '../harness/people.js';
import { type Json, type Lies, SoftwareAuthenticator } from '../harness/software-authenticator.js';
import { startService, type TestService } from '../harness/start-service.js';
import { createDatabase } from '../harness/vendors.js';

const publicUrl = 'https://data.example.com';
const refused = '401 INVALID_CREDENTIALS';

/** A browser keeps the cookie of its challenges. */
class Browser {
  #cookie = '';

  async post(api: Api, path: string, body: unknown = {}): Promise<Answer> {
    const answer = await api.post(path, body, this.#cookie === '' ? {} : { cookie: this.#cookie });
    for (const line of answer.headers.getSetCookie())
      if (line.startsWith('__Host-passkey=')) {
        expect(line).toMatch(/HttpOnly/i);
        expect(line).toMatch(/Secure/);
        this.#cookie = line.split(';')[0] ?? '';
      }
    return answer;
  }
}

describeVendorsTogether('passkeys', (vendor) => {
  let service: TestService;
  let anybody: Api;

  beforeAll(async () => {
    const allowed = ['https://eu.data.example.com', 'https://data.example.org'];
    service = await startService(vendor, { area: 'passkeys', config: { publicUrl, authAllowedPublicUrls: allowed } });
    anybody = service.as(null);
  });
  afterAll(() => service.stop());

  const logInByPassword = async ({ email, password }: Person): Promise<Api> => {
    const { body } = await anybody.post('/auth/login', { email, password });
    return service.as(body.data.access_token);
  };

  const add = async (api: Api, device: SoftwareAuthenticator, lies: Lies = {}, browser = new Browser(), password?: string) => {
    const { body } = await browser.post(api, '/users/me/passkeys/options', { password });
    if (body.data === undefined) return { status: 0, body };
    return browser.post(api, '/users/me/passkeys', { name: 'Laptop', response: device.create(body.data, lies) });
  };

  const makeOwner = async (details: Json = {}, policies: Parameters<typeof makePerson>[1] = []) => {
    const person = await makePerson(service, policies, details);
    const api = await logInByPassword(person);
    const device = new SoftwareAuthenticator(publicUrl);
    const answer = await add(api, device);
    expect(answer.body.data).toMatchObject({ name: 'Laptop', backed_up: false, last_used: null });
    return { person, api, device, id: String(answer.body.data.id) };
  };

  const logIn = async (device: SoftwareAuthenticator, lies: Lies = {}, browser = new Browser(), mode = 'json') => {
    const { body } = await browser.post(anybody, '/auth/passkey/options');
    return browser.post(anybody, '/auth/passkey', { response: device.get(body.data, lies), mode });
  };

  const count = async (table: string): Promise<number> =>
    Number(Object.values((await service.sql(`select count(*) as n from ${table}`))[0] ?? {})[0]);

  it('log in without a name, in every mode, and count', async () => {
    const { person, device, id } = await makeOwner();
    expect((await anybody.get('/auth')).body.passkeys).toBe(true);
    const json = await logIn(device);
    expect(Object.keys(json.body.data).toSorted()).toEqual(['access_token', 'expires', 'refresh_token']);
    const mine = service.as(json.body.data.access_token);
    expect((await mine.get('/users/me')).body.data.id).toBe(person.id);
    const { refresh_token } = json.body.data;
    expect((await anybody.post('/auth/refresh', { refresh_token, mode: 'json' })).status).toBe(200);
    const session = await logIn(device, {}, new Browser(), 'session');
    expect(session.headers.getSetCookie().join()).toContain('service_session_token=');
    const [row] = await service.sql(`select counter, last_used from service_passkeys where digest = '${id}'`);
    expect([Number(row?.['counter']), row?.['last_used'] === null]).toEqual([2, false]);
    const { data } = (await service.api.get(`/activity?filter[item][_eq]=${person.id}&filter[user][_eq]=${person.id}&sort=id`)).body;
    expect(data.map(({ action }: { action: string }) => action)).toEqual(['login', 'update', 'login', 'login']);
  });

  it('log in by GraphQL', async () => {
    const { person } = await makeOwner();
    const device = new SoftwareAuthenticator(publicUrl);
    const api = await logInByPassword(person);
    const browser = new Browser();
    const system = '/graphql/system';
    const made = (await browser.post(api, system, { query: 'mutation { users_me_passkeys_options }' })).body.data.users_me_passkeys_options;
    const addition = 'mutation ($response: JSON!) { users_me_passkeys_add(response: $response) { id name } }';
    const added = await browser.post(api, system, { query: addition, variables: { response: device.create(made) } });
    expect(added.body.data.users_me_passkeys_add.name).toBe('Passkey');
    const asked = (await browser.post(anybody, system, { query: 'mutation { auth_passkey_options }' })).body.data.auth_passkey_options;
    const login = 'mutation ($response: JSON!) { auth_passkey(response: $response) { access_token } }';
    const { body } = await browser.post(anybody, system, { query: login, variables: { response: device.get(asked) } });
    expect((await service.as(body.data.auth_passkey.access_token).get('/users/me')).body.data.id).toBe(person.id);
  });

  it('give one answer to every failed login, and nothing is stored', async () => {
    const { device, person } = await makeOwner();
    const other = await makeOwner();
    await logIn(device);
    const before = await count('service_sessions');
    const lies: readonly Lies[] = [
      { origin: 'https://evil.example.com' },
      { origin: 'https://data.example.org' },
      { rpId: 'evil.example.com' },
      { type: 'webauthn.create' },
      { challenge: Buffer.from('a challenge of somebody else').toString('base64url') },
      { crossOrigin: true },
      { unverified: true },
      { counter: 1 },
      { userHandle: null },
      { userHandle: Buffer.from(other.person.id).toString('base64url') },
      { spoilSignature: true },
    ];
    const answers = [await logIn(new SoftwareAuthenticator(publicUrl))];
    const broken = [{}, { id: 1 }, { id: device.id, response: { clientDataJSON: 'x' } }, { id: device.id, response: null }];
    answers.push(...(await Promise.all(lies.map((lie) => logIn(device, lie)))));
    answers.push(...(await Promise.all(broken.map((response) => new Browser().post(anybody, '/auth/passkey', { response })))));
    expect(answers.map(codeOf)).toEqual(answers.map(() => refused));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await count('service_sessions')).toBe(before);
    await service.api.patch(`/users/${person.id}`, { status: 'suspended' });
    expect((await logIn(device)).text).toBe(answers[0]?.text);
    expect(codeOf(await anybody.post('/auth/passkey', { response: 'none' }))).toBe('400 INVALID_PAYLOAD');
  });

  it('answer a challenge once, in the browser that asked for it, and for its purpose', async () => {
    const { device, api } = await makeOwner();
    const browser = new Browser();
    const { data } = (await browser.post(anybody, '/auth/passkey/options')).body;
    const response = device.get(data);
    expect(codeOf(await new Browser().post(anybody, '/auth/passkey', { response }))).toBe(refused);
    const stranger = new Browser();
    await stranger.post(anybody, '/auth/passkey/options');
    expect(codeOf(await stranger.post(anybody, '/auth/passkey', { response }))).toBe(refused);
    expect((await browser.post(anybody, '/auth/passkey', { response })).status).toBe(200);
    expect(codeOf(await browser.post(anybody, '/auth/passkey', { response }))).toBe(refused);
    const creation = (await browser.post(api, '/users/me/passkeys/options')).body.data;
    const misused = device.get({ challenge: creation.challenge, rpId: creation.rp.id });
    expect(codeOf(await browser.post(anybody, '/auth/passkey', { response: misused }))).toBe(refused);
  });

  it('work in several tabs of one browser, and at addresses below the host', async () => {
    const { device } = await makeOwner();
    const browser = new Browser();
    const first = (await browser.post(anybody, '/auth/passkey/options')).body.data;
    const second = (await browser.post(anybody, '/auth/passkey/options')).body.data;
    expect((await browser.post(anybody, '/auth/passkey', { response: device.get(first) })).status).toBe(200);
    const below = device.get(second, { origin: 'https://eu.data.example.com' });
    expect((await browser.post(anybody, '/auth/passkey', { response: below })).status).toBe(200);
  });

  it('are refused in words if they are not what was asked for', async () => {
    const person = await makePerson(service, []);
    const api = await logInByPassword(person);
    const lies: readonly Lies[] = [
      { origin: 'https://evil.example.com' },
      { rpId: 'evil.example.com' },
      { unverified: true },
      { type: 'webauthn.get' },
      { challenge: 'AAAA' },
      { attestation: 'apple' },
      { attestation: 'packed' },
    ];
    for (const lie of lies) expect(codeOf(await add(api, new SoftwareAuthenticator(publicUrl), lie))).toBe('400 INVALID_PAYLOAD');
    expect((await api.get('/users/me/passkeys')).body.data).toEqual([]);
    const device = new SoftwareAuthenticator(publicUrl);
    expect((await add(api, device)).status).toBe(200);
    expect(codeOf(await add(api, device))).toBe('400 INVALID_PAYLOAD');
    const options = (await new Browser().post(api, '/users/me/passkeys/options')).body.data;
    expect(options.excludeCredentials).toEqual([{ type: 'public-key', id: device.id, transports: ['internal'] }]);
    expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' });
  });

  it('are added after a recent login or with the password, not by a session that was left open', async () => {
    const person = await makePerson(service, []);
    expect((await add(person.api, new SoftwareAuthenticator(publicUrl))).body.errors[0].extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'A new passkey needs the password of the account, or a login within the last five minutes',
    });
    const wrong = await new Browser().post(person.api, '/users/me/passkeys/options', { password: 'wrong' });
    expect(codeOf(wrong)).toBe(refused);
    expect((await add(person.api, new SoftwareAuthenticator(publicUrl), {}, new Browser(), person.password)).status).toBe(200);
    const { body } = await anybody.post('/auth/login', { email: person.email, password: person.password });
    const longAgo = new Date(Date.now() - 301_000).toISOString().replace('Z', '').replace('T', ' ');
    await service.sql(`update service_sessions set signed_in = '${vendor.name === 'sqlite' ? `${longAgo.replace(' ', 'T')}Z` : longAgo}'`);
    const { refresh_token } = body.data;
    const renewed = (await anybody.post('/auth/refresh', { refresh_token, mode: 'json' })).body.data.access_token;
    expect(codeOf(await new Browser().post(service.as(renewed), '/users/me/passkeys/options'))).toBe('403 FORBIDDEN');
    expect(codeOf(await anybody.post('/users/me/passkeys/options'))).toBe(refused);
  });

  it('are listed, renamed and removed by their owner, with the sessions that began by them', async () => {
    const { api, device, id } = await makeOwner();
    const { data } = (await logIn(device)).body;
    const begun = service.as(data.access_token);
    const stranger = await makePerson(service, []);
    expect((await api.patch(`/users/me/passkeys/${id}`, { name: 'Old laptop' })).body.data).toMatchObject({ id, name: 'Old laptop' });
    expect(codeOf(await api.patch(`/users/me/passkeys/${id}`, { name: ' ' }))).toBe('400 INVALID_PAYLOAD');
    for (const path of [`/users/me/passkeys/${id}`, '/users/me/passkeys/none']) {
      expect(codeOf(await stranger.api.patch(path, { name: 'Mine' }))).toBe('403 FORBIDDEN');
      expect(codeOf(await stranger.api.delete(path))).toBe('403 FORBIDDEN');
    }
    expect((await api.get('/users/me/passkeys')).body.data).toMatchObject([{ id, name: 'Old laptop' }]);
    expect((await begun.get('/users/me')).status).toBe(200);
    expect((await api.delete(`/users/me/passkeys/${id}`)).status).toBe(204);
    expect((await begun.get('/users/me')).status).toBe(401);
    expect((await api.get('/users/me')).status).toBe(200);
    expect(codeOf(await logIn(device))).toBe(refused);
  });

  it('cannot be removed if there is no other way in, except by an administrator', async () => {
    const { person, device, id } = await makeOwner();
    await service.api.patch(`/users/${person.id}`, { password: null });
    const mine = service.as((await logIn(device)).body.data.access_token);
    const last = await mine.delete(`/users/me/passkeys/${id}`);
    expect([codeOf(last), last.body.errors[0].message]).toEqual([
      '422 UNPROCESSABLE_CONTENT',
      'This is the only way to sign in to the account.',
    ]);
    const second = new SoftwareAuthenticator(publicUrl);
    const other = String((await add(mine, second)).body.data.id);
    const removals = await Promise.all([id, other].map((each) => mine.delete(`/users/me/passkeys/${each}`)));
    expect(removals.map(({ status }) => status).toSorted()).toEqual([204, 422]);
    const [left] = (await service.api.get(`/users/${person.id}/passkeys`)).body.data;
    expect(codeOf(await mine.delete(`/users/${person.id}/passkeys/${left.id}`))).toBe('403 FORBIDDEN');
    expect((await service.api.delete(`/users/${person.id}/passkeys/${left.id}`)).status).toBe(204);
    expect((await service.api.get(`/users/${person.id}/passkeys`)).body.data).toEqual([]);
  });

  it('are a second factor: a policy that demands one is satisfied, and the password alone cannot get around them', async () => {
    const secured = { admin_access: false, app_access: true, enforce_tfa: true };
    const { person, device, id, api: byPassword } = await makeOwner({}, [secured]);
    expect(codeOf(await byPassword.get('/roles'))).toBe('403 FORBIDDEN');
    for (const attempt of [
      () => new Browser().post(byPassword, '/users/me/passkeys/options', { password: person.password }),
      () => byPassword.delete(`/users/me/passkeys/${id}`),
      () => byPassword.post('/users/me/tfa/generate', { password: person.password }),
    ]) {
      const answer = await attempt();
      expect(answer.body.errors[0].extensions.reason).toBe('Sign in with a passkey of this account first');
    }
    const { data } = (await logIn(device)).body;
    const mine = service.as(data.access_token);
    expect((await mine.get('/roles')).status).toBe(200);
    const renewed = (await anybody.post('/auth/refresh', { refresh_token: data.refresh_token, mode: 'json' })).body.data;
    expect((await service.as(renewed.access_token).get('/roles')).status).toBe(200);
    expect((await add(mine, new SoftwareAuthenticator(publicUrl))).status).toBe(200);
  });

  it('ask for no one-time code', async () => {
    const { person, device } = await makeOwner();
    await service.sql(`update service_users set tfa_secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' where id = '${person.id}'`);
    expect(codeOf(await anybody.post('/auth/login', { email: person.email, password: person.password }))).toBe('401 INVALID_OTP');
    expect((await logIn(device)).status).toBe(200);
  });

  it('are not for accounts that a provider vouches for', async () => {
    const { person, device, api } = await makeOwner();
    await service.api.patch(`/users/${person.id}`, { provider: 'company' });
    expect(codeOf(await logIn(device))).toBe(refused);
    expect(codeOf(await new Browser().post(api, '/users/me/passkeys/options', { password: person.password }))).toBe('403 FORBIDDEN');
  });

  it('are limited to twenty of one account', async () => {
    const { person, api } = await makeOwner();
    const rest = Array.from({ length: 19 }, (_, index) => `('${index}${person.id}', '${person.id}', 'c', 'k', 0, 'n')`);
    await service.sql(
      `insert into service_passkeys (digest, ${vendor.name === 'mysql' ? '`user`' : '"user"'}, credential, public_key, counter, name) values ${rest.join()}`,
    );
    expect(codeOf(await new Browser().post(api, '/users/me/passkeys/options'))).toBe('422 UNPROCESSABLE_CONTENT');
  });

  it('know where one is signed in, and end the other sessions', async () => {
    const person = await makePerson(service, []);
    const [one, two] = [await logInByPassword(person), await logInByPassword(person)];
    const { data } = (await one.get('/users/me/sessions')).body;
    expect(data.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
    expect((await service.api.get(`/users/${person.id}/sessions`)).body.data).toHaveLength(2);
    expect((await one.post('/users/me/sessions/end')).status).toBe(204);
    expect([(await one.get('/users/me')).status, (await two.get('/users/me')).status]).toEqual([200, 401]);
    expect((await one.post('/users/me/sessions/end', { keep: false })).status).toBe(204);
    expect((await one.get('/users/me')).status).toBe(401);
  });
});

describeVendorsTogether('passkeys without an address that browsers take', (vendor) => {
  it.each(['http://data.example.com', 'https://192.0.2.7', null])('are refused in words: %s', async (address) => {
    const service = await startService(vendor, { area: 'passkeys', config: { publicUrl: address } });
    try {
      const anybody = service.as(null);
      expect((await anybody.get('/auth')).body.passkeys).toBe(false);
      const answer = await anybody.post('/auth/passkey/options');
      expect([codeOf(answer), answer.body.errors[0].message]).toEqual([
        '422 UNPROCESSABLE_CONTENT',
        'Passkeys need PUBLIC_URL, an https address with a host name; without it they work at localhost only.',
      ]);
    } finally {
      await service.stop();
    }
  });

  it('and where passwords are off there are none', async () => {
    const config = { publicUrl: 'https://data.example.com', authDisableDefault: true };
    const service = await startService(vendor, { area: 'passkeys', config });
    try {
      expect((await service.as(null).get('/auth')).body.passkeys).toBe(false);
      expect(codeOf(await service.as(null).post('/auth/passkey/options'))).toBe('404 ROUTE_NOT_FOUND');
    } finally {
      await service.stop();
    }
  });
});

describeVendorsTogether('passkeys beside the tables of Directus', (vendor) => {
  it('are added and log in; removing the last way in is refused', async () => {
    const database = await createDatabase(vendor, 'passkeys-adopted');
    const direct = await openDirectAccess(vendor, database.url);
    await direct.sql(projectScript(readProject(), vendor.name));
    const own = { databaseUrl: database.url, port: 0, logLevel: 'error', rateLimit: null, publicUrl, ...patientConfig } as const;
    await adoptDatabase(readConfig({}, own), false);
    const service = await createService(own);
    try {
      const url = await service.listen();
      await service.ready();
      const [anybody, browser, device] = [makeApi(url, null), new Browser(), new SoftwareAuthenticator(publicUrl)];
      const credentials = { email: 'editor@magazine.example.com', password: 'Editor-Pass-1' };
      const editor = makeApi(url, (await anybody.post('/auth/login', credentials)).body.data.access_token);
      const creation = (await browser.post(editor, '/users/me/passkeys/options')).body.data;
      const added = (await browser.post(editor, '/users/me/passkeys', { response: device.create(creation) })).body.data;
      const { id } = (await editor.get('/users/me?fields=id')).body.data;
      await makeApi(url, 'admintoken').patch(`/users/${id}`, { password: null });
      const asked = (await browser.post(anybody, '/auth/passkey/options')).body.data;
      const { data } = (await browser.post(anybody, '/auth/passkey', { response: device.get(asked) })).body;
      const mine = makeApi(url, data.access_token);
      expect((await mine.get('/users/me?fields=id')).body.data.id).toBe(id);
      expect(codeOf(await mine.delete(`/users/me/passkeys/${added.id}`))).toBe('422 UNPROCESSABLE_CONTENT');
    } finally {
      await service.close();
      await direct.close();
      await database.drop();
    }
  });
});
