// Structure over HTTP: who may change it, what the next request sees, on this instance and on another, and what it looks like under load.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makeUser } from '../harness/make-user.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const dryRun = { prefer: 'dry-run' };

describeEachVendor('structure over HTTP', (vendor) => {
  let service: TestService;
  let other: Service;
  let elsewhere: Api;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'structure' });
    other = await createService({ databaseUrl: service.databaseUrl, port: 0, logLevel: 'error', rateLimit: null });
    elsewhere = makeApi(await other.listen(), adminToken);
    await other.ready();
    await service.api.post('/collections', { collection: 'notes', meta: {}, fields: [{ field: 'title', type: 'string', meta: {} }] });
  });

  afterAll(async () => {
    await other.close();
    await service.stop();
  });

  it('is changed by administrators only', async () => {
    const stranger = service.as(null);
    const tries: readonly (readonly [string, string, unknown?])[] = [
      ['POST', '/collections', { collection: 'mine' }],
      ['PATCH', '/collections/notes', { meta: { note: 'x' } }],
      ['DELETE', '/collections/notes'],
      ['POST', '/fields/notes', { field: 'a', type: 'string' }],
      ['PATCH', '/fields/notes', [{ field: 'title', meta: {} }]],
      ['PATCH', '/fields/notes/title', { meta: {} }],
      ['DELETE', '/fields/notes/title'],
      ['POST', '/relations', {}],
      ['GET', '/schema/snapshot'],
      ['POST', '/schema/diff', {}],
      ['POST', '/schema/apply', {}],
      ['GET', '/fields'],
      ['GET', '/collections'],
      ['GET', '/relations'],
    ];
    for (const [method, path, body] of tries) {
      expect((await stranger.request(method, path, body === undefined ? {} : { body })).status, `${method} ${path}`).toBe(403);
    }
  });

  it('shows a user what it may read, and no more', async () => {
    await service.api.post('/collections', [
      {
        collection: 'open',
        meta: { note: 'seen' },
        fields: [
          { field: 'name', type: 'string', meta: { note: 'seen' } },
          { field: 'hidden', type: 'integer', meta: {} },
        ],
      },
      { collection: 'closed', meta: {} },
    ]);
    await service.api.post('/relations', { collection: 'open', field: 'hidden', related_collection: 'closed', meta: {} });
    await service.api.post('/fields/open', { field: 'link', type: 'integer', schema: { foreign_key_table: 'closed' } });
    const all = { action: 'read', fields: ['*'] };
    const { token } = await makeUser(service.api, 'reader', [
      { collection: 'open', action: 'read', fields: ['id', 'name', 'link'] },
      { ...all, collection: 'service_fields', permissions: { field: { _neq: 'id' } } },
      { ...all, collection: 'service_collections', fields: ['collection'] },
      { ...all, collection: 'service_relations' },
    ]);
    const reader = service.as(token);
    const own = ({ collection }: { collection: string }): boolean => !collection.startsWith('service_');
    expect((await reader.get('/collections')).body.data.filter(own)).toMatchObject([{ collection: 'open', meta: { collection: 'open' } }]);
    expect((await reader.get('/collections')).text).not.toContain('seen');
    const fields = (await reader.get('/fields/open')).body.data;
    expect(fields.map(({ field }: { field: string }) => field)).toEqual(['name', 'link']);
    expect(fields[1].schema).toMatchObject({ foreign_key_table: null, foreign_key_column: null });
    expect((await reader.get('/fields')).text).not.toContain('closed');
    expect((await reader.get('/relations')).body.data.filter(own)).toEqual([]);
    for (const path of ['/fields/closed', '/fields/open/hidden', '/collections/closed', '/relations/closed', '/relations/open/hidden']) {
      expect((await reader.get(path)).status, path).toBe(403);
    }
  });

  it('takes no query parameters for fields', async () => {
    for (const path of ['/fields', '/fields/notes', '/fields/notes/title']) {
      expect((await service.api.get(`${path}?limit=1`)).body).toMatchObject({ errors: [{ extensions: { code: 'INVALID_QUERY' } }] });
      expect((await service.as(null).get(`${path}?access_token=${adminToken}`)).status).toBe(200);
    }
  });

  it('shows a change to the next request, and to another instance within two seconds', async () => {
    expect((await service.api.post('/fields/notes', { field: 'fresh', type: 'integer', meta: {} })).status).toBe(200);
    expect((await service.api.post('/items/notes?fields=fresh', { fresh: 7 })).body).toEqual({ data: { fresh: 7 } });
    const seen = async (): Promise<number> => (await elsewhere.get('/items/notes?fields=fresh')).status;
    await expect.poll(seen, { timeout: 2000, interval: 50 }).toBe(200);
    expect((await service.api.delete('/fields/notes/fresh')).status).toBe(204);
    expect((await service.api.get('/items/notes?fields=fresh')).status).toBe(403);
    await expect.poll(seen, { timeout: 2000, interval: 50 }).toBe(403);
  });

  it('is previewed with Prefer: dry-run, and unchanged by it', async () => {
    const made = await service.api.post('/fields/notes', { field: 'planned', type: 'string' }, dryRun);
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ data: { statements: [expect.stringContaining('planned')], affected: {}, breaks: [] } });
    expect((await service.api.get('/fields/notes/planned')).status).toBe(403);
    expect((await service.api.delete('/collections/notes', undefined, dryRun)).body).toMatchObject({
      data: { statements: expect.any(Array) },
    });
    expect((await service.api.get('/collections/notes')).status).toBe(200);
  });

  it('changes under a running load that notices nothing', { timeout: 120_000 }, async () => {
    await service.api.post(
      '/items/notes',
      Array.from({ length: 50 }, (_, index) => ({ title: `n${index}` })),
    );
    await expect.poll(async () => (await elsewhere.get('/items/notes')).status, { timeout: 2000 }).toBe(200);
    let running = true;
    const failures: string[] = [];
    const load = async (api: Api, number: number): Promise<number> => {
      let count = 0;
      for (; running; count += 1) {
        const write = count % 4 === 0;
        const answer = write ? await api.post('/items/notes', { title: `w${number}` }) : await api.get('/items/notes?fields=*&limit=20');
        if (answer.status !== 200) failures.push(`${answer.status} ${answer.text}`);
      }
      return count;
    };
    const loads = [load(service.api, 1), load(service.api, 2), load(elsewhere, 3)];
    for (let round = 0; round < 4; round += 1) {
      expect(
        (await service.api.post('/fields/notes', { field: 'busy', type: 'integer', meta: {}, schema: { default_value: 1 } })).status,
      ).toBe(200);
      expect((await service.api.patch('/fields/notes/busy', { type: 'string', schema: { is_indexed: true } })).status).toBe(200);
      expect((await service.api.delete('/fields/notes/busy')).status).toBe(204);
    }
    running = false;
    const counts = await Promise.all(loads);
    expect(failures).toEqual([]);
    for (const count of counts) expect(count).toBeGreaterThan(5);
  });
});
