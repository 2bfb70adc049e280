// Security cases H01 and H02: a dynamic value in a request reveals nothing that its caller may not read; in a stored rule, preset or
// validation it may, and no refusal shows what it came to. Each test bears the id of its case.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { listReaders } from '../harness/list-readers.js';
import { codeOf, makePerson, makePolicy, type PermissionSpec, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table notes (id integer primary key, mark varchar(255) unique, year integer, owner varchar(36));
  insert into notes values (1, 'colleague@example.com', 2001, null), (2, 'hidden post', 2002, null), (3, 'badge-7', 2003, null),
    (4, 'Writers', 2004, null), (5, 'plain', 2005, null);
  create table slips (id integer primary key, mark varchar(255), note varchar(255));
  create table words (id varchar(80) primary key, mark varchar(255));
  insert into words values ('$CURRENT_USER', 'a text like any other'), ('$CURRENT_USER.email', 'another');
`;

const may = (
  action: PermissionSpec['action'],
  collection: string,
  permissions: unknown = {},
  fields: readonly string[] = ['*'],
): PermissionSpec => ({ collection, action, permissions, fields });

const errorOf = ({ body }: Answer): string => body?.errors?.[0]?.extensions.code ?? 'none';
const itself = { id: { _eq: '$CURRENT_USER' } };

describeEachVendor('dynamic values', (vendor) => {
  let service: TestService;
  let role: string;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'dynamic_values', fixture });
    const made = async (path: string, body: unknown) => {
      const answer = await service.api.post(path, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data;
    };
    await made('/collections', {
      collection: 'posts',
      schema: {},
      fields: [
        { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
        { field: 'title', type: 'string' },
        { field: 'writer', type: 'uuid' },
      ],
    });
    await made('/fields/service_users', { field: 'badge', type: 'string' });
    await made('/fields/service_users', { field: 'since', type: 'integer' });
    await made('/fields/service_users', { field: 'posts', type: 'alias', meta: { special: 'o2m' } });
    await made('/relations', { collection: 'posts', field: 'writer', related_collection: 'service_users', meta: { one_field: 'posts' } });
    role = (await made('/roles', { name: 'Writers' })).id;
    const colleague = await made('/users', { email: 'colleague@example.com', role });
    await made('/items/posts', { title: 'hidden post', writer: colleague.id });
  });
  afterAll(() => service.stop());

  /** Somebody of the role, with a badge and a post of their own. */
  const makeWriter = async (permissions: readonly PermissionSpec[]): Promise<Person> => {
    const person = await makePerson(service, [{ permissions }], { role, badge: 'badge-7', since: 2003 });
    await service.api.post('/items/posts', { title: 'own post', writer: person.id });
    return person;
  };
  const marks = async (api: Api, value: unknown): Promise<unknown> => {
    const answer = await api.search('/items/notes', { query: { filter: { mark: { _in: value } }, fields: ['id'], sort: ['id'] } });
    return answer.status === 200 ? answer.body.data.map(({ id }: { readonly id: number }) => id) : codeOf(answer);
  };

  const hidden = [
    '$CURRENT_USER.email',
    '$CURRENT_USER.badge',
    '$CURRENT_USER.nothing',
    '$CURRENT_USER.role.name',
    '$CURRENT_USER.role.users.email',
    '$CURRENT_USER.role.users.posts.title',
    '$CURRENT_USER.posts.title',
    '$CURRENT_ROLE.name',
    '$CURRENT_ROLE.users.email',
    '$CURRENT_ROLE.users.role.users.role.users.email',
  ];

  it('H01, H02: a path the caller may not read is forbidden, by every door and at every place of a query', async () => {
    const { api } = await makeWriter([may('read', 'notes'), may('create', 'service_files'), may('read', 'service_files')]);
    const doors = listReaders(api, 'notes');
    for (const path of hidden) {
      for (const [door, ask] of Object.entries(doors)) {
        const answer = await ask({ filter: { mark: { _in: [path] } } });
        expect(errorOf(answer), `${door} ${path}: ${answer.text}`).toBe('FORBIDDEN');
      }
    }
    const [path] = hidden;
    for (const query of [
      { filter: { mark: { _eq: path } } },
      { filter: { mark: { _starts_with: path } } },
      { filter: { year: { _eq: path } } },
      { filter: { year: { _between: [1, path] } } },
      { filter: { _or: [{ id: { _eq: 1 } }, { _and: [{ mark: { _neq: path } }] }] } },
      { search: path },
      { aggregate: { count: '*' }, groupBy: ['year'], having: { min: { year: { _gt: path } } } },
      { filter: { mark: { _eq: path } }, limit: 1, meta: 'cursor' },
      { filter: { mark: { _eq: path } }, limit: -1 },
      { filter: { mark: { _eq: path } }, meta: '*' },
    ]) {
      const answer = await api.search('/items/notes', { query });
      expect(errorOf(answer), JSON.stringify(query)).toBe('FORBIDDEN');
    }
    const documents = [
      'query($path: String) { notes(filter: {mark: {_eq: $path}}) { id } }',
      'query($path: String) { notes_aggregated(filter: {mark: {_eq: $path}}) { countAll } }',
      'query($path: String) { notes_by_id(id: 1) { id } notes(filter: {mark: {_in: [$path]}}) { id } }',
    ];
    for (const document of documents) expect(errorOf(await api.graphql(document, { path })), document).toBe('FORBIDDEN');
  }, 60_000);

  it('H01: nested filters, writes by query, writes that answer, and batches are not a way around it', async () => {
    const person = await makeWriter([
      may('read', 'notes'),
      may('create', 'notes'),
      may('update', 'notes'),
      may('delete', 'notes'),
      may('read', 'posts', { writer: { _eq: '$CURRENT_USER' } }),
      may('read', 'service_users', itself, ['id', 'posts']),
    ]);
    const { api } = person;
    const filter = { mark: { _eq: '$CURRENT_USER.role.users.email' } };
    const deep = { posts: { _filter: { title: { _eq: '$CURRENT_USER.email' } } } };
    await expectUnchanged(service, async () => {
      for (const answer of [
        await api.get(`/users/${person.id}?fields=posts.title&deep=${encodeURIComponent(JSON.stringify(deep))}`),
        await api.patch('/items/notes', { query: { filter }, data: { year: 1 } }),
        await api.delete('/items/notes', { query: { filter } }),
        await api.post(`/items/notes?fields=id&filter=${encodeURIComponent(JSON.stringify(filter))}`, { id: 9, mark: 'nine' }),
        await api.post('/batch', { operations: [{ method: 'DELETE', path: '/items/notes', body: { query: { filter } } }] }),
        await api.post('/batch', {
          operations: [{ method: 'GET', path: `/items/notes?filter=${encodeURIComponent(JSON.stringify(filter))}` }],
        }),
        await api.graphql(
          'query($f: String) { users_me { posts(filter: {title: {_eq: $f}}) { title } } }',
          { f: '$CURRENT_USER.email' },
          '/graphql/system',
        ),
      ]) {
        expect(errorOf(answer), answer.text).toBe('FORBIDDEN');
      }
    });
  }, 60_000);

  it('H01: what the caller may read is resolved, through their own rules and field lists', async () => {
    const { api } = await makeWriter([
      may('read', 'notes'),
      may('read', 'service_users', itself, ['email', 'badge', 'role', 'posts']),
      may('read', 'service_roles', { id: { _eq: '$CURRENT_ROLE' } }, ['name', 'users']),
      may('read', 'posts', { writer: { _eq: '$CURRENT_USER' } }, ['title', 'writer']),
    ]);
    await service.api.patch('/items/notes/5', { mark: 'own post' });
    expect(await marks(api, '$CURRENT_USER.badge')).toEqual([3]);
    expect(await marks(api, '$CURRENT_USER.role.name')).toEqual([4]);
    expect(await marks(api, '$CURRENT_ROLE.name')).toEqual([4]);
    expect(await marks(api, ['$CURRENT_USER.role.name', '$CURRENT_USER.badge', '$CURRENT_USER.role'])).toEqual([3, 4]);
    // Of the role's users and of their posts only those the caller may read.
    expect(await marks(api, '$CURRENT_ROLE.users.email')).toEqual([]);
    expect(await marks(api, '$CURRENT_ROLE.users.posts.title')).toEqual([5]);
    expect(await marks(api, '$CURRENT_USER.posts.title')).toEqual([5]);
    expect(await marks(api, '$CURRENT_USER.posts.id')).toBe('403 FORBIDDEN');
    expect(await marks(api, '$CURRENT_USER.last_name')).toBe('403 FORBIDDEN');
    await service.api.patch('/items/notes/5', { mark: 'plain' });
  });

  it('H01: a caller who may not read their own item gets nothing from it', async () => {
    const { api } = await makeWriter([may('read', 'notes'), may('read', 'service_users', { status: { _eq: 'nobody' } }, ['badge'])]);
    expect(await marks(api, '$CURRENT_USER.badge')).toEqual([]);
  });

  it('H01: the public, the holder of a share and a user without a role get no more', async () => {
    const sharer = await makePerson(service, [{ permissions: [may('read', 'notes')] }]);
    expect(await marks(sharer.api, '$CURRENT_ROLE.name')).toBe('403 FORBIDDEN');
    const policy = await makePolicy(service, { permissions: [may('read', 'notes')] });
    const link = await service.api.post('/access', { policy, role: null, user: null });
    const open = service.as(null);
    for (const path of ['$CURRENT_USER.email', '$CURRENT_ROLE.name', '$CURRENT_ROLE.users.email'])
      expect(await marks(open, path), path).toBe('403 FORBIDDEN');
    expect(await marks(open, '$CURRENT_USER')).toEqual([]);
    expect(await marks(open, '$CURRENT_POLICIES')).toEqual([]);
    await service.api.delete(`/access/${link.body.data.id}`);

    const reader = (await service.api.post('/roles', { name: 'Readers' })).body.data.id;
    const rights = await makePolicy(service, { permissions: [may('read', 'notes'), may('read', 'service_roles')] });
    await service.api.post('/access', { policy: rights, role: reader });
    const share = (await service.api.post('/shares', { collection: 'notes', item: '4', role: reader })).body.data.id;
    const { access_token: token } = (await open.post('/shares/auth', { share })).body.data;
    expect(await marks(service.as(token), 'Writers')).toEqual([4]);
    for (const path of ['$CURRENT_ROLE.name', '$CURRENT_ROLE.users.email', '$CURRENT_USER.email'])
      expect(await marks(service.as(token), path), path).toBe('403 FORBIDDEN');
  });

  it('H01: no refusal shows what a dynamic value came to', async () => {
    const { api, id, email } = await makeWriter([may('read', 'notes'), may('read', 'service_users')]);
    for (const path of [
      '$CURRENT_USER',
      '$CURRENT_USER.email',
      '$CURRENT_USER.role.id',
      '$CURRENT_ROLE',
      '$CURRENT_ROLES',
      '$CURRENT_POLICIES',
    ]) {
      for (const operand of [{ _eq: path }, { _in: [path, 7] }, { _between: [1, path] }]) {
        const answer = await api.search('/items/notes', { query: { filter: { year: operand } } });
        expect(answer.text, JSON.stringify(operand)).not.toMatch(new RegExp(`${id}|${email}|${role}|[0-9a-f]{8}-[0-9a-f]{4}`));
        expect(['INVALID_QUERY', 'FORBIDDEN', 'none'], answer.text).toContain(errorOf(answer));
      }
    }
  });

  it('H01: stored rules, presets and validations may use what their caller cannot see, and do not reveal it', async () => {
    const person = await makeWriter([
      may('read', 'notes', { mark: { _in: ['$CURRENT_USER.badge', '$CURRENT_ROLE.name'] } }),
      { ...may('create', 'notes', {}, ['id', 'year']), presets: { mark: '$CURRENT_USER.badge' } },
      { ...may('update', 'notes'), validation: { mark: { _eq: '$CURRENT_USER.role.name' } } },
    ]);
    const { api } = person;
    expect((await api.get('/items/notes?fields=id&sort=id')).body).toEqual({ data: [{ id: 3 }, { id: 4 }] });
    const taken = await api.post('/items/notes', { id: 20, year: 1 });
    expect(codeOf(taken)).toBe('400 RECORD_NOT_UNIQUE');
    expect(taken.text).not.toContain('badge-7');
    const refused = await api.patch('/items/notes/3', { mark: 'guess' });
    expect(codeOf(refused)).toBe('400 FAILED_VALIDATION');
    expect(refused.text).not.toContain('Writers');
    const byDocument = await api.graphql('mutation { update_notes_item(id: 3, data: {mark: "guess"}) { id } }');
    expect(errorOf(byDocument)).toBe('FAILED_VALIDATION');
    expect(byDocument.text).not.toContain('Writers');
  });

  it('H01: the validation of a field may name values of the caller, who need not see them', async () => {
    const rule = { mark: { _in: ['$CURRENT_USER.badge', '$CURRENT_ROLE.name', '$CURRENT_USER.posts.title'] } };
    expect((await service.api.patch('/fields/slips/mark', { meta: { validation: rule } })).status).toBe(200);
    const { api } = await makeWriter([may('read', 'slips'), may('create', 'slips'), may('update', 'slips')]);
    const marked = (id: number, mark: string) => api.post('/items/slips', { id, mark });
    for (const [index, mark] of ['badge-7', 'Writers', 'own post'].entries()) expect(codeOf(await marked(index, mark)), mark).toBe('200');
    for (const answer of [
      await marked(9, 'badge-8'),
      await api.patch('/items/slips/0', { mark: '' }),
      await api.graphql('mutation { create_slips_item(data: {id: 9, mark: "guess"}) { id } }'),
    ]) {
      expect(errorOf(answer), answer.text).toBe('FAILED_VALIDATION');
      expect(answer.text).not.toMatch(/badge-7|Writers|own post/);
    }
    // The administrator who wrote the rule has neither a badge nor a post.
    expect(codeOf(await service.api.post('/items/slips', { id: 9, mark: 'badge-7' }))).toBe('400 FAILED_VALIDATION');
  });

  it('H01: a path that does not exist matches nothing and stops no other write', async () => {
    const rule = { note: { _eq: '$CURRENT_USER.nothing' } };
    expect((await service.api.patch('/fields/slips/note', { meta: { validation: rule } })).status).toBe(200);
    const { api } = await makeWriter([may('read', 'slips'), may('create', 'slips'), may('create', 'words'), may('read', 'words')]);
    expect(codeOf(await api.post('/items/slips', { id: 20, note: 'x' }))).toBe('400 FAILED_VALIDATION');
    expect(codeOf(await api.post('/items/slips', { id: 20, mark: 'badge-7' }))).toBe('200');
    expect(codeOf(await api.post('/items/words', { id: 'free', mark: 'x' }))).toBe('200');
  });

  it('H01: rules on metadata name values of the caller, who need not see them', async () => {
    const own = (field: string) => ({ [field]: { _eq: '$CURRENT_USER.badge' } });
    const person = await makePerson(
      service,
      [
        {
          permissions: [
            may('read', 'notes'),
            may('read', 'posts'),
            may('read', 'service_users', itself, ['id']),
            may('read', 'service_collections', own('collection')),
            may('read', 'service_fields', own('collection')),
            may('read', 'service_relations', own('many_collection')),
          ],
        },
      ],
      { role, badge: 'posts' },
    );
    const { api } = person;
    const names = ({ body }: Answer): unknown => [
      ...new Set(body.data.map(({ collection }: { readonly collection: string }) => collection)),
    ];
    for (const path of ['/collections', '/fields', '/relations']) expect(names(await api.get(path)), path).toEqual(['posts']);
    expect((await api.get('/fields/notes')).body).toEqual({ data: [] });
    expect(codeOf(await api.get('/collections/notes'))).toBe('403 FORBIDDEN');
    expect(codeOf(await api.get('/collections/posts'))).toBe('200');
    const document =
      '{ collections { collection } fields { collection } relations { collection } fields_in_collection(collection: "notes") { field } }';
    const { data } = (await api.graphql(document, {}, '/graphql/system')).body;
    expect(data.collections).toEqual([{ collection: 'posts' }]);
    expect(data.fields).toEqual(Array.from({ length: 3 }, () => ({ collection: 'posts' })));
    expect(data.relations).toEqual([{ collection: 'posts' }]);
    expect(data.fields_in_collection).toEqual([]);

    await service.api.patch(`/users/${person.id}`, { badge: null });
    for (const path of ['/collections', '/fields', '/relations']) expect(names(await api.get(path)), path).toEqual([]);
  });

  it('H01: a rule whose value does not fit shows nothing, and says nothing of the rule', async () => {
    for (const rule of [
      { year: { _eq: '$CURRENT_USER.badge' } },
      { year: { _in: ['$CURRENT_ROLE.name'] } },
      { year: { _eq: 'constant' } },
    ]) {
      const { api } = await makeWriter([may('read', 'notes', rule)]);
      const answer = await api.get('/items/notes');
      expect(codeOf(answer)).toBe('403 FORBIDDEN');
      expect(answer.text).not.toMatch(/badge|Writers|constant/);
    }
  });

  it('H01: bounds of a range in a rule may be dynamic, and lists are whole', async () => {
    const ranged = await makeWriter([
      may('read', 'notes', { owner: { _null: true }, year: { _between: ['$CURRENT_USER.since', '$CURRENT_USER.since'] } }),
    ]);
    expect((await ranged.api.get('/items/notes?fields=id')).body).toEqual({ data: [{ id: 3 }] });
    const prolific = await makeWriter([may('read', 'notes', { mark: { _nin: '$CURRENT_USER.posts.title' } })]);
    const titles = Array.from({ length: 150 }, (_, index) => ({ title: index === 149 ? 'badge-7' : `post ${index}`, writer: prolific.id }));
    expect((await service.api.post('/items/posts', titles)).status).toBe(200);
    expect((await prolific.api.get('/items/notes?fields=id&sort=id')).body.data).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }, { id: 5 }]);
  });

  it('H01, H07: so many paths that looking them up would take long are refused', async () => {
    const { api } = await makeWriter([may('read', 'notes')]);
    const paths = Array.from({ length: 30_000 }, (_, index) => `$CURRENT_USER.f${index}`);
    const before = performance.now();
    expect(codeOf(await api.search('/items/notes', { query: { filter: { mark: { _in: paths } } } }))).toBe('400 INVALID_QUERY');
    expect(performance.now() - before).toBeLessThan(30_000);
  });

  it('H01: a key that looks like a dynamic value is a key', async () => {
    const { api } = await makeWriter([
      may('read', 'words'),
      may('share', 'words'),
      may('create', 'service_shares'),
      may('read', 'service_shares'),
    ]);
    expect((await api.get('/items/words/$CURRENT_USER?fields=mark')).body).toEqual({ data: { mark: 'a text like any other' } });
    expect((await api.get('/items/words/$CURRENT_USER.email?fields=mark')).body).toEqual({ data: { mark: 'another' } });
    expect((await api.search('/items/words', { keys: ['$CURRENT_USER.email'], query: { fields: ['mark'] } })).body).toEqual({
      data: [{ mark: 'another' }],
    });
    expect(codeOf(await api.get('/items/words/$CURRENT_ROLE.name'))).toBe('403 FORBIDDEN');
    expect(codeOf(await api.post('/shares', { collection: 'words', item: '$CURRENT_ROLE.name', role }))).toBe('403 FORBIDDEN');
  });
});
