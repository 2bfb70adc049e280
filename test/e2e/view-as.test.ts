// Security case H12: viewing as another user. What an administrator reads with `X-View-As` is what that person would read, and
// nothing else; it is recorded; other callers cannot do it, and it writes nothing. An explanation names the policy, permission, rule and value
// that decides.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { codeOf, makePerson, makePolicy, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50), country varchar(2));
  insert into authors values (1, 'Ann', 'de'), (2, 'Bob', 'fr');
  create table articles (id integer primary key, title varchar(50), status varchar(20), price integer, author integer references authors (id), owner varchar(36));
  insert into articles values (1, 'draft', 'draft', 10, 1, null), (2, 'out', 'published', 20, 2, null), (3, 'out too', 'published', 30, 1, null);
`;

const published = { status: { _eq: 'published' } };

describeEachVendor('viewing as another user', (vendor) => {
  let service: TestService;
  let editor: Person;
  let role: string;
  let policy: string;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'view_as', fixture });
    role = (await service.api.post('/roles', { name: 'Editors' })).body.data.id;
    policy = await makePolicy(service, {
      app_access: true,
      permissions: [{ collection: 'articles', action: 'read', permissions: published, fields: ['id', 'title', 'status'] }],
    });
    await service.api.post('/access', { role, policy });
    editor = await makePerson(service, [], { role });
  });
  afterAll(() => service.stop());

  const as = (who: string) => ({ 'x-view-as': who });
  const seen = (path: string, who = `user:${editor.id}`): Promise<Answer> => service.api.get(path, as(who));

  it('H12: reads exactly what the person would read, by REST and by GraphQL', async () => {
    const paths = [
      '/items/articles',
      '/items/articles/1',
      '/items/articles/2',
      '/items/articles?fields=price',
      '/items/articles?aggregate[count]=*',
      '/items/articles?filter[price][_gt]=1',
      '/items/articles?fields=id,author.name',
      '/items/authors',
      '/items/articles?explain=true',
      '/permissions/me',
      '/permissions/me/articles/2',
      '/users/me',
      '/users',
      '/roles/me',
      '/policies',
      '/policies/me/globals',
      '/fields/articles',
      '/collections',
      '/relations',
      '/settings',
      '/server/info',
      '/nowhere',
    ];
    for (const path of paths) {
      const [mine, theirs] = [await seen(path), await editor.api.get(path)];
      expect([path, mine.status, mine.text]).toEqual([path, theirs.status, theirs.text]);
      expect([path, mine.headers.get('cache-control')]).toEqual([path, 'no-store']);
    }
    for (const document of ['{ articles { id title } }', '{ articles { price } }', '{ authors { id } }']) {
      const mine = await service.api.post('/graphql', { query: document }, as(`user:${editor.id}`));
      expect(mine.text).toBe((await editor.api.graphql(document)).text);
    }
    const me = await service.api.post('/graphql/system', { query: '{ users_me { id } permissions_me }' }, as(`user:${editor.id}`));
    expect(me.text).toBe((await editor.api.graphql('{ users_me { id } permissions_me }', {}, '/graphql/system')).text);
    expect((await service.api.get('/items/articles')).body.data).toHaveLength(3);
  });

  it('H12: looks through a role, policies and the public', async () => {
    const ids = async (who: string) => (await seen('/items/articles?fields=id', who)).body.data?.map((item: { id: number }) => item.id);
    expect(await ids(`role:${role}`)).toEqual([2, 3]);
    expect(await ids(`policy:${policy}`)).toEqual([2, 3]);
    expect(codeOf(await seen('/items/articles', 'public'))).toBe('403 FORBIDDEN');
    expect((await seen('/permissions/me', `policy:${policy}`)).body.data.articles.read).toEqual({
      access: 'partial',
      fields: ['id', 'title', 'status'],
    });
    expect((await seen('/permissions/me', 'public')).body.data).toEqual({});
    const known = await service.api.post('/graphql/system', { query: '{ permissions_me }' }, as('public'));
    expect(known.body.data).toEqual({ permissions_me: {} });
    // The public itself still may not ask.
    expect(codeOf(await service.as(null).get('/permissions/me'))).toBe('403 FORBIDDEN');
    expect((await service.as(null).graphql('{ permissions_me }', {}, '/graphql/system')).body.errors).toHaveLength(1);
  });

  it('H12: is for administrators', async () => {
    const guest = await makePerson(service, [{ app_access: true }]);
    for (const api of [editor.api, guest.api, service.as(null)])
      for (const who of [`user:${editor.id}`, `user:${guest.id}`, `role:${role}`, 'public', 'nonsense'])
        expect(codeOf(await api.get('/items/articles', as(who)))).toBe('403 FORBIDDEN');
    expect((await service.as('no such token').get('/items/articles', as('public'))).status).toBe(401);
  });

  it('H12: writes nothing, by any way', async () => {
    const writer = await makePerson(service, [
      {
        app_access: true,
        permissions: [
          ...(['create', 'read', 'update', 'delete'] as const).map((action) => ({ collection: 'articles', action })),
          { collection: 'service_users', action: 'update' },
        ],
      },
    ]);
    const who = as(`user:${writer.id}`);
    const { api } = service;
    // The look itself is recorded with the first request.
    expect((await api.get('/items/articles', who)).body.data).toHaveLength(3);
    await expectUnchanged(service, async () => {
      const tries = [
        await api.post('/items/articles', { title: 'x' }, who),
        await api.patch('/items/articles/1', { title: 'x' }, who),
        await api.patch('/items/articles/1', { title: 'x' }, { ...who, prefer: 'dry-run' }),
        await api.delete('/items/articles/1', undefined, who),
        await api.patch('/users/me', { first_name: 'x' }, who),
        await api.patch('/users/me/track/page', { last_page: '/x' }, who),
        await api.post('/users/me/tfa/generate', { password: writer.password }, who),
        await api.post('/batch', { operations: [{ method: 'DELETE', path: '/items/articles/1' }] }, who),
        await api.post('/auth/login', { email: writer.email, password: writer.password }, who),
        await api.post('/utils/access/explain', { as: 'public', collection: 'articles' }, who),
        await api.post('/graphql', { query: 'mutation { delete_articles_item(id: 1) { id } }' }, who),
        await api.post('/graphql/system', { query: 'mutation { update_users_me(data: { first_name: "x" }) { id } }' }, who),
      ];
      expect(tries.map(codeOf)).toEqual(tries.map(() => '403 FORBIDDEN'));
    });
    expect(codeOf(await api.get('/items/articles', { ...who, accept: 'text/event-stream' }))).toBe('403 FORBIDDEN');
  });

  it('H12: shows no other administrator, and no user who may not sign in', async () => {
    const admin = await makePerson(service, [{ admin_access: true }], { tfa_secret: 'JBSWY3DPEHPK3PXP' });
    const suspended = await makePerson(service, [{ app_access: true }], { status: 'suspended' });
    for (const who of [`user:${admin.id}`, `policy:${admin.policies[0]}`, `policy:${policy},${admin.policies[0]}`, `user:${suspended.id}`])
      for (const path of ['/users/me', '/users/me?fields=token,tfa_secret,password', '/items/articles', '/permissions/me'])
        expect([who, path, codeOf(await seen(path, who))]).toEqual([who, path, '403 FORBIDDEN']);
  });

  it('H12: says what is wrong with the header', async () => {
    for (const who of [
      '',
      'x',
      'user:',
      'user:1',
      `user:${editor.id},${editor.id}`,
      `roles:${role}`,
      'policy:',
      `policy:${policy},x`,
      'public:x',
    ])
      expect([who, codeOf(await seen('/items/articles', who))]).toEqual([who, '400 INVALID_QUERY']);
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const who of [`user:${nobody}`, `role:${nobody}`, `policy:${nobody}`])
      expect([who, codeOf(await seen('/items/articles', who))]).toEqual([who, '400 INVALID_QUERY']);
  });

  it('H12: is recorded in the activity, once for a row of requests', async () => {
    const other = await makePerson(service, [], { role });
    for (let count = 0; count < 4; count += 1) await seen('/items/articles', `user:${other.id}`);
    const { data } = (await service.api.get(`/activity?filter[action]=view_as&filter[item]=${other.id}&fields=collection,user.email`)).body;
    expect(data).toEqual([{ collection: 'service_users', user: { email: 'admin@example.com' } }]);
  });

  it('acts at once when the rights of the person change', async () => {
    const changing = await makePerson(service, [{ permissions: [{ collection: 'articles', action: 'read', permissions: published }] }]);
    expect((await seen('/items/articles', `user:${changing.id}`)).body.data).toHaveLength(2);
    await service.api.patch(`/users/${changing.id}`, { policies: [] });
    expect(codeOf(await seen('/items/articles', `user:${changing.id}`))).toBe('403 FORBIDDEN');
  });

  it('shows administrators where a user is signed in, and ends it', async () => {
    const person = await makePerson(service, [{ app_access: true }]);
    const { access_token: token } = (await service.as(null).post('/auth/login', { email: person.email, password: person.password })).body
      .data;
    const path = `/users/${person.id}/sessions`;
    const { data } = (await service.api.get(path)).body;
    expect(data).toEqual([expect.objectContaining({ ip: expect.any(String), user_agent: 'node' })]);
    expect(JSON.stringify(data)).not.toMatch(/token|family/);
    for (const api of [person.api, editor.api, service.as(null)]) {
      expect(codeOf(await api.get(path))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.post(`${path}/end`))).toBe('403 FORBIDDEN');
    }
    expect((await service.as(token).get('/users/me')).status).toBe(200);
    expect((await service.api.post(`${path}/end`)).status).toBeLessThan(300);
    expect((await service.as(token).get('/users/me')).status).toBe(401);
    expect((await service.api.get(path)).body.data).toEqual([]);
    expect(codeOf(await service.api.get('/users/nobody/sessions'))).toBe('403 FORBIDDEN');
  });

  const explain = async (question: object, who = `user:${editor.id}`) => {
    const answer = await service.api.post('/utils/access/explain', { as: who, ...question });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  };

  it('explains which rule and which value decides about an item', async () => {
    const why = await explain({ collection: 'articles', item: 1 });
    expect(why).toMatchObject({ allowed: false, reason: 'rule' });
    expect(why.message).toBe('Not allowed: policy "test" wants status _eq "published", and it is "draft".');
    expect(why.permissions).toEqual([
      {
        policy: { id: policy, name: 'test' },
        id: expect.any(Number),
        rule: published,
        fields: ['id', 'title', 'status'],
        covers_item: false,
        covers_field: null,
        failed: [{ path: [], field: 'status', operator: '_eq', operand: 'published', value: 'draft' }],
      },
    ]);
    expect(await explain({ collection: 'articles', item: 2 })).toMatchObject({ allowed: true, reason: 'granted' });
    expect(await explain({ collection: 'articles', item: 99 })).toMatchObject({ allowed: false, reason: 'no_item' });
  });

  it('explains fields, actions and collections', async () => {
    const reason = async (question: object, who?: string) => (await explain(question, who)).reason;
    expect(await reason({ collection: 'articles', field: 'price' })).toBe('field');
    expect(await reason({ collection: 'articles', item: 2, field: 'price' })).toBe('field');
    expect(await reason({ collection: 'articles', item: 2, field: 'title' })).toBe('granted');
    expect(await reason({ collection: 'articles', action: 'update', item: 2 })).toBe('no_permission');
    expect(await reason({ collection: 'authors' })).toBe('no_permission');
    expect(await reason({ collection: 'articles' }, 'public')).toBe('no_permission');
    const admin = await makePerson(service, [{ admin_access: true }]);
    const all = await explain({ collection: 'articles', item: 1 }, `user:${admin.id}`);
    expect(all).toMatchObject({ allowed: true, reason: 'administrator', permissions: [{ policy: { id: admin.policies[0] } }] });
    const suspended = await makePerson(service, [], { status: 'suspended' });
    expect(await reason({ collection: 'articles' }, `user:${suspended.id}`)).toBe('inactive');
    const linked = await makePerson(service, [{ permissions: [{ collection: 'authors', action: 'read' }] }]);
    expect(await reason({ collection: 'authors', field: 'articles' }, `user:${linked.id}`)).toBe('related_collection');
  });

  it('explains rules over relations and the values of the person', async () => {
    const rule = { _and: [{ author: { country: { _eq: 'fr' } } }, { owner: { _eq: '$CURRENT_USER' } }] };
    const person = await makePerson(service, [{ permissions: [{ collection: 'articles', action: 'read', permissions: rule }] }]);
    const { permissions } = await explain({ collection: 'articles', item: 1 }, `user:${person.id}`);
    expect(permissions[0].failed).toEqual([
      { path: ['author'], field: 'country', operator: '_eq', operand: 'fr', value: 'de' },
      { path: [], field: 'owner', operator: '_eq', operand: '$CURRENT_USER', value: null },
    ]);
    await service.api.patch('/items/articles/2', { owner: person.id });
    expect(await explain({ collection: 'articles', item: 2 }, `user:${person.id}`)).toMatchObject({ allowed: true });
  });

  it('is explained to administrators only, and names what it does not know', async () => {
    const question = { as: `user:${editor.id}`, collection: 'articles' };
    for (const api of [editor.api, service.as(null)])
      expect(codeOf(await api.post('/utils/access/explain', question))).toBe('403 FORBIDDEN');
    const ask = async (more: object) => codeOf(await service.api.post('/utils/access/explain', { ...question, ...more }));
    expect(await ask({ as: 'x' })).toBe('400 INVALID_QUERY');
    expect(await ask({ collection: 'nothing' })).toBe('400 INVALID_PAYLOAD');
    expect(await ask({ field: 'nothing' })).toBe('400 INVALID_PAYLOAD');
    expect(await ask({ action: 'see' })).toBe('400 INVALID_PAYLOAD');
    expect(await ask({ action: 'create', item: 1 })).toBe('400 INVALID_PAYLOAD');
    expect(await ask({ item: 'one' })).not.toMatch(/^5/);
  });
});
