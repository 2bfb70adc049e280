// Security cases A23-A32 and B01-B11: what is hidden stays hidden, what is refused changes nothing. Each test bears the id of its case.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createService } from '../../src/tain.js';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { patientConfig } from '../harness/patience.js';
import { codeOf, makePerson, makePolicy, type PermissionSpec } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50), salary integer);
  create table articles (id integer primary key, title varchar(50), secret varchar(50) unique, status varchar(20), owner varchar(36),
    author integer, constraint articles_author foreign key (author) references authors (id));
`;

const read = (collection: string, permissions: unknown = {}, fields: readonly string[] = ['*']): PermissionSpec => ({
  collection,
  action: 'read',
  permissions,
  fields,
});
const update = (collection: string, permissions: unknown = {}, fields: readonly string[] = ['*']): PermissionSpec => ({
  collection,
  action: 'update',
  permissions,
  fields,
});
const mine = { owner: { _eq: '$CURRENT_USER' } };
const noNames = (answer: Answer, ...names: readonly string[]) =>
  `${answer.status} ${names.reduce((text, name) => text.replaceAll(name, '…'), answer.text)}`;

describeEachVendor('access', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'access', fixture, config: { mailUrl: null } });
  });

  afterAll(() => service.stop());

  beforeEach(async () => {
    await service.sql('delete from articles');
    await service.sql('delete from authors');
    await service.sql("insert into authors values (1, 'Ann', 100), (2, 'Bob', 200)");
    await service.sql(
      "insert into articles values (1, 'one', 's1', 'published', null, 1), (2, 'two', 's2', 'draft', null, 2), (3, 'three', 's3', 'draft', null, 2)",
    );
  });

  const unchanged = (act: () => Promise<unknown>) => expectUnchanged(service, act);
  const give = (id: number, owner: string) => service.api.patch(`/items/articles/${id}`, { owner });

  it('A23: an unknown collection and a forbidden one are the same', async () => {
    const { api } = await makePerson(service, []);
    for (const ask of [
      (name: string) => api.get(`/items/${name}`),
      (name: string) => api.search(`/items/${name}`, { query: {} }),
      (name: string) => api.get(`/items/${name}/1`),
      (name: string) => api.post(`/items/${name}`, { id: 9 }),
      (name: string) => api.delete(`/items/${name}/1`),
      (name: string) => api.get(`/permissions/me/${name}`),
      (name: string) => api.get(`/fields/${name}`),
      (name: string) => api.get(`/fields/${name}/id`),
      (name: string) => api.get(`/collections/${name}`),
      (name: string) => api.get(`/relations/${name}`),
      // Both names are equally long, so that places in the document are the same.
      (name: string) => api.graphql(`{ ${name} { id } }`),
      (name: string) => api.graphql(`mutation { delete_${name}_item(id: 1) { id } }`),
    ]) {
      expect(noNames(await ask('authors'), 'authors')).toBe(noNames(await ask('nowhere'), 'nowhere'));
    }
  }, 60_000);

  it('A24: a missing item and a forbidden one are the same, for every action', async () => {
    const rule = { status: { _eq: 'published' } };
    const { api } = await makePerson(service, [
      { permissions: [read('articles', rule), update('articles', rule), { collection: 'articles', action: 'delete', permissions: rule }] },
    ]);
    await unchanged(async () => {
      for (const ask of [
        (id: number) => api.get(`/items/articles/${id}`),
        (id: number) => api.patch(`/items/articles/${id}`, { title: 'x' }),
        (id: number) => api.delete(`/items/articles/${id}`),
        (id: number) => api.delete('/items/articles', [1, id]),
        (id: number) => api.get(`/permissions/me/articles/${id}`),
      ]) {
        expect(noNames(await ask(2), '2')).toBe(noNames(await ask(999999), '999999'));
      }
    });
  });

  it('A25: a value that is taken by a hidden item is refused without a word about that item', async () => {
    const { api } = await makePerson(service, [
      { permissions: [read('articles', { status: { _eq: 'published' } }), { collection: 'articles', action: 'create' }] },
    ]);
    await unchanged(async () => {
      const answer = await api.post('/items/articles', { id: 50, secret: 's3' });
      expect(codeOf(answer)).toBe('400 RECORD_NOT_UNIQUE');
      expect(answer.text).not.toMatch(/three|draft|\b3\b/);
    });
  });

  it('A26: a field that is deleted and created again is not granted any more', async () => {
    const person = await makePerson(service, [{ permissions: [read('articles', {}, ['id', 'title', 'passing'])] }]);
    const make = async () => expect((await service.api.post('/fields/articles', { field: 'passing', type: 'string' })).status).toBe(200);
    await make();
    await service.api.patch('/items/articles/1', { passing: 'before' });
    expect((await person.api.get('/items/articles/1?fields=passing')).body).toEqual({ data: { passing: 'before' } });
    expect((await service.api.delete('/fields/articles/passing')).status).toBe(204);
    await make();
    expect(codeOf(await person.api.get('/items/articles/1?fields=passing'))).toBe('403 FORBIDDEN');
    expect((await person.api.get('/items/articles/1')).body).toEqual({ data: { id: 1, title: 'one' } });
    expect((await service.api.delete('/fields/articles/passing')).status).toBe(204);
  });

  it('A27: which fields may be changed is decided per item, not by the union of all policies', async () => {
    const person = await makePerson(service, [
      { permissions: [update('articles', mine, ['title'])] },
      { permissions: [update('articles', { status: { _eq: 'draft' } })] },
    ]);
    await give(1, person.id);
    await unchanged(async () => expect(codeOf(await person.api.patch('/items/articles/1', { secret: 'x' }))).toBe('403 FORBIDDEN'));
    expect((await person.api.patch('/items/articles/1', { title: 'mine' })).status).toBe(204);
    expect((await person.api.patch('/items/articles/2', { secret: 'y' })).status).toBe(204);
  });

  it.each([['_in'], ['_nin']])('A28, A29: a list that is empty after substitution matches nothing: %s', async (operator) => {
    const policy = { permissions: [read('articles', { status: { [operator]: '$CURRENT_USER.tags' } })] };
    const count = async (tags: unknown) =>
      (await (await makePerson(service, [policy], { tags })).api.get('/items/articles')).body.data.length;
    expect([await count(null), await count([])]).toEqual([0, 0]);
    expect(await count(['draft'])).toBe(operator === '_in' ? 2 : 1);
  });

  it('A29: empty groups match everything in a request; in a rule an empty `_or` matches nothing', async () => {
    const count = async (rule: unknown) =>
      (await (await makePerson(service, [{ permissions: [read('articles', rule)] }])).api.get('/items/articles')).body.data.length;
    expect([
      await count({ _or: [] }),
      await count({ _and: [{ _or: [] }] }),
      await count({ _and: [] }),
      await count({}),
      await count(null),
    ]).toEqual([0, 0, 3, 3, 3]);
    for (const filter of ['{}', '{"_and":[]}', '{"_or":[]}'])
      expect((await service.api.get(`/items/articles?filter=${filter}`)).body.data).toHaveLength(3);
  });

  it('A30: the same address gives every caller its own answer', async () => {
    const person = await makePerson(service, [{ permissions: [read('articles', { status: { _eq: 'published' } }, ['id', 'title'])] }]);
    for (let round = 0; round < 2; round += 1) {
      expect((await service.api.get('/items/articles')).body.data).toHaveLength(3);
      expect((await person.api.get('/items/articles')).body.data).toEqual([{ id: 1, title: 'one' }]);
      expect(codeOf(await service.as(null).get('/items/articles'))).toBe('403 FORBIDDEN');
    }
  });

  it('A32: what was taken away is gone at once here and soon elsewhere', async () => {
    const other = await createService({ databaseUrl: service.databaseUrl, port: 0, logLevel: 'silent', rateLimit: null, ...patientConfig });
    await other.ready();
    try {
      const elsewhere = async (token: string) =>
        (await other.inject({ method: 'GET', url: '/items/articles', headers: { authorization: `Bearer ${token}` } })).statusCode;
      const changes: [string, (person: Awaited<ReturnType<typeof makePerson>>) => Promise<unknown>, number][] = [
        ['token', ({ id }) => service.api.patch(`/users/${id}`, { token: null }), 401],
        ['status', ({ id }) => service.api.patch(`/users/${id}`, { status: 'suspended' }), 401],
        ['policy', ({ policies }) => service.api.delete(`/policies/${policies[0]}`), 403],
        ['user', ({ id }) => service.api.delete(`/users/${id}`), 401],
      ];
      const people = await Promise.all(changes.map(() => makePerson(service, [{ permissions: [read('articles')] }])));
      for (const [at, [name, change, status]] of changes.entries()) {
        const person = people[at];
        if (person === undefined) throw new Error('one person for each change');
        expect((await person.api.get('/items/articles')).status, name).toBe(200);
        await expect.poll(() => elsewhere(person.token), { message: name }).toBe(200);
        await change(person);
        expect((await person.api.get('/items/articles')).status, name).toBe(status);
        await expect.poll(() => elsewhere(person.token), { message: name }).toBe(status);
      }
    } finally {
      await other.close();
    }
  });

  it('B01: no caller can raise its own rank', async () => {
    const own = update('service_users', { id: { _eq: '$CURRENT_USER' } }, ['title', 'password']);
    const person = await makePerson(service, [{ app_access: true, permissions: [own] }]);
    const admins = (await service.api.get('/roles?filter[name][_eq]=Administrator&fields=id')).body.data[0].id;
    const policy = await makePolicy(service, { admin_access: true });
    await unchanged(async () => {
      for (const change of [
        { role: admins },
        { policies: [{ policy }] },
        { status: 'active' },
        { provider: 'x' },
        { external_identifier: 'x' },
        { token: 'x' },
      ]) {
        expect(codeOf(await person.api.patch('/users/me', change)), JSON.stringify(change)).toBe('403 FORBIDDEN');
        expect(codeOf(await person.api.patch(`/users/${person.id}`, { title: 'Dr', ...change }))).toBe('403 FORBIDDEN');
      }
    });
    expect((await person.api.patch('/users/me?fields=title', { title: 'Dr' })).body).toEqual({ data: { title: 'Dr' } });
  });

  it('B01: a caller who may write users still cannot set their provider', async () => {
    const { api } = await makePerson(service, [{ permissions: [read('service_users'), update('service_users')] }]);
    const { id } = await makePerson(service, []);
    await unchanged(async () => expect(codeOf(await api.patch(`/users/${id}`, { external_identifier: 'x' }))).toBe('403 FORBIDDEN'));
  });

  it('B02: nor through related items', async () => {
    const admins = (await service.api.get('/roles?filter[name][_eq]=Administrator&fields=id')).body.data[0].id;
    const policy = await makePolicy(service, { admin_access: true });
    const person = await makePerson(service, [
      { permissions: [update('service_users', { id: { _eq: '$CURRENT_USER' } }, ['role', 'title']), read('service_users')] },
    ]);
    await unchanged(async () => {
      expect(codeOf(await person.api.patch('/users/me', { title: 'x', role: { id: admins, policies: [{ policy }] } }))).toBe(
        '403 FORBIDDEN',
      );
      expect(codeOf(await person.api.patch('/users/me', { title: 'x', role: { name: 'new', policies: [{ policy }] } }))).toBe(
        '403 FORBIDDEN',
      );
      expect(codeOf(await person.api.patch('/users/me', { title: 'x', policies: { create: [{ policy }] } }))).toBe('403 FORBIDDEN');
    });
  });

  it('B03: a related item is made, changed or let go only with the right for it', async () => {
    const { api } = await makePerson(service, [
      { permissions: [read('articles'), update('articles'), { collection: 'articles', action: 'create' }, read('authors')] },
    ]);
    await unchanged(async () => {
      expect(codeOf(await api.patch('/items/articles/1', { title: 'x', author: { id: 9, name: 'New' } }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.patch('/items/articles/1', { title: 'x', author: { id: 1, name: 'Changed' } }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.post('/items/articles', { id: 70, title: 'x', author: { id: 8, name: 'New' } }))).toBe('403 FORBIDDEN');
    });
  });

  it('B05: an item outside of the caller’s rows cannot be linked', async () => {
    const { api } = await makePerson(service, [
      { permissions: [read('articles'), update('articles'), read('authors', { name: { _eq: 'Ann' } })] },
    ]);
    await unchanged(async () => {
      expect(codeOf(await api.patch('/items/articles/1', { author: 2 }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.patch('/items/articles/1', { author: 999 }))).toBe('403 FORBIDDEN');
    });
    expect((await api.patch('/items/articles/2?fields=author', { author: 1 })).body).toEqual({ data: { author: 1 } });
  });

  it('B07: an update moves no item into or out of the caller’s rule', async () => {
    const person = await makePerson(service, [{ permissions: [read('articles'), update('articles', mine)] }]);
    await give(1, person.id);
    await unchanged(async () => {
      expect(codeOf(await person.api.patch('/items/articles/1', { owner: 'somebody else' }))).toBe('403 FORBIDDEN');
      expect(codeOf(await person.api.patch('/items/articles/2', { owner: person.id }))).toBe('403 FORBIDDEN');
    });
  });

  it('B08: registration takes a name, an address and a password, and nothing else', async () => {
    const admins = (await service.api.get('/roles?filter[name][_eq]=Administrator&fields=id')).body.data[0].id;
    await service.api.patch('/settings', { public_registration: true, public_registration_verify_email: false });
    const body = {
      email: 'new@example.com',
      password: 'pass',
      first_name: 'New',
      role: admins,
      status: 'active',
      token: 'mine',
      policies: [{ policy: 'x' }],
      provider: 'x',
    };
    expect((await service.as(null).post('/users/register', body)).status).toBe(204);
    const [user] = (await service.api.get('/users?filter[email][_eq]=new@example.com&fields=first_name,role,token,policies,provider')).body
      .data;
    expect(user).toEqual({ first_name: 'New', role: null, token: null, policies: [], provider: 'default' });
    expect((await service.as(null).post('/users/register', body)).status, 'an address that is taken is not told').toBe(204);
    await service.api.patch('/settings', { public_registration: false });
    expect(codeOf(await service.as(null).post('/users/register', body))).toBe('403 FORBIDDEN');
  });

  it('B10: a refused deletion cleans up nothing', async () => {
    const { api } = await makePerson(service, [{ permissions: [read('service_users'), read('service_roles'), read('service_policies')] }]);
    const victim = await makePerson(service, [{ permissions: [read('articles')] }]);
    const role = (await service.api.post('/roles', { name: 'kept' })).body.data.id;
    await service.as(null).post('/auth/login', victim);
    await unchanged(async () => {
      for (const path of [`/users/${victim.id}`, `/roles/${role}`, `/policies/${victim.policies[0]}`])
        expect(codeOf(await api.delete(path))).toBe('403 FORBIDDEN');
    });
    expect((await victim.api.get('/items/articles')).status).toBe(200);
  });

  it('B11: nothing takes away the last administrator', async () => {
    const admin = (await service.api.get('/users/me?fields=id,role.id,role.policies.id,role.policies.policy.id')).body.data;
    const [link] = admin.role.policies;
    await unchanged(async () => {
      for (const answer of [
        await service.api.delete(`/users/${admin.id}`),
        await service.api.patch(`/users/${admin.id}`, { status: 'suspended' }),
        await service.api.patch(`/users/${admin.id}`, { role: null }),
        await service.api.patch(`/policies/${link.policy.id}`, { admin_access: false }),
        await service.api.delete(`/policies/${link.policy.id}`),
        await service.api.delete(`/access/${link.id}`),
        await service.api.delete(`/roles/${admin.role.id}`),
        await service.api.patch(`/roles/${admin.role.id}`, { policies: [] }),
        await service.api.patch(`/roles/${admin.role.id}`, { users: [] }),
      ]) {
        expect(codeOf(answer)).toBe('422 UNPROCESSABLE_CONTENT');
      }
    });
  });

  it('B11: no other way works either: related items, imports, older revisions, a user who may change users', async () => {
    const { id, role } = (await service.api.get('/users/me?fields=id,role')).body.data;
    // An older state without an administrator, as a database from elsewhere may hold one.
    await service.api.patch(`/users/${id}`, { title: 'Dr' });
    const query = `filter[collection][_eq]=service_users&filter[item][_eq]=${id}&sort=-id&limit=1&fields=id`;
    const revision = (await service.api.get(`/revisions?${query}`)).body.data[0].id;
    await service.sql(`update service_revisions set data = '{"id":"${id}","status":"suspended"}' where id = ${revision}`);
    const person = await makePerson(service, [
      {
        permissions: [
          read('service_users'),
          update('service_users', {}, ['status', 'role', 'title']),
          { collection: 'service_users', action: 'delete' },
          { collection: 'service_roles', action: 'delete' },
          update('service_roles'),
          read('service_roles'),
        ],
      },
    ]);
    const gone = { id, status: 'suspended' };
    const system = '/graphql/system';
    const attempts: Readonly<Record<string, () => Promise<Answer>>> = {
      'one who may change users': () => person.api.patch(`/users/${id}`, { status: 'suspended' }),
      'one who may take roles': () => person.api.patch(`/users/${id}`, { role: null }),
      'one who may delete users': () => person.api.delete(`/users/${id}`),
      'one who may delete all users': () => person.api.delete('/users', { query: { filter: {}, limit: -1 } }),
      'one who may delete roles': () => person.api.delete(`/roles/${role}`),
      'a role that lets its users go': () => person.api.patch(`/roles/${role}`, { users: { update: [], create: [], delete: [id] } }),
      'many at once': () => service.api.patch('/users', { keys: [id, person.id], data: { status: 'archived' } }),
      'all at once': () => service.api.patch('/users', { query: { filter: {}, limit: -1 }, data: { role: null } }),
      'a list of changes': () => service.api.patch('/users', [gone]),
      'the items of a system collection': () => service.api.patch(`/items/service_users/${id}`, { status: 'suspended' }),
      'a batch': () =>
        service.api.post('/batch', {
          operations: [
            { method: 'PATCH', path: `/users/${person.id}`, body: { title: 'Dr' } },
            { method: 'DELETE', path: `/users/${id}` },
          ],
        }),
      'a document': () => service.api.graphql(`mutation { delete_users_items(ids: ["${id}"]) { ids } }`, {}, system),
      'documents of many': () =>
        service.api.graphql(`mutation { update_users_items(ids: ["${id}"], data: {status: "draft"}) { id } }`, {}, system),
      'a batch in a document': () =>
        service.api.graphql(
          'mutation($operations: JSON!) { batch(operations: $operations) }',
          { operations: [{ method: 'DELETE', path: `/users/${id}` }] },
          system,
        ),
      'an upsert in a document': () =>
        service.api.graphql(
          'mutation($data: JSON!) { upsert_items(collection: "service_users", data: $data, on_conflict: ["id"]) }',
          { data: [gone] },
          system,
        ),
      'an import': () => service.api.post('/utils/import?mode=merge', [{ collection: 'service_users', items: [gone] }]),
      'an older revision': () => service.api.post(`/utils/revert/${revision}`),
    };
    await unchanged(async () => {
      for (const [name, attempt] of Object.entries(attempts)) {
        const { status, body } = await attempt();
        expect([name, status >= 400 || body?.errors !== undefined]).toEqual([name, true]);
        expect([name, body.errors[0].extensions.code]).toEqual([
          name,
          expect.stringMatching(/^(UNPROCESSABLE_CONTENT|FORBIDDEN|GRAPHQL_VALIDATION|INVALID_PAYLOAD)$/),
        ]);
      }
    });
    expect((await service.api.get('/users/me?fields=status,role')).body.data).toEqual({ status: 'active', role });
  });

  it('B11: the last administrator may hand over in one request', async () => {
    const { id, role } = (await service.api.get('/users/me?fields=id,role')).body.data;
    const heir = await makePerson(service, []);
    const handOver = (api: typeof heir.api, from: string, to: string) =>
      api.post('/batch', {
        operations: [
          { method: 'PATCH', path: `/users/${from}`, body: { role: null } },
          { method: 'PATCH', path: `/users/${to}`, body: { role } },
        ],
      });
    expect(codeOf(await handOver(service.api, id, heir.id))).toBe('200');
    expect(codeOf(await service.api.get('/roles'))).toBe('403 FORBIDDEN');
    expect(codeOf(await handOver(heir.api, heir.id, id))).toBe('200');
    expect((await service.api.get('/roles')).status).toBe(200);
  });

  it('G10: of two administrators who demote each other at once one stays', async () => {
    const [one, two] = [await makePerson(service, [{ admin_access: true }]), await makePerson(service, [{ admin_access: true }])];
    const { id, role } = (await service.api.get('/users/me?fields=id,role')).body.data;
    await service.api.patch(`/users/${id}`, { role: null });
    try {
      const answers = await Promise.all([
        one.api.patch(`/users/${two.id}`, { status: 'suspended' }),
        two.api.patch(`/users/${one.id}`, { status: 'suspended' }),
      ]);
      const active = await service.sql(`select id from service_users where status = 'active' and id in ('${one.id}', '${two.id}')`);
      expect(active).toHaveLength(1);
      expect(answers.map(codeOf)).toEqual(expect.arrayContaining(['200', '422 UNPROCESSABLE_CONTENT']));
    } finally {
      const left = (await one.api.get('/users/me')).status === 200 ? one : two;
      await left.api.patch(`/users/${id}`, { role });
    }
  });

  it('roles cannot be their own parents, and broken rules cannot be stored', async () => {
    const parent = (await service.api.post('/roles', { name: 'a' })).body.data.id;
    const child = (await service.api.post('/roles', { name: 'b', parent })).body.data.id;
    const policy = await makePolicy(service, {});
    await unchanged(async () => {
      expect(codeOf(await service.api.patch(`/roles/${parent}`, { parent: child }))).toBe('400 INVALID_PAYLOAD');
      expect(codeOf(await service.api.patch(`/roles/${parent}`, { parent }))).toBe('400 INVALID_PAYLOAD');
      expect(codeOf(await service.api.post('/permissions', { policy, collection: 'articles', action: 'drop' }))).toBe(
        '400 INVALID_PAYLOAD',
      );
      expect(
        codeOf(
          await service.api.post('/permissions', { policy, collection: 'articles', action: 'read', permissions: { title: { _magic: 1 } } }),
        ),
      ).toBe('400 INVALID_PAYLOAD');
    });
  });
});
