// Security cases H09, H10, H13 and H14: what app access brings and what it does not, no comments on items that the author cannot read, the last
// administrator, and answers that only their caller may keep. Each test bears the id of its case.

import { authenticator } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { codeOf, makePerson, makePolicy, type PermissionSpec } from '../harness/people.js';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';
import { upload } from '../harness/upload.js';

const fixture = `
  create table notes (id integer primary key, title varchar(50), owner varchar(36));
  insert into notes values (1, 'open', 'all'), (2, 'hidden', 'nobody'), (3, 'open too', 'all');
  create table pages (id varchar(20) primary key, title varchar(50));
  insert into pages values ('home', 'Home');
  create table parts (a integer, b integer, title varchar(50), primary key (a, b));
  insert into parts values (1, 2, 'composite');
  create table secrets (id integer primary key, title varchar(50));
  insert into secrets values (1, 'secret');
`;

const may = (
  action: PermissionSpec['action'],
  collection: string,
  permissions: unknown = {},
  fields: readonly string[] = ['*'],
): PermissionSpec => ({ collection, action, permissions, fields });
const errorOf = ({ body }: Answer): string => body?.errors?.[0]?.extensions.code ?? 'none';
const visible = { owner: { _eq: 'all' } };

describeEachVendor('standing', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'standing', fixture, config: { corsOrigin: ['https://app.example'] } });
  });
  afterAll(() => service.stop());

  const made = async (path: string, body: unknown) => {
    const answer = await service.api.post(path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  };

  it('H13: app access alone reads no policies, links or permissions, not even its own', async () => {
    const role = (await made('/roles', { name: 'app' })).id;
    const policy = await makePolicy(service, { app_access: true, permissions: [may('read', 'pages')] });
    await made('/access', { role, policy });
    const { api, id } = await makePerson(service, [{ app_access: true }], { role });
    for (const name of ['policies', 'access', 'permissions']) {
      for (const path of [`/${name}`, `/items/service_${name}`, `/${name}?aggregate[count]=*`, `/${name}/${policy}`])
        expect([path, codeOf(await api.get(path))]).toEqual([path, '403 FORBIDDEN']);
      expect(codeOf(await api.search(`/${name}`, { query: {} })), name).toBe('403 FORBIDDEN');
      expect(errorOf(await api.graphql(`{ ${name} { id } }`, {}, '/graphql/system')), name).toBe('GRAPHQL_VALIDATION');
    }
    for (const fields of ['policies.id', 'policies.policy.name', 'role.policies.policy.permissions.permissions'])
      expect([fields, codeOf(await api.get(`/users/me?fields=${fields}`))]).toEqual([fields, '403 FORBIDDEN']);
    for (const fields of ['token', 'first_name,provider', 'nothing_like_it'])
      expect([fields, (await api.get(`/users/me?fields=${fields}`)).body]).toEqual([fields, { data: { id } }]);
    expect(codeOf(await service.api.get('/users/me?fields=nothing_like_it'))).toBe('403 FORBIDDEN');
    expect((await api.get('/users/me?fields=*.*.*')).text).not.toContain(policy);
    expect((await api.get('/roles?fields=*.*.*')).text).not.toContain(policy);
    expect(errorOf(await api.graphql('{ users_me { policies { id } } }', {}, '/graphql/system'))).toBe('GRAPHQL_VALIDATION');
    // What they come to is there to be asked.
    expect((await api.get('/policies/me/globals')).body.data).toEqual({ app_access: true, admin_access: false, enforce_tfa: false });
    expect((await api.get('/permissions/me')).body.data.pages.read).toEqual({ access: 'full', fields: ['*'] });
    expect((await api.get('/users/me?fields=id')).body.data).toEqual({ id });
    expect((await api.get('/roles/me?fields=id')).body.data).toEqual([{ id: role }]);
  });

  it('H13: presets are one`s own, those of one`s own role, and those of everybody', async () => {
    const parent = (await made('/roles', { name: 'parent' })).id;
    const role = (await made('/roles', { name: 'child', parent })).id;
    const { api, id } = await makePerson(service, [{ app_access: true }], { role });
    const other = await makePerson(service, [{ app_access: true }], { role });
    for (const [bookmark, about] of Object.entries({
      own: { user: id },
      'of another': { user: other.id },
      'of the role': { role },
      'of the parent': { role: parent },
      'of everybody': {},
    }))
      await made('/presets', { collection: 'pages', bookmark, ...about });
    const expected = ['of everybody', 'of the role', 'own'];
    const names = (list: readonly { readonly bookmark: string }[]): readonly string[] => list.map(({ bookmark }) => bookmark);
    expect(names((await api.get('/presets?fields=bookmark&sort=bookmark')).body.data)).toEqual(expected);
    const document = '{ presets(sort: ["bookmark"]) { bookmark } }';
    expect(names((await api.graphql(document, {}, '/graphql/system')).body.data.presets)).toEqual(expected);
    const own = await api.post('/presets', { collection: 'pages', bookmark: 'new' });
    expect([own.status, own.body.data.user]).toEqual([200, id]);
    expect(codeOf(await api.post('/presets', { collection: 'pages', user: other.id }))).toBe('400 FAILED_VALIDATION');
  });

  const commenter = (app = true) =>
    makePerson(service, [
      {
        app_access: app,
        permissions: [
          may('read', 'notes', visible),
          may('read', 'pages'),
          may('read', 'parts'),
          may('create', 'service_notifications'),
          may('create', 'service_comments'),
          may('read', 'service_comments'),
          may('update', 'service_comments'),
        ],
      },
    ]);
  const subjects = async (api: Api, filter: unknown = {}) => {
    const answer = await api.search('/comments', { query: { filter, fields: ['collection', 'item'], sort: ['collection', 'item'] } });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data.map(({ collection, item }: { collection: string; item: string }) => `${collection} ${item}`);
  };

  it('H09: comments, notifications and shares need read access to the item; hidden and missing get the same refusal', async () => {
    const { api, id } = await commenter();
    const bodies = (item: string) =>
      [
        ['/comments', { collection: 'notes', item, comment: 'x' }],
        [
          '/comments',
          [
            { collection: 'notes', item: '1', comment: 'x' },
            { collection: 'notes', item, comment: 'x' },
          ],
        ],
        ['/notifications', { collection: 'notes', item, recipient: id, subject: 'x' }],
        ['/shares', { collection: 'notes', item }],
      ] as const;
    await expectUnchanged(service, async () => {
      const answers: string[][] = [];
      for (const item of ['2', '99', 'x', '', '01', '$CURRENT_USER', '1,2'])
        answers.push(await Promise.all(bodies(item).map(async ([path, body]) => `${path} ${(await api.post(path, body)).text}`)));
      expect(new Set(answers.map((texts) => texts.join('\n'))).size).toBe(1);
      expect(answers[0]?.every((text) => text.includes('FORBIDDEN'))).toBe(true);
      for (const collection of ['secrets', 'nowhere', 'service_users', 'service_policies'])
        expect([collection, codeOf(await api.post('/comments', { collection, item: '1', comment: 'x' }))]).toEqual([
          collection,
          '403 FORBIDDEN',
        ]);
      expect(codeOf(await service.as(null).post('/comments', { collection: 'notes', item: '1', comment: 'x' }))).toBe('403 FORBIDDEN');
      expect(codeOf(await service.api.post('/comments', { collection: 'notes', item: '99', comment: 'x' }))).toBe('403 FORBIDDEN');
      const document = 'mutation { create_comments_item(data: {collection: "notes", item: "2", comment: "x"}) { id } }';
      expect(errorOf(await api.graphql(document, {}, '/graphql/system'))).toBe('FORBIDDEN');
    });
    for (const [collection, item] of [
      ['notes', '1'],
      ['pages', 'home'],
      ['parts', '1,2'],
      ['service_users', id],
    ]) {
      const answer = await api.post('/comments', { collection, item, comment: 'seen' });
      expect([collection, answer.status]).toEqual([collection, 200]);
    }
    expect((await api.post('/notifications', { recipient: id, subject: 'x' })).status).toBe(200);
    await service.api.delete('/comments', { query: { limit: -1 } });
  });

  it('H09: comments on items the caller cannot read are not there, by any door, for reading and for changing', async () => {
    for (const [collection, item] of [
      ['notes', '1'],
      ['notes', '2'],
      ['notes', '3'],
      ['pages', 'home'],
      ['parts', '1,2'],
      ['secrets', '1'],
    ])
      await made('/comments', { collection, item, comment: 'by the administrator' });
    const { api } = await commenter();
    const shown = ['notes 1', 'notes 3', 'pages home', 'parts 1,2'];
    expect(await subjects(api)).toEqual(shown);
    expect(await subjects(api, { collection: { _eq: 'secrets' } })).toEqual([]);
    expect((await api.get('/comments?aggregate[count]=*')).body.data).toEqual([{ count: 4 }]);
    expect((await api.get('/comments?meta=*&limit=0')).body.meta).toEqual({ total_count: 4, filter_count: 4 });
    const listed = await api.graphql('{ comments(limit: -1) { item } comments_aggregated { countAll } }', {}, '/graphql/system');
    expect([listed.body.data.comments.length, listed.body.data.comments_aggregated]).toEqual([4, [{ countAll: 4 }]]);
    const hidden = (await service.api.get('/comments?filter[item][_eq]=2&fields=id')).body.data[0].id;
    const seen = (await service.api.get('/comments?filter[item][_eq]=3&fields=id')).body.data[0].id;
    await expectUnchanged(service, async () => {
      expect(codeOf(await api.get(`/comments/${hidden}`))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.patch(`/comments/${hidden}`, { comment: 'x' }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.patch(`/comments/${hidden}`, { item: '1' }))).toBe('403 FORBIDDEN');
      for (const change of [{ item: '2' }, { item: '99' }, { collection: 'secrets', item: '1' }, { collection: 'secrets' }])
        expect([change, codeOf(await api.patch(`/comments/${seen}`, change))]).toEqual([change, '403 FORBIDDEN']);
    });
    expect((await api.patch(`/comments/${seen}`, { comment: 'mine', item: '1' })).status).toBe(200);
    // A comment of one`s own goes out of sight with its item.
    const own = await api.post('/comments', { collection: 'notes', item: '3', comment: 'own' });
    expect(own.status).toBe(200);
    await service.api.patch('/items/notes/3', { owner: 'nobody' });
    expect(codeOf(await api.get(`/comments/${own.body.data.id}`))).toBe('403 FORBIDDEN');
    expect(codeOf(await api.patch(`/comments/${own.body.data.id}`, { comment: 'x' }))).toBe('403 FORBIDDEN');
    expect(await subjects(api)).toEqual(['notes 1', 'notes 1', 'pages home', 'parts 1,2']);
    expect((await subjects(service.api)).length).toBe(7);
  });

  /** What ties the administrators' role to its policy. */
  const adminLink = async () =>
    (await service.api.get('/access?filter[policy][admin_access][_eq]=true&filter[role][_nnull]=true&fields=id,policy')).body.data[0];

  it('H10: the last administrator cannot be locked out, by any change', async () => {
    const { id, role } = (await service.api.get('/users/me?fields=id,role')).body.data;
    const { id: link, policy } = await adminLink();
    const byQuery = { filter: { id: { _eq: id } } };
    const attempts: readonly (() => Promise<Answer>)[] = [
      ...[
        { password: null },
        { provider: 'elsewhere' },
        { status: 'suspended' },
        { status: 'archived' },
        { role: null },
        { password: null, provider: 'elsewhere' },
      ].flatMap((change) => [
        () => service.api.patch(`/users/${id}`, change),
        () => service.api.patch('/users/me', change),
        () => service.api.patch('/users', { query: byQuery, data: change }),
        () => service.api.patch('/users', [{ id, ...change }]),
        () => service.api.post('/batch', { operations: [{ method: 'PATCH', path: `/users/${id}`, body: change }] }),
      ]),
      ...[{ password: null }, { status: 'suspended' }].map(
        (change) => () => service.api.patch(`/roles/${role}`, { users: { update: [{ id, ...change }] } }),
      ),
      ...[{ ip_access: ['203.0.113.7'] }, { enforce_tfa: true }, { admin_access: false }].flatMap((change) => [
        () => service.api.patch(`/policies/${policy}`, change),
        () => service.api.patch('/policies', { query: { filter: { id: { _eq: policy } } }, data: change }),
        () => service.api.patch(`/roles/${role}`, { policies: { update: [{ id: link, policy: { id: policy, ...change } }] } }),
      ]),
      () => service.api.patch(`/roles/${role}`, { policies: [] }),
      () => service.api.patch(`/roles/${role}`, { users: [] }),
      () => service.api.patch(`/policies/${policy}`, { roles: [] }),
      () => service.api.delete(`/users/${id}`),
      () => service.api.delete('/users', { query: byQuery }),
      () => service.api.delete(`/policies/${policy}`),
      () => service.api.delete(`/access/${link}`),
      () => service.api.delete(`/roles/${role}`),
      () => service.api.post('/policies', { name: 'strict', enforce_tfa: true, roles: [{ role }] }),
      () => service.api.post('/policies', { name: 'strict', enforce_tfa: true, users: [{ user: id }] }),
      () => service.api.graphql(`mutation { update_users_item(id: "${id}", data: {provider: "elsewhere"}) { id } }`, {}, '/graphql/system'),
      () =>
        service.api.graphql(
          `mutation { update_policies_item(id: "${policy}", data: {ip_access: ["203.0.113.7"]}) { id } }`,
          {},
          '/graphql/system',
        ),
    ];
    await expectUnchanged(service, async () => {
      for (const [index, attempt] of attempts.entries()) {
        const answer = await attempt();
        expect([index, errorOf(answer), answer.text]).toEqual([index, 'UNPROCESSABLE_CONTENT', answer.text]);
      }
    });
    expect((await service.as(null).post('/auth/login', { email: adminEmail, password: adminPassword })).status).toBe(200);
    // What leaves a way in is allowed.
    expect((await service.api.patch(`/policies/${policy}`, { ip_access: ['127.0.0.0/8', '::1', '::ffff:127.0.0.1'] })).status).toBe(200);
    expect((await service.api.patch(`/policies/${policy}`, { ip_access: [] })).status).toBe(200);
    expect((await service.api.patch(`/users/${id}`, { password: adminPassword })).status).toBe(200);
    const second = await makePerson(service, [{ admin_access: true }]);
    expect((await service.api.patch(`/users/${id}`, { provider: 'elsewhere' })).status).toBe(200);
    expect(codeOf(await second.api.patch('/users/me', { password: null }))).toBe('422 UNPROCESSABLE_CONTENT');
    expect(codeOf(await second.api.delete('/users/me'))).not.toBe('204');
    expect((await second.api.patch(`/users/${id}`, { provider: 'default' })).status).toBe(200);
    expect((await second.api.patch('/users/me', { password: null })).status).toBe(200);
    await service.api.delete(`/users/${second.id}`);
  }, 120_000);

  it('H10: the last administrator keeps the second factor that their policy asks for', async () => {
    const { secret } = (await service.api.post('/users/me/tfa/generate', { password: adminPassword })).body.data;
    expect((await service.api.post('/users/me/tfa/enable', { secret, otp: authenticator.generate(secret) })).status).toBe(204);
    const { id } = (await service.api.get('/users/me?fields=id')).body.data;
    const { policy } = await adminLink();
    expect((await service.api.patch(`/policies/${policy}`, { enforce_tfa: true })).status).toBe(200);
    expect(codeOf(await service.api.post(`/users/${id}/tfa/disable`))).toBe('422 UNPROCESSABLE_CONTENT');
    expect((await service.api.get('/policies')).status).toBe(200);
    expect((await service.api.patch(`/policies/${policy}`, { enforce_tfa: false })).status).toBe(200);
    expect((await service.api.post(`/users/${id}/tfa/disable`)).status).toBe(204);
  });

  it('H14: answers are for their caller alone, and say what they depend on', async () => {
    const file = (await upload(service.api, { name: 'a.txt', bytes: 'x' })).body.data.id;
    const login = await service.as(null).post('/auth/login', { email: adminEmail, password: adminPassword });
    expect(login.headers.get('cache-control')).toBe('no-store');
    const origin = { origin: 'https://app.example' };
    for (const answer of [
      await service.api.get('/items/notes'),
      await service.api.get('/items/notes', origin),
      await service.api.get('/items/notes/1'),
      await service.api.get('/items/notes?limit=-1'),
      await service.api.get('/items/notes?export=csv'),
      await service.api.get('/items/nowhere'),
      await service.as(null).get('/items/notes'),
      await service.api.search('/items/notes', { query: {} }),
      await service.api.patch('/items/notes/1', { title: 'open' }),
      await service.api.get('/users/me'),
      await service.api.get('/permissions/me'),
      await service.api.get('/fields'),
      await service.api.get(`/assets/${file}`),
      await service.api.get(`/assets/${file}`, origin),
      await service.as(null).get(`/assets/${file}`),
      await service.api.graphql('{ notes { id } }'),
      await service.api.graphql('{ notes(limit: -1) { id } }'),
      await service.api.get(`/graphql?query=${encodeURIComponent('{ notes { id } }')}`, origin),
      await service.api.graphql('{ nowhere { id } }'),
      await service.api.get('/items/notes/1', { 'if-none-match': '*' }),
    ]) {
      expect([answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual([
        'private, no-cache',
        'Accept-Encoding, Authorization, Cookie, Origin',
      ]);
    }
    const { headers } = await service.api.graphql('mutation { users_me_tfa_generate(password: "x") { secret } }', {}, '/graphql/system');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
