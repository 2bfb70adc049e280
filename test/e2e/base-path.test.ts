// A service below a path of its host, behind a proxy that leaves the path in the URLs it passes on.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, makeApi } from '../harness/api.js';
import { openSocket } from '../harness/socket-client.js';
import { adminEmail, adminPassword, adminToken, startService, type TestService } from '../harness/start-service.js';
import { makeStorageFolder, upload } from '../harness/upload.js';

const fixture = 'create table items (id integer primary key, title varchar(50))';

describe('BASE_PATH', () => {
  const folder = makeStorageFolder();
  let service: TestService;
  let url: string;
  let api: Api;
  beforeAll(async () => {
    const config = { basePath: '/items/v1', storageRoot: folder.root };
    service = await startService({ name: 'sqlite', server: '', label: 'SQLite' }, { area: 'base_path', fixture, config });
    url = `${service.url}/items/v1`;
    api = makeApi(url, adminToken);
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it('is in front of the paths of REST, GraphQL and files, once', async () => {
    expect((await api.post('/items/items', { title: 'one' })).body.data).toEqual({ id: 1, title: 'one' });
    expect((await api.get('/items/items/1?fields=title')).body.data).toEqual({ title: 'one' });
    expect((await api.graphql('{ items { title } }')).body.data).toEqual({ items: [{ title: 'one' }] });
    const { id } = (await upload(api, { name: 'a.txt', bytes: 'content' })).body.data;
    expect((await api.get(`/assets/${id}`)).text).toBe('content');
    expect((await api.get('/items/v1/server/ping')).status).toBe(404);
    expect((await service.as(null).get('/items/v10/server/ping')).status).toBe(404);
  });

  it('is not needed by checks that do not pass the proxy', async () => {
    expect((await service.as(null).get('/server/ping')).text).toBe('pong');
    expect((await service.api.get('/items/items?fields=title')).body.data).toEqual([{ title: 'one' }]);
  });

  it('is in front of the paths of sockets', async () => {
    const client = await openSocket(url);
    await client.ask({ type: 'auth', access_token: adminToken });
    expect(await client.ask({ type: 'items', collection: 'items', action: 'read', query: { fields: ['title'] } })).toMatchObject({
      data: [{ title: 'one' }],
    });
    client.close();
    await expect(openSocket(url, '/server/ping')).rejects.toThrow('refused: 404');
  });

  it('restricts cookies, so that services of one host keep their own', async () => {
    const login = await makeApi(url, null).post('/auth/login', { email: adminEmail, password: adminPassword, mode: 'session' });
    expect(login.headers.getSetCookie()).toEqual([expect.stringMatching(/^service_session_token=.+; Path=\/items\/v1; HttpOnly/)]);
  });

  it('is where pages and descriptions lead', async () => {
    const answer = await fetch(`${url}?a=b`, { redirect: 'manual' });
    expect([answer.status, new URL(answer.headers.get('location') ?? '', url).href]).toEqual([308, `${url}/?a=b`]);
    const posted = await fetch(url, { method: 'POST', body: 'x'.repeat(100_000), redirect: 'manual' });
    expect(posted.status).toBe(308);
    for (const path of ['/server/reference', '/graphql', '/graphql/system']) {
      const page = await makeApi(url, null).get(path, { accept: 'text/html' });
      const loaded = [...page.text.matchAll(/(?:src|href)="([^"#]+\.(?:js|css))"/g)].map(([, name = '']) => new URL(name, url + path).href);
      expect(loaded.length).toBeGreaterThan(0);
      for (const each of loaded) expect([each.startsWith(`${url}/`), (await fetch(each)).status]).toEqual([true, 200]);
    }
    expect((await api.get('/server/specs/oas')).body.servers).toEqual([{ url }]);
  });
});
