// Security cases A33 and B20: keys of other services that settings, flows and operations hold are shown only to callers with the right to read them,
// old policies included, and no trigger of a flow does or reveals anything.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { listReaders } from '../harness/list-readers.js';
import { codeOf, makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { expectOk } from '../harness/version-world.js';

const key = 'key-of-maps-4711';
const header = 'header-of-hooks-4711';
const system = '/graphql/system';

describeEachVendor('secrets that the service keeps for others', (vendor) => {
  let service: TestService;
  let flow: string;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'secrets' });
    await expectOk(service.api.patch('/settings', { mapbox_key: key, project_name: 'Shown' }));
    const made = await service.api.post('/flows', {
      name: 'hook',
      trigger: 'webhook',
      status: 'inactive',
      options: { headers: [{ header: 'Authorization', value: header }] },
      operations: [{ key: 'ask', type: 'request', position_x: 1, position_y: 1, options: { headers: { authorization: header } } }],
    });
    flow = (await expectOk(Promise.resolve(made))).body.data.id;
  });
  afterAll(() => service.stop());

  /** By an old policy, which named everything there was. */
  const withOldPolicy = (): Promise<Person> =>
    makePerson(service, [
      {
        app_access: true,
        permissions: [
          { collection: 'service_settings', action: 'read' },
          { collection: 'service_settings', action: 'update' },
          { collection: 'service_settings', action: 'read', fields: ['mapbox_key'] },
          { collection: 'service_revisions', action: 'read' },
          { collection: 'service_activity', action: 'read' },
          { collection: 'service_files', action: 'create' },
        ],
      },
    ]);

  it('A33: the key of the maps is shown to no caller by any door, administrators included', async () => {
    const app = await makePerson(service, [{ app_access: true }]);
    const old = await withOldPolicy();
    for (const [name, api] of Object.entries({ app: app.api, old: old.api, administrator: service.api, public: service.as(null) })) {
      const answers = [
        await api.get('/settings'),
        await api.get('/settings?fields=*'),
        await api.get('/settings?fields=mapbox_key'),
        await api.get('/settings?alias[x]=mapbox_key&fields=x'),
        await api.get('/items/service_settings'),
        await api.get('/items/service_settings?export=csv'),
        await api.get('/server/info'),
        await api.get('/server/specs/oas'),
        await api.get('/schema/snapshot'),
        await api.get('/activity?fields=*.*'),
        await api.get('/revisions?fields=*'),
        await api.get('/auth'),
        await api.graphql('{ settings { mapbox_key project_name } }', {}, system),
        await api.graphql('{ settings { x: mapbox_key } }', {}, system),
        await api.patch('/settings?fields=*', { project_name: 'Shown' }),
        await api.post('/utils/export/service_settings', { query: {}, format: 'json' }),
      ];
      for (const [index, { status, text }] of answers.entries())
        expect([name, index, status < 500, text.includes(key)]).toEqual([name, index, true, false]);
    }
    expect((await service.api.get('/settings?fields=mapbox_key')).body.data).toEqual({ mapbox_key: '**********' });
    expect((await app.api.get('/settings')).body.data).toMatchObject({ project_name: 'Shown' });
    expect('mapbox_key' in (await app.api.get('/settings')).body.data).toBe(false);
    expect(codeOf(await app.api.get('/settings?fields=mapbox_key'))).toBe('403 FORBIDDEN');
  });

  it('A33: nothing about it is shown either', async () => {
    const old = await withOldPolicy();
    for (const api of [old.api, service.api]) {
      for (const [door, ask] of Object.entries(listReaders(api, 'service_settings'))) {
        for (const query of [
          { filter: { mapbox_key: { _starts_with: 'key' } } },
          { filter: { mapbox_key: { _eq: key } } },
          { sort: ['mapbox_key'] },
          { aggregate: { max: ['mapbox_key'] } },
          { groupBy: ['mapbox_key'], aggregate: { count: '*' } },
        ]) {
          const answer = await ask(query);
          expect([door, query, answer.body?.errors?.[0]?.extensions.code]).toEqual([
            door,
            query,
            expect.stringMatching(/^(INVALID_QUERY|FORBIDDEN)$/),
          ]);
        }
        expect((await ask({ search: key })).text).toBe((await ask({ search: 'key-of-mars-4711' })).text);
      }
    }
    for (const table of ['service_activity', 'service_revisions'])
      expect(JSON.stringify(await service.sql(`select * from ${table}`))).not.toContain(key);
  });

  it('A33: flows and operations are for those who were given them', async () => {
    const app = await makePerson(service, [{ app_access: true }]);
    for (const api of [app.api, service.as(null)]) {
      for (const path of [
        '/flows',
        '/operations',
        `/flows/${flow}`,
        '/items/service_flows',
        '/flows?fields=operations.options',
        '/flows?aggregate[count]=*',
      ])
        expect([path, codeOf(await api.get(path))]).toEqual([path, '403 FORBIDDEN']);
      const document = await api.graphql('{ flows { options operations { options } } }', {}, system);
      expect([document.body.errors[0].extensions.code, document.text.includes(header)]).toEqual(['GRAPHQL_VALIDATION', false]);
      expect((await api.get('/users/me?fields=*.*.*')).text).not.toContain(header);
    }
    // Who may read flows and not what their operations hold.
    const some = await makePerson(service, [
      {
        permissions: [
          { collection: 'service_flows', action: 'read', fields: ['id', 'name', 'operations'] },
          { collection: 'service_operations', action: 'read', fields: ['id', 'key'] },
          { collection: 'service_revisions', action: 'read' },
        ],
      },
    ]);
    for (const path of ['/flows?fields=*.*.*', '/operations', '/revisions?limit=-1', `/flows?search=${header}`])
      expect([path, (await some.api.get(path)).text.includes(header)]).toEqual([path, false]);
    for (const path of ['/flows?fields=options', '/operations?fields=options', '/flows?filter[operations][options][_nnull]=true'])
      expect([path, codeOf(await some.api.get(path))]).toEqual([path, '403 FORBIDDEN']);
  });

  it('B20: a webhook reveals what its author wants of a request, and never the environment or a token in the address', async () => {
    const made = async (options: unknown, operation: unknown) => {
      const { id } = (await expectOk(service.api.post('/flows', { name: 'hook', trigger: 'webhook', accountability: null, options }))).body
        .data;
      const place = { position_x: 1, position_y: 1, flow: id };
      const first = (await expectOk(service.api.post('/operations', { ...place, key: 'first', ...(operation as object) }))).body.data;
      await expectOk(service.api.patch(`/flows/${id}`, { operation: first.id }));
      return { id, first: first.id, place };
    };
    const json = {
      word: '{{ $trigger.query.word }}',
      path: '{{$trigger.path}}',
      token: '{{$trigger.query.access_token}}',
      env: 'x{{$env.PATH}}',
      odd: '{{constructor.name}}',
    };
    const hook = await made({ method: 'GET' }, { type: 'transform', options: { json } });
    const token = (await makePerson(service, [])).token;
    for (const api of [service.as(null), service.api]) {
      const answer = await api.get(`/flows/trigger/${hook.id}?word="}`, { 'x-echo': 'echo-4711', cookie: 'a=echo-4711' });
      expect([answer.status, answer.body]).toEqual([200, { word: '"}', path: `/trigger/${hook.id}`, token: null, env: 'x', odd: null }]);
    }
    expect((await service.as(null).get(`/flows/trigger/${hook.id}?word=a&access_token=${token}`)).text).not.toContain(token);
    expect(codeOf(await service.api.post(`/flows/trigger/${hook.id}`, {}))).toBe('403 FORBIDDEN');
    // An operation that names no items touches none, whatever rights it has.
    const next = {
      ...hook.place,
      key: 'next',
      type: 'item-delete',
      options: { collection: 'service_users', permissions: '$full', query: {} },
    };
    const { id: second } = (await expectOk(service.api.post('/operations', next))).body.data;
    await expectOk(service.api.patch(`/operations/${hook.first}`, { resolve: second }));
    await expectUnchanged(service, async () => {
      expect((await service.as(null).get(`/flows/trigger/${hook.id}`)).status).toBe(204);
    });
    expect(codeOf(await service.api.patch(`/operations/${hook.first}`, { resolve: hook.first }))).toBe('400 FAILED_VALIDATION');
    const said = await made({ method: 'POST' }, { type: 'log', options: { message: '{{$trigger.body.note}}' } });
    expect((await service.as(null).post(`/flows/trigger/${said.id}`, { note: 'x' })).status).toBe(204);
    await expectOk(service.api.patch(`/flows/${said.id}`, { status: 'inactive' }));
    expect(codeOf(await service.as(null).post(`/flows/trigger/${said.id}`, {}))).toBe('403 FORBIDDEN');
  });

  it('B20: no other trigger does or answers anything, for any caller and by any way', async () => {
    const inactive = (await expectOk(service.api.post('/flows', { name: 'off', trigger: 'manual', status: 'inactive' }))).body.data.id;
    const person = await makePerson(service, [{ app_access: true, permissions: [{ collection: 'service_flows', action: 'read' }] }]);
    const echo = { 'x-echo': 'echo-4711', cookie: 'a=echo-4711', 'content-type': 'application/json' };
    await expectUnchanged(service, async () => {
      for (const api of [service.as(null), person.api, service.api]) {
        const texts = new Set<string>();
        for (const path of [flow, inactive, 'nothing', '00000000-0000-4000-8000-000000000000', '..%2f..', `${flow}?q=echo-4711`]) {
          for (const method of ['GET', 'POST']) {
            const body = { collection: 'service_users', keys: [person.id], note: 'echo-4711' };
            const answer = await api.request(
              method,
              `/flows/trigger/${path}`,
              method === 'POST' ? { body, headers: echo } : { headers: { 'x-echo': 'echo-4711' } },
            );
            expect([path, method, codeOf(answer)]).toEqual([path, method, '403 FORBIDDEN']);
            for (const secret of ['4711', 'PATH', 'SECRET', process.env['PATH'] ?? 'no path', 'stack', '.ts:', flow])
              expect([path, method, secret, answer.text.includes(secret)]).toEqual([path, method, secret, false]);
            texts.add(answer.text);
          }
        }
        expect(texts.size).toBe(1);
        for (const method of ['PUT', 'PATCH', 'DELETE', 'SEARCH'])
          expect([method, (await api.request(method, `/flows/trigger/${flow}`)).status >= 400]).toEqual([method, true]);
        const documents = await api.graphql('{ __schema { mutationType { fields { name } } queryType { fields { name } } } }', {}, system);
        expect(documents.text.match(/\w*trigger\w*/g)).toEqual(['flows_trigger']);
        for (const id of [flow, inactive, 'nothing']) {
          const pulled = await api.graphql(
            'mutation($id: ID!) { flows_trigger(id: $id, method: "GET", query: {q: "echo-4711"}) }',
            { id },
            system,
          );
          expect(pulled.body.errors[0].extensions.code).toBe('FORBIDDEN');
          expect(pulled.text).not.toContain('4711');
        }
      }
    });
  });
});
