// What somebody new does first: the commands beside the database, the service inside of another server, the pages behind links of mails.

import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createService, type HostOptions, type Service } from '../../src/tain.js';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openEvents } from '../harness/event-source.js';
import { patientConfig } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { build, makeFolder, runTain } from '../harness/run-command.js';
import { adminEmail, adminPassword, adminToken, startService, type TestService } from '../harness/start-service.js';
import { createDatabase } from '../harness/vendors.js';

describeEachVendor('a user who is locked out', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    await build();
    service = await startService(vendor, { area: 'first_steps' });
  });
  afterAll(() => service.stop());

  const run = async (...words: string[]): Promise<string> => {
    const folder = makeFolder();
    const command = runTain(folder, [...words, '--database-url', service.databaseUrl]);
    await command.ended;
    folder.remove();
    return command.output().trim();
  };
  const login = (email: string, password: string) => service.as(null).post('/auth/login', { email, password });

  it('gets a new password, which ends the old one and its sessions', async () => {
    const session = (await login(adminEmail, adminPassword)).body.data.access_token;
    const line = await run('users', 'reset-password', adminEmail.toUpperCase());
    const password = line.split(': ').at(-1) ?? '';
    expect(password).toMatch(/^\w{20}$/);
    expect((await login(adminEmail, adminPassword)).status).toBe(401);
    expect((await login(adminEmail, password)).status).toBe(200);
    await expect.poll(async () => (await service.as(session).get('/users/me')).status).toBe(401);
  });

  it('gets a static token', async () => {
    const person = await makePerson(service, [{ app_access: true }]);
    const token = (await run('users', 'token', person.email)).split(': ').at(-1) ?? '';
    await expect.poll(async () => (await service.as(token).get('/users/me?fields=id')).body.data?.id).toBe(person.id);
  });

  it('has access keys made, listed and revoked', async () => {
    const person = await makePerson(service, [{ app_access: true }]);
    const line = await run('keys', 'create', person.email, '--name', 'importer', '--write', '--expires', '2099-01-01');
    const token = line.split(': ').at(-1) ?? '';
    await expect.poll(async () => (await service.as(token).get('/users/me?fields=id')).body.data?.id).toBe(person.id);
    const listed = await run('keys', 'list', person.email);
    expect(listed).toMatch(/^\S{36} {2}….{4} {2}write {2}importer {2}expires 2099-01-01T00:00:00.000Z {2}last used/);
    const id = listed.split(' ')[0] ?? '';
    expect(await run('keys', 'revoke', id)).toBe(`Revoked: ${id}`);
    await expect.poll(async () => (await service.as(token).get('/users/me')).status).toBe(401);
    expect(await run('keys', 'revoke', id)).toMatch(/^tain: there is no access key/);
    expect(await run('keys', 'create', person.email)).toMatch(/^tain: usage: tain keys/);
    const refused = (...options: readonly string[]): Promise<string> => run('keys', 'create', person.email, ...options);
    expect(await refused('--name', 'x', '--policy', 'none')).toContain('"policy" has to be a UUID');
    expect(await refused('--name', 'x', '--policy', id)).toContain('"policy" names no policy');
    expect(await refused('--name', 'x', '--collections', 'service_users,nowhere')).toContain('"collections" names "nowhere"');
    expect(await refused('--name', 'x'.repeat(101))).toContain('"name" is longer than 100 characters');
    expect(await run('keys', 'list', person.email)).toBe('There are no access keys.');
  });

  it('gets an error when there is no such user', async () => {
    expect(await run('users', 'token', 'nobody@example.com')).toBe('tain: no account has the address nobody@example.com');
    expect(await run('users', 'sing', adminEmail)).toMatch(/^tain: usage: tain users/);
  });
});

