// Security cases B14-B19: structure is changed by administrators, by names that are names and values that are values; and what belonged
// to one user never becomes another's. Each test bears the id of its case.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { makeUser } from '../harness/make-user.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table articles (id integer primary key, title varchar(50));
  insert into articles values (1, 'one');
`;

/** Everything that changes or reads the structure, over REST. */
const structureRequests: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/collections', { collection: 'mine', schema: {} }],
  ['PATCH', '/collections', [{ collection: 'articles', meta: { hidden: true } }]],
  ['PATCH', '/collections/articles', { meta: { hidden: true } }],
  ['DELETE', '/collections/articles'],
  ['POST', '/fields/articles', { field: 'more', type: 'string' }],
  ['PATCH', '/fields/articles', [{ field: 'title', meta: { hidden: true } }]],
  ['PATCH', '/fields/articles/title', { meta: { hidden: true } }],
  ['DELETE', '/fields/articles/title'],
  ['POST', '/relations', { collection: 'articles', field: 'title', related_collection: 'articles' }],
  ['PATCH', '/relations/articles/title', { meta: {} }],
  ['DELETE', '/relations/articles/title'],
  ['GET', '/schema/snapshot'],
  ['POST', '/schema/diff', {}],
  ['POST', '/schema/apply', { hash: 'x', diff: {} }],
  ['POST', '/utils/cache/clear'],
  ['POST', '/items/service_fields', { collection: 'articles', field: 'more' }],
];

/** And over GraphQL. */
const structureDocuments: readonly string[] = [
  'mutation { create_collections_item(data: {collection: "mine"}) { collection } }',
  'mutation { delete_collections_item(collection: "articles") { collection } }',
  'mutation { create_fields_item(collection: "articles", data: {field: "more", type: "string"}) { field } }',
  'mutation { delete_fields_item(collection: "articles", field: "title") { field } }',
  'mutation { delete_relations_item(collection: "articles", field: "title") { field } }',
  'mutation { schema_apply(diff: {}) }',
  'mutation { utils_cache_clear }',
];

const badNames = [
  'id; drop table articles',
  'a"b',
  'a`b',
  "a'b",
  'a\u0000b',
  'a b\n',
  'x'.repeat(300),
  '__proto__',
  'constructor',
  '',
  ' ',
  'a/b',
  'a(b)',
  '-- a',
  'a\\',
];

