// Structure over HTTP: who may change it, what the next request sees, on this instance and on another, and what it looks like under load.

import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { type Answer, type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makeUser } from '../harness/make-user.js';
import { patientConfig } from '../harness/patience.js';
import { codeOf } from '../harness/people.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const dryRun = { prefer: 'dry-run' };

describeEachVendor('structure over HTTP', (vendor) => {
  let service: TestService;
  let other: Service;
  let elsewhere: Api;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'structure' });
    other = await createService({ databaseUrl: service.databaseUrl, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig });
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

  it('shows a user the folders around what it may read, at every depth, and no others', async () => {
    const folder = (collection: string, group: string | null) => ({ collection, schema: null, meta: { group } });
    await service.api.post('/collections', [
      folder('outer', null),
      folder('inner', 'outer'),
      folder('aside', 'outer'),
      folder('round', null),
    ]);
    await service.api.patch('/collections/round', { meta: { group: 'round' } });
    await service.api.post('/collections', [
      { collection: 'kept', meta: { group: 'inner' } },
      { collection: 'unseen', meta: { group: 'aside' } },
      { collection: 'turning', meta: { group: 'round' } },
    ]);
    const { token } = await makeUser(service.api, 'wanderer', [
      ...['kept', 'turning'].map((collection) => ({ collection, action: 'read', fields: ['*'] })),
      { collection: 'service_collections', action: 'read', fields: ['*'] },
    ]);
    const { data } = (await service.as(token).get('/collections')).body;
    const listed = data.map(({ collection }: { collection: string }) => collection);
    const named = ['outer', 'inner', 'aside', 'round', 'kept', 'unseen', 'turning'];
    expect(named.filter((name) => listed.includes(name))).toEqual(['outer', 'inner', 'round', 'kept', 'turning']);
  });

  it('takes no query parameters for fields', async () => {
    for (const path of ['/fields', '/fields/notes', '/fields/notes/title']) {
      expect((await service.api.get(`${path}?limit=1`)).body).toMatchObject({ errors: [{ extensions: { code: 'INVALID_QUERY' } }] });
      expect((await service.as(null).get(`${path}?access_token=${adminToken}`)).status).toBe(200);
    }
  });

  it('shows a change to the next request, and to another instance soon, over REST and GraphQL', async () => {
    const overGraphql = async (api: Api): Promise<unknown> => (await api.graphql('{ notes(limit: 1) { fresh } }')).body.errors?.length ?? 0;
    const overRest = async (api: Api): Promise<number> => (await api.get('/items/notes?fields=fresh')).status;
    const expectElsewhere = async (status: number, errors: number): Promise<void> => {
      await Promise.all([expect.poll(() => overRest(elsewhere)).toBe(status), expect.poll(() => overGraphql(elsewhere)).toBe(errors)]);
    };
    expect((await service.api.post('/fields/notes', { field: 'fresh', type: 'integer', meta: {} })).status).toBe(200);
    expect((await service.api.post('/items/notes?fields=fresh', { fresh: 7 })).body).toEqual({ data: { fresh: 7 } });
    expect((await service.api.graphql('mutation { create_notes_item(data: {fresh: 8}) { fresh } }')).body.data).toEqual({
      create_notes_item: { fresh: 8 },
    });
    await expectElsewhere(200, 0);
    expect((await service.api.delete('/fields/notes/fresh')).status).toBe(204);
    expect([await overRest(service.api), await overGraphql(service.api)]).toEqual([403, 1]);
    await expectElsewhere(403, 1);
  });

  it('answers by the structure as it is, also when it has just been changed behind the service', async () => {
    for (const ask of [
      async () => codeOf(await service.api.get('/items/notes?fields=passed')),
      async () => codeOf(await service.api.graphql('{ notes { passed } }')),
      async () => codeOf(await service.api.graphql('mutation { create_notes_item(data: {passed: 1}) { id } }')),
    ]) {
      await service.api.post('/fields/notes', { field: 'passed', type: 'integer' });
      // SQLite alters by what a connection last knew of the structure, which a look brings up to date.
      await service.sql('select count(*) from notes');
      await service.sql('alter table notes drop column passed');
      expect(await ask()).toMatch(/^403 FORBIDDEN$|^400 GRAPHQL_VALIDATION$/);
    }
  });

  it('has no collections for what the service keeps to itself, not even for administrators', async () => {
    for (const name of ['service_unfinished', 'service_secrets', 'service_epoch', 'service_migrations', 'service_idempotency']) {
      expect(codeOf(await service.api.get(`/items/${name}`)), name).toBe('403 FORBIDDEN');
      expect(codeOf(await service.api.post(`/items/${name}`, { step: 1, finish: 'DROP TABLE notes' })), name).toBe('403 FORBIDDEN');
      expect(codeOf(await service.api.post(`/fields/${name}`, { field: 'x', type: 'string' })), name).toBe('403 FORBIDDEN');
      expect(codeOf(await service.api.get(`/collections/${name}`)), name).toBe('403 FORBIDDEN');
    }
  });

  it('every kind of change is previewed with Prefer: dry-run, and leaves the structure unchanged', async () => {
    await service.api.post('/collections', { collection: 'places', meta: {} });
    for (const field of ['place', 'free']) await service.api.post('/fields/notes', { field, type: 'integer', meta: {} });
    await service.api.post('/relations', { collection: 'notes', field: 'place', related_collection: 'places', meta: {} });
    await service.api.post('/items/notes', { title: 'kept' });
    const snapshot = (await service.api.get('/schema/snapshot')).body.data;
    const less = { ...snapshot, fields: snapshot.fields.filter(({ field }: { field: string }) => field !== 'title') };
    const { data: diff } = (await service.api.post('/schema/diff', less)).body;
    const before = await service.checksums();
    const changes: readonly (readonly [string, string, RegExp, unknown?])[] = [
      ['POST', '/collections', /CREATE TABLE.*planned/, [{ collection: 'planned', meta: {} }]],
      ['PATCH', '/collections', /^$/, [{ collection: 'notes', meta: { note: 'n' } }]],
      ['PATCH', '/collections/notes', /^$/, { meta: { note: 'n' } }],
      ['DELETE', '/collections/notes', /notes/],
      ['POST', '/fields/notes', /planned/, { field: 'planned', type: 'string' }],
      ['PATCH', '/fields/notes', /title/, [{ field: 'title', schema: { max_length: 90 } }]],
      ['PATCH', '/fields/notes/title', /title/, { schema: { is_indexed: true } }],
      ['DELETE', '/fields/notes/title', /title/],
      ['POST', '/relations', /free/, { collection: 'notes', field: 'free', related_collection: 'places' }],
      ['PATCH', '/relations/notes/place', /CASCADE/, { schema: { on_delete: 'CASCADE' } }],
      ['DELETE', '/relations/notes/place', /notes/],
      ['POST', '/schema/apply?lossy', /title/, diff],
    ];
    for (const [method, path, statements, body] of changes) {
      const answer = await service.api.request(method, path, { headers: dryRun, ...(body === undefined ? {} : { body }) });
      expect([answer.status, answer.headers.get('preference-applied')], `${method} ${path} ${answer.text}`).toEqual([200, 'dry-run']);
      expect(answer.body.data).toMatchObject({ affected: { values: expect.any(Array), metadata: {} }, breaks: expect.any(Array) });
      expect(answer.body.data.statements.join(' '), path).toMatch(statements);
    }
    expect((await service.api.get('/schema/snapshot')).body.data).toEqual(snapshot);
    expect(await service.checksums()).toEqual(before);
  });

  it('applies several changes as one, in their order, and none of them when one is refused', async () => {
    const changes = [
      { change: 'create_collection', data: { collection: 'shelves', meta: {}, schema: {}, fields: [{ field: 'label', type: 'string' }] } },
      { change: 'create_field', collection: 'notes', data: { field: 'shelf', type: 'integer' } },
      { change: 'create_relation', data: { collection: 'notes', field: 'shelf', related_collection: 'shelves' } },
    ];
    const before = [await service.checksums(), (await service.api.get('/schema/snapshot')).text];
    const unchanged = async () => expect([await service.checksums(), (await service.api.get('/schema/snapshot')).text]).toEqual(before);
    const preview = await service.api.post('/schema/changes', changes, dryRun);
    expect(preview.body.data.statements.join(' ')).toMatch(/CREATE TABLE.*shelves.*shelf/);
    await unchanged();
    const broken = [...changes, { change: 'delete_field', collection: 'notes', field: 'no_such_field' }];
    expect((await service.api.post('/schema/changes', broken)).status).toBe(403);
    await unchanged();
    for (const bad of [
      [],
      {},
      [{ change: 'apply' }],
      [{ change: 'create_field', collection: 'notes' }],
      [{ change: 'create_collection', data: 5 }],
    ])
      expect(codeOf(await service.api.post('/schema/changes', bad)), JSON.stringify(bad)).toBe('400 INVALID_PAYLOAD');
    await unchanged();
    expect((await service.api.post('/schema/changes', changes)).status).toBeLessThan(300);
    const [shelf] = (await service.api.post('/items/shelves', [{ label: 'left' }])).body.data;
    const { data } = (await service.api.post('/items/notes?fields=shelf.label', { shelf: shelf.id })).body;
    expect(data).toEqual({ shelf: { label: 'left' } });
    const undo = [
      { change: 'delete_field', collection: 'notes', field: 'shelf' },
      { change: 'delete_collection', collection: 'shelves' },
    ];
    expect((await service.api.post('/schema/changes', undo)).status).toBeLessThan(300);
  });

  it('changes under a running load of both doors that notices nothing', { timeout: 180_000 }, async () => {
    const titles = Array.from({ length: 50 }, (_, index) => ({ title: `n${index}` }));
    await service.api.post('/items/notes', titles);
    await expect.poll(async () => (await elsewhere.get('/items/notes')).status).toBe(200);
    let running = true;
    const failures: string[] = [];
    const requests: readonly ((api: Api) => Promise<Answer>)[] = [
      (api) => api.get('/items/notes?fields=*&limit=20'),
      (api) => api.graphql('{ notes(limit: 20) { id title } notes_aggregated { countAll } }'),
      (api) => api.post('/items/notes', { title: 'rest' }),
      (api) => api.graphql('mutation { create_notes_item(data: {title: "graphql"}) { id title } }'),
    ];
    const load = async (api: Api, first: number): Promise<number> => {
      let count = 0;
      for (; running; count += 1) {
        const answer = await requests[(first + count) % requests.length]?.(api);
        if (answer?.status !== 200 || answer.body.errors !== undefined) failures.push(`${answer?.status} ${answer?.text}`);
      }
      return count;
    };
    const loads = [load(service.api, 0), load(service.api, 2), load(elsewhere, 0), load(elsewhere, 3)];
    const changed = async (change: Promise<Answer>): Promise<void> => expect([200, 204]).toContain((await change).status);
    for (let round = 0; round < 3; round += 1) {
      await changed(service.api.post('/collections', { collection: 'passing', meta: {} }));
      await changed(service.api.post('/fields/notes', { field: 'busy', type: 'integer', meta: {} }));
      await changed(service.api.post('/relations', { collection: 'notes', field: 'busy', related_collection: 'passing', meta: {} }));
      await changed(service.api.delete('/relations/notes/busy'));
      await changed(service.api.patch('/fields/notes/busy', { type: 'string', schema: { is_indexed: true, default_value: '1' } }));
      await changed(service.api.delete('/fields/notes/busy'));
      await changed(service.api.delete('/collections/passing'));
    }
    running = false;
    const counts = await Promise.all(loads);
    expect(failures).toEqual([]);
    // Of two processes that write one SQLite file, one may wait long for the other.
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(40);
  });
});

// Only there does every statement of structure commit by itself.
for (const vendor of inject('vendors').filter(({ name }) => name === 'mysql')) {
  it('settles at its start what ended in the middle of a change', async () => {
    const service = await startService(vendor, { area: 'structure' });
    await service.sql('create table service_dropped_a (id int)');
    await service.sql('create table half_made (id int)');
    await service.sql(`insert into service_unfinished (step, \`undo\`, finish) values
      (0, null, 'DROP TABLE service_dropped_a'), (1, 'DROP TABLE half_made', null), (2, 'DROP TABLE never_made', null)`);
    const next = await createService({ databaseUrl: service.databaseUrl, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig });
    await next.ready();
    await expect.poll(() => service.sql('select step from service_unfinished')).toEqual([]);
    expect((await service.tables()).filter((name) => /half_made|dropped/.test(name))).toEqual([]);
    await next.close();
    await service.stop();
  });
}