describeEachVendor('the service inside of another server', (vendor) => {
  const open: { readonly service: Service; readonly server: Server; readonly drop: () => Promise<void> }[] = [];
  afterAll(async () => {
    for (const { service, server, drop } of open) {
      server.close();
      await service.close();
      await drop();
    }
  });

  async function mount(host: HostOptions) {
    const database = await createDatabase(vendor, 'handler');
    const config = {
      databaseUrl: database.url,
      adminEmail,
      adminPassword,
      adminToken: 'host-admin-token',
      port: 0,
      rateLimit: null,
      logLevel: 'error',
      ...patientConfig,
    } as const;
    const service = await createService(config, host);
    const server = createServer(service.handler).listen(0, '127.0.0.1');
    open.push({ service, server, drop: () => database.drop() });
    await service.ready();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { service, url, as: (token: string | null) => makeApi(url, token) };
  }

  it('answers below its base path, bodies included', async () => {
    const { as } = await mount({ basePath: '/data/' });
    expect((await as(null).get('/data/server/ping')).text).toBe('pong');
    expect((await as(null).get('/server/ping')).text).toBe('pong');
    const { status, body } = await as('host-admin-token').post('/data/roles', { name: 'made below a path' });
    expect([status, body.data.name]).toEqual([200, 'made below a path']);
  });

  it('takes the caller that the host names, and never a token in their place', async () => {
    let named: { readonly user: string } | null | undefined;
    const { as } = await mount({ caller: () => named });
    expect((await as('host-admin-token').get('/users/me')).status).toBe(200);
    const admin = (await as('host-admin-token').get('/users/me?fields=id')).body.data.id;
    named = { user: admin };
    expect((await as(null).get('/users/me?fields=id')).body.data).toEqual({ id: admin });
    named = null;
    expect((await as('host-admin-token').get('/users')).status).toBe(403);
    named = { user: '00000000-0000-4000-8000-000000000000' };
    expect((await as('host-admin-token').get('/users')).status).toBe(401);
    named = undefined;
    expect((await as(admin).get('/users')).status).toBe(401);
  });

  it('queries over a socket have the caller that the host named for it', async () => {
    let named: { readonly user: string } | null | undefined;
    const { as, service } = await mount({ caller: () => named });
    const url = `${(await service.listen()).replace('http', 'ws')}/graphql`;
    const user = (await as('host-admin-token').get('/users/me?fields=id')).body.data.id;
    const ask = async (connectionParams: Readonly<Record<string, string>>) => {
      const client = createClient({ url, webSocketImpl: WebSocket, connectionParams, lazy: false, retryAttempts: 0 });
      // What the host names for later requests does not concern the socket.
      await new Promise((resolve) => client.on('connected', resolve));
      named = null;
      const answers = client.iterate({ query: '{ notes { title } }' });
      const { value } = await answers.next();
      await client.dispose();
      return value.data;
    };
    const field = { field: 'title', type: 'string' };
    expect((await as('host-admin-token').post('/collections', { collection: 'notes', schema: {}, fields: [field] })).status).toBe(200);
    await as('host-admin-token').post('/items/notes', { title: 'one' });
    expect(await ask({ access_token: 'host-admin-token' })).toEqual({ notes: [{ title: 'one' }] });
    named = { user };
    expect(await ask({})).toEqual({ notes: [{ title: 'one' }] });
  });

  it('keeps the caller that the host names for as long as a stream lasts', async () => {
    let named: { readonly user: string } | null | undefined;
    const { as, url } = await mount({ caller: () => named });
    const api = as('host-admin-token');
    const field = { field: 'title', type: 'string' };
    expect((await api.post('/collections', { collection: 'notes', schema: {}, fields: [field] })).status).toBe(200);
    const [open] = (await api.get('/access?filter[role][_null]=true&filter[user][_null]=true&fields=policy')).body.data;
    await api.post('/permissions', { policy: open.policy, collection: 'notes', action: 'read', fields: ['id'] });
    const [note, admin] = [await api.post('/items/notes', { title: 'one' }), (await api.get('/users/me?fields=id')).body.data.id];
    const follow = (token: string) => openEvents(`${url}/items/notes`, { authorization: `Bearer ${token}` });

    named = { user: admin };
    const known = await follow('a token of the host');
    named = null;
    const unknown = await follow('host-admin-token');
    named = undefined;
    const streams = [known, unknown];
    await Promise.all(streams.map((stream) => stream.next('init')));
    const { id } = note.body.data;
    await api.patch(`/items/notes/${id}`, { title: 'two' });
    expect((await known.next('update')).data).toEqual({ data: [{ id, title: 'two' }] });
    await api.delete(`/items/notes/${id}`);
    for (const stream of streams) expect((await stream.next('delete')).data).toEqual({ data: [id] });
    expect(unknown.events.map(({ event, data }) => [event, data.data])).toEqual([
      ['init', [{ id }]],
      ['delete', [id]],
    ]);
    for (const stream of streams) stream.close();
  });

  it('holds no place for a stream whose client has left before it was known', async () => {
    const door = new EventEmitter();
    const [arrived, admitted] = [once(door, 'arrived'), once(door, 'admitted')];
    const { as, url } = await mount({
      caller: async ({ headers }) => {
        if (headers.accept === 'text/event-stream') {
          door.emit('arrived');
          await admitted;
        }
        return undefined;
      },
    });
    const { hostname, port } = new URL(url);
    const socket = connectTcp(Number(port), hostname);
    socket.write('GET /roles HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer host-admin-token\r\n\r\n');
    await arrived;
    socket.destroy();
    const api = as('host-admin-token');
    const connections = async () => (await api.get('/server/health')).body.checks['realtime:connections'][0].observedValue;
    // Other requests are answered behind the end of the socket.
    await connections();
    door.emit('admitted');
    for (let at = 0; at < 20; at += 1) expect(await connections()).toBe(0);
  });

  it('says no secret but those of the first start when it is ready, and refuses options that it does not know', async () => {
    const { service } = await mount({});
    expect(Object.keys(await service.ready())).toEqual(['administrator', 'setupCode']);
    await expect(createService({ dataBaseUrl: 'sqlite:./x.db' } as never)).rejects.toThrow(/"dataBaseUrl" is no option/);
  });
});