describeEachVendor('structure', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'security_structure', fixture });
  });
  afterAll(() => service.stop());

  const columnsOf = async () => (await service.api.get('/fields/articles')).body.data.map(({ field }: { field: string }) => field);
  const unchanged = (act: () => Promise<unknown>) =>
    expectUnchanged(service, async () => {
      const before = [await service.tables(), await columnsOf()];
      await act();
      expect([await service.tables(), await columnsOf()]).toEqual(before);
    });
  const everyAction = (collection: string) => (['create', 'read', 'update', 'delete'] as const).map((action) => ({ collection, action }));

  it('B14: neither the public nor users with any rights on items can change the structure', async () => {
    const collections = ['articles', 'service_fields', 'service_collections', 'service_relations', 'service_settings'];
    const person = await makePerson(service, [{ app_access: true, permissions: collections.flatMap(everyAction) }]);
    await unchanged(async () => {
      for (const api of [service.as(null), person.api]) {
        for (const [method, path, body] of structureRequests)
          expect(codeOf(await api.request(method, path, body === undefined ? {} : { body })), `${method} ${path}`).toBe('403 FORBIDDEN');
        for (const document of structureDocuments)
          expect(['FORBIDDEN', 'GRAPHQL_VALIDATION'], document).toContain(
            (await api.graphql(document, {}, '/graphql/system')).body.errors[0].extensions.code,
          );
      }
    });
  });

  it.each(badNames)('B15: %j is the name of nothing', async (name) => {
    const make = 'mutation($data: create_fields_input!) { create_fields_item(collection: "articles", data: $data) { field } }';
    await unchanged(async () => {
      for (const answer of [
        await service.api.post('/fields/articles', { field: name, type: 'string' }),
        await service.api.post('/collections', { collection: name, schema: {} }),
        await service.api.post('/collections', { collection: 'fine', schema: {}, fields: [{ field: name, type: 'integer' }] }),
        await service.api.post('/relations', { collection: 'articles', field: name, related_collection: 'articles' }),
        await service.api.post('/relations', { collection: 'articles', field: 'title', related_collection: name }),
      ])
        expect([400, 403], answer.text).toContain(answer.status);
      expect((await service.api.graphql(make, { data: { field: name, type: 'string' } }, '/graphql/system')).body.errors).toBeDefined();
    });
  });

  it('B15: a type, a width or a data type is one of the known ones', async () => {
    await unchanged(async () => {
      for (const field of [
        { field: 'more', type: 'string; drop table articles' },
        { field: 'more', type: 'string', schema: { data_type: 'text; drop table articles' } },
        { field: 'more', type: 'string', schema: { max_length: '10); drop table articles; --' } },
        { field: 'more', type: 'decimal', schema: { numeric_precision: '1; drop', numeric_scale: 2 } },
        { field: 'more', type: 'integer', schema: { foreign_key_table: 'articles"; drop table articles; --', foreign_key_column: 'id' } },
        { field: 'more', type: 'string', meta: { width: 'wide' } },
        { field: 'more', type: 'string', ['constructor']: { prototype: 1 } },
      ])
        expect([400, 403], JSON.stringify(field)).toContain((await service.api.post('/fields/articles', field)).status);
    });
  });

  it('B15: the prefix of the system’s own tables makes no collection', async () => {
    await unchanged(async () => {
      for (const collection of ['service_x', 'service_users', 'SERVICE_x'])
        expect([400, 403], collection).toContain((await service.api.post('/collections', { collection, schema: {} })).status);
    });
  });

  it('B16: defaults and comments are texts, whatever they contain', async () => {
    const texts = ['0); drop table articles; --', "it's", 'a"b`c', "\\'; drop table articles; --", 'ü 日', 'CURRENT_USER()', '$1 ? :name'];
    for (const [index, text] of texts.entries()) {
      const field = `text${index}`;
      const made = await service.api.post('/fields/articles', {
        field,
        type: 'string',
        meta: { note: text },
        schema: { default_value: text, comment: text },
      });
      expect(made.body.data?.schema, made.text).toMatchObject({ default_value: text, comment: text });
      expect((await service.api.post(`/items/articles?fields=${field}`, { id: 100 + index })).body).toEqual({ data: { [field]: text } });
      const changed = await service.api.patch(`/fields/articles/${field}`, { schema: { default_value: `${text}!`, comment: `${text}!` } });
      expect(changed.body.data?.schema, changed.text).toMatchObject({ default_value: `${text}!`, comment: `${text}!` });
      expect((await service.api.delete(`/fields/articles/${field}`)).status).toBe(204);
    }
    const number = await service.api.post('/fields/articles', {
      field: 'n',
      type: 'integer',
      schema: { default_value: '0); drop table x' },
    });
    expect(number.status).toBe(400);
    // One vendor keeps a thousand characters of a comment, and none beyond U+FFFF: what it cannot keep it refuses.
    for (const comment of ['💧', 'x'.repeat(5_000)]) {
      const made = await service.api.post('/fields/articles', { field: 'n', type: 'string', schema: { comment } });
      expect([comment, codeOf(made)], made.text).toContain(made.body.data?.schema.comment ?? '400 INVALID_PAYLOAD');
      await service.api.delete('/fields/articles/n');
    }
    expect((await service.api.get('/items/articles/1?fields=title')).body.data).toEqual({ title: 'one' });
  });

  it('B17: a field keeps its name', async () => {
    await unchanged(async () => {
      for (const answer of [
        await service.api.patch('/fields/articles/title', { field: 'headline' }),
        await service.api.patch('/fields/articles/title', { schema: { name: 'headline' } }),
        await service.api.patch('/fields/articles/title', { meta: { field: 'headline' } }),
        await service.api.patch('/fields/articles/title', { collection: 'others' }),
      ])
        expect(codeOf(answer)).toBe('400 INVALID_PAYLOAD');
      const rename = 'mutation { update_fields_item(collection: "articles", field: "title", data: {field: "headline"}) { field } }';
      expect((await service.api.graphql(rename, {}, '/graphql/system')).body.errors).toBeDefined();
    });
  });

  it('B18: a share opens an item and no function of members', async () => {
    const role = (
      await makeUser(service.api, 'sharing', [
        ...everyAction('articles'),
        ...everyAction('service_users'),
        ...everyAction('service_shares'),
        ...everyAction('service_presets'),
        ...everyAction('service_files'),
      ])
    ).role;
    const share = (await service.api.post('/shares', { collection: 'articles', item: '1', role })).body.data.id;
    const holder = service.as((await service.as(null).post('/shares/auth', { share })).body.data.access_token);
    expect((await holder.get('/items/articles')).body.data).toHaveLength(1);
    const requests: readonly ((api: Api) => Promise<Answer>)[] = [
      (api) => api.post('/users/invite', { email: 'friend@example.com', role }),
      (api) => api.post('/users', { email: 'friend@example.com', password: 'x', role }),
      (api) => api.get('/users'),
      (api) => api.patch('/users/me', { title: 'x' }),
      (api) => api.post('/users/me/tfa/generate', { password: 'x' }),
      (api) => api.post('/shares', { collection: 'articles', item: '1', role }),
      (api) => api.post('/presets', { collection: 'articles' }),
      (api) => api.post('/files', { title: 'x', type: 'text/plain', filename_download: 'x' }),
      (api) => api.post('/utils/sort/articles', { item: 1, to: 1 }),
      (api) => api.post('/utils/export/articles', { query: {}, format: 'csv' }),
      (api) => api.post('/items/articles', { id: 2 }),
      (api) => api.delete('/items/articles/1'),
      (api) => api.get('/activity'),
      (api) => api.get('/schema/snapshot'),
    ];
    await unchanged(async () => {
      for (const [index, request] of requests.entries()) {
        const answer = await request(holder);
        expect([401, 403], `${index} ${answer.text}`).toContain(answer.status);
      }
      for (const document of [
        'mutation { users_invite(email: "friend@example.com", role: "x") }',
        'mutation { create_users_item(data: {email: "friend@example.com"}) { id } }',
        'mutation { create_shares_item(data: {collection: "articles", item: "1"}) { id } }',
        '{ users { email } }',
      ])
        expect((await holder.graphql(document, {}, '/graphql/system')).body.errors, document).toBeDefined();
    });
  });

  it('B19: a new user with the key of a deleted one inherits nothing', async () => {
    const permissions = ['service_presets', 'service_users'].flatMap(everyAction);
    const gone = await makePerson(service, [{ permissions }]);
    const login = await service.as(null).post('/auth/login', { email: gone.email, password: gone.password });
    const { access_token, refresh_token } = login.body.data;
    const preset = await gone.api.post('/presets', { collection: 'articles', user: gone.id, bookmark: 'mine' });
    expect(preset.status).toBe(200);
    expect((await service.api.delete(`/users/${gone.id}`)).status).toBe(204);
    const heir = await makePerson(service, [], { id: gone.id });
    expect(heir.id).toBe(gone.id);
    for (const token of [access_token, gone.token])
      expect(codeOf(await service.as(token).get('/users/me'))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await service.as(null).post('/auth/refresh', { refresh_token, mode: 'json' }))).toBe('401 INVALID_CREDENTIALS');
    expect(codeOf(await service.as(null).post('/auth/login', { email: gone.email, password: gone.password }))).toBe(
      '401 INVALID_CREDENTIALS',
    );
    expect(codeOf(await heir.api.get('/presets'))).toBe('403 FORBIDDEN');
    expect((await service.api.get(`/presets?filter[user][_eq]=${gone.id}`)).body.data).toEqual([]);
    expect((await service.api.get(`/users/${gone.id}?fields=policies`)).body.data.policies).toEqual([]);
  });

  it('leaves the service healthy', async () => {
    expect((await service.api.get('/server/ping')).text).toBe('pong');
    expect((await service.api.get('/items/articles/1')).status).toBe(200);
  });
});
