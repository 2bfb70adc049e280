// What REST refuses, GraphQL refuses: the cases of A and B that change or look at data, sent as documents. Each test bears the id of its
// case; the same cases over REST are in security-access.test.ts.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { makePerson, makePolicy, type PermissionSpec, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50), salary integer);
  create table articles (id integer primary key, title varchar(50), secret varchar(50) unique, status varchar(20), owner varchar(36),
    author integer, constraint articles_author foreign key (author) references authors (id));
  insert into authors values (1, 'Ann', 100), (2, 'Bob', 200);
  insert into articles values (1, 'one', 's1', 'published', null, 1), (2, 'two', 's2', 'draft', null, 2), (3, 'three', 's3', 'draft', null, 2);
`;

const may = (
  action: PermissionSpec['action'],
  collection: string,
  permissions: unknown = {},
  fields: readonly string[] = ['*'],
): PermissionSpec => ({ collection, action, permissions, fields });
const mine = { owner: { _eq: '$CURRENT_USER' } };
const errorOf = ({ body }: Answer): string => body?.errors?.[0]?.extensions.code ?? 'none';

describeEachVendor('what GraphQL refuses', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'security_graphql', fixture });
  });
  afterAll(() => service.stop());

  /** None of these documents changes anything, and each is answered by one of these codes. */
  const refuses = async (
    person: Person,
    documents: readonly string[],
    codes: readonly string[] = ['FORBIDDEN', 'GRAPHQL_VALIDATION'],
    path: '/graphql' | '/graphql/system' = '/graphql',
  ) =>
    expectUnchanged(service, async () => {
      for (const document of documents) {
        const answer = await person.api.graphql(document, {}, path);
        expect(codes, `${document}: ${answer.text}`).toContain(errorOf(answer));
      }
    });

  it('A24: a missing item and a forbidden one are the same', async () => {
    const permissions = (['read', 'update', 'delete'] as const).map((action) => may(action, 'articles', { id: { _eq: 1 } }));
    const { api } = await makePerson(service, [{ permissions }]);
    for (const document of [
      '{ articles_by_id(id: KEY) { id } }',
      'mutation { update_articles_item(id: KEY, data: {title: "x"}) { id } }',
      'mutation { delete_articles_item(id: KEY) { id } }',
      'mutation { update_articles_items(ids: [KEY], data: {title: "x"}) { id } }',
    ]) {
      const [hidden, missing] = [await api.graphql(document.replace('KEY', '2')), await api.graphql(document.replace('KEY', '9'))];
      expect(hidden.text, document).toBe(missing.text);
      expect(errorOf(hidden)).toBe('FORBIDDEN');
    }
  });

  it('A25: a value that is taken by a hidden item is refused without a word about that item', async () => {
    const person = await makePerson(service, [{ permissions: [may('create', 'articles'), may('read', 'articles', { id: { _eq: 1 } })] }]);
    const document = 'mutation { create_articles_item(data: {id: 9, secret: "s2"}) { id } }';
    await refuses(person, [document], ['RECORD_NOT_UNIQUE']);
    expect((await person.api.graphql(document)).text).not.toMatch(/two|draft/);
  });

  it('A27: which fields may be changed is decided per item', async () => {
    const person = await makePerson(service, [
      { permissions: [may('update', 'articles', { id: { _eq: 1 } }, ['title']), may('read', 'articles')] },
      { permissions: [may('update', 'articles', { status: { _eq: 'draft' } })] },
    ]);
    await refuses(person, ['mutation { update_articles_item(id: 1, data: {secret: "x"}) { id } }'], ['FORBIDDEN']);
  });

  it('A28, A29: a list that is empty after substitution matches nothing', async () => {
    for (const rule of [{ status: { _in: '$CURRENT_USER.tags' } }, { status: { _nin: '$CURRENT_USER.tags' } }, { _or: [] }]) {
      const { api } = await makePerson(service, [{ permissions: [may('read', 'articles', rule)] }], { tags: [] });
      expect((await api.graphql('{ articles { id } articles_aggregated { countAll } }')).body.data).toEqual({
        articles: [],
        articles_aggregated: [{ countAll: 0 }],
      });
    }
  });

  it('A30: the same document gives every caller its own answer', async () => {
    const person = await makePerson(service, [
      { permissions: [may('read', 'articles', { status: { _eq: 'published' } }, ['id', 'title'])] },
    ]);
    for (let round = 0; round < 2; round += 1) {
      expect((await service.api.graphql('{ articles { id } }')).body.data.articles).toHaveLength(3);
      expect((await person.api.graphql('{ articles { id } }')).body.data.articles).toHaveLength(1);
      expect(errorOf(await service.as(null).graphql('{ articles { id } }'))).toBe('GRAPHQL_VALIDATION');
    }
  });

  it('A34: introspection and SDL show what the caller may use', async () => {
    const { api } = await makePerson(service, [{ permissions: [may('read', 'articles', {}, ['id', 'title'])] }]);
    const types = await api.graphql('{ __schema { types { name fields { name } inputFields { name } } } }');
    const sdl = await api.get('/server/specs/graphql');
    for (const text of [types.text, sdl.text]) {
      expect(text).toContain('articles');
      expect(text).not.toMatch(/"secret"|^\s+secret:|salary|authors|create_articles|delete_articles/m);
    }
    expect((await service.as(null).graphql('{ __schema { types { name } } }')).text).not.toContain('articles');
  });

  it('B01, B02: no caller can raise its own rank, nor through related items', async () => {
    const admins = (await service.api.get('/roles?filter[name][_eq]=Administrator&fields=id')).body.data[0].id;
    const policy = await makePolicy(service, { admin_access: true });
    const own = may('update', 'service_users', { id: { _eq: '$CURRENT_USER' } }, ['title', 'password', 'role']);
    const person = await makePerson(service, [{ app_access: true, permissions: [own, may('read', 'service_users')] }]);
    const changes = [
      `role: {id: "${admins}", policies: [{policy: {id: "${policy}"}}]}`,
      `role: {name: "new", admin_access: true}`,
      `policies: [{policy: {id: "${policy}"}}]`,
      'status: "active"',
      'provider: "x"',
      'external_identifier: "x"',
      'token: "x"',
    ];
    await refuses(
      person,
      changes.flatMap((change) => [
        `mutation { update_users_me(data: {title: "Dr", ${change}}) { id } }`,
        `mutation { update_users_item(id: "${person.id}", data: {title: "Dr", ${change}}) { id } }`,
      ]),
      undefined,
      '/graphql/system',
    );
  });

  it('B03, B04, B05: related items are made, changed, let go or linked only with the right for it', async () => {
    const person = await makePerson(service, [
      {
        permissions: [
          may('read', 'articles'),
          may('update', 'articles'),
          may('create', 'articles'),
          may('read', 'authors', { id: { _eq: 1 } }),
        ],
      },
    ]);
    await refuses(person, [
      'mutation { update_articles_item(id: 1, data: {title: "x", author: {id: 9, name: "New"}}) { id } }',
      'mutation { update_articles_item(id: 1, data: {title: "x", author: {id: 1, name: "Changed"}}) { id } }',
      'mutation { create_articles_item(data: {id: 70, author: {id: 8, name: "New"}}) { id } }',
      'mutation { update_articles_item(id: 1, data: {author_key: 2}) { id } }',
      'mutation { update_articles_item(id: 1, data: {author_key: 99}) { id } }',
      'mutation { update_authors_item(id: 1, data: {articles_changes: {delete: [2]}}) { id } }',
    ]);
  });

  it('B07: an update moves no item into or out of the caller’s rule', async () => {
    const person = await makePerson(service, [{ permissions: [may('read', 'articles'), may('update', 'articles', mine)] }]);
    await service.api.patch('/items/articles/1', { owner: person.id });
    await refuses(
      person,
      [
        'mutation { update_articles_item(id: 1, data: {owner: "somebody else"}) { id } }',
        `mutation { update_articles_item(id: 2, data: {owner: "${person.id}"}) { id } }`,
        `mutation { update_articles_items(ids: [1, 2], data: {title: "x"}) { id } }`,
      ],
      ['FORBIDDEN'],
    );
  });

  it('B10, B11: deleting needs the right, and nothing removes the last administrator', async () => {
    const person = await makePerson(service, [{ permissions: [may('read', 'service_users'), may('read', 'service_roles')] }]);
    const admin = (await service.api.get('/users/me?fields=id,role')).body.data;
    await refuses(
      person,
      [`mutation { delete_users_item(id: "${person.id}") { id } }`, `mutation { delete_roles_item(id: "${admin.role}") { id } }`],
      undefined,
      '/graphql/system',
    );
    await refuses(
      { ...person, api: service.api },
      [
        `mutation { delete_users_item(id: "${admin.id}") { id } }`,
        `mutation { update_users_item(id: "${admin.id}", data: {status: "suspended"}) { id } }`,
        `mutation { update_users_me(data: {role_key: null, status: "suspended"}) { id } }`,
        `mutation { delete_roles_item(id: "${admin.role}") { id } }`,
      ],
      ['UNPROCESSABLE_CONTENT'],
      '/graphql/system',
    );
  });
});