describe('types and pages', () => {
  describeEachVendor('of a running service', (vendor) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService(vendor, {
        area: 'first_types',
        demo: true,
        config: { cookieSameSite: 'strict', cookieDomain: 'example.com', admin: false },
      });
    });
    afterAll(() => service.stop());

    it('come without a database, as the token may read', async () => {
      const folder = makeFolder();
      const command = runTain(folder, ['types', '--url', service.url, '--token', adminToken]);
      expect(await command.ended).toBe(0);
      folder.remove();
      expect(command.output()).toContain('export interface Books {');
      const reader = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read', fields: ['id', 'title'] }] }]);
      const { text } = await reader.api.get('/server/specs/types');
      expect(text).toContain('title: string');
      expect(text).not.toContain('price');
      expect(text).not.toContain('Authors');
      const query = '{ server_specs_types }';
      expect((await reader.api.graphql(query, {}, '/graphql/system')).body.data.server_specs_types).toBe(text);
    });

    it.each(['/reset-password', '/accept-invite'])('%s is a page that takes the token of the link', async (path) => {
      const answer = await service.as(null).get(`${path}?token=abc`, { accept: 'text/html' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('text/html');
      const scripts = [...answer.text.matchAll(/(?:src|href)="\.(\/server\/page\/[^"]+)"/g)].map(([, url]) => url ?? '');
      expect(scripts.length).toBeGreaterThan(3);
      for (const script of scripts) expect((await service.as(null).get(script)).status, script).toBe(200);
    });

    it('session cookies say what the settings say', async () => {
      const { headers } = await service.as(null).post('/auth/login', { email: adminEmail, password: adminPassword, mode: 'session' });
      expect(headers.get('set-cookie')).toMatch(/; SameSite=Strict; Domain=example\.com$/);
    });
  });
});
