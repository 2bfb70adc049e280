// Security cases A19 and A20: what activity, revisions and versions keep of items is shown only to callers who could read it there, by no
// door and by no question about it, and a version is saved, compared and promoted only with every right it takes.

import { authenticator } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { listReaders, type QueryObject } from '../harness/list-readers.js';
import { codeOf, makePerson, type PermissionSpec, type Person } from '../harness/people.js';
import { adminEmail } from '../harness/start-service.js';
import { expectOk, startVersionWorld, type VersionWorld } from '../harness/version-world.js';

const may = (action: PermissionSpec['action'], collection: string, more: Partial<PermissionSpec> = {}): PermissionSpec => ({
  collection,
  action,
  ...more,
});
const hidden = 'hidden-4711';
const system = '/graphql/system';

describeEachVendor('what is kept of items', (vendor) => {
  let world: VersionWorld;

  beforeAll(async () => {
    world = await startVersionWorld(vendor, 'sec_history');
    await expectOk(world.api.post('/fields/books', { field: 'pin', type: 'hash', schema: {}, meta: { special: ['hash', 'conceal'] } }));
    // Item 1 with a hidden field, item 2 hidden as a whole, both changed, saved in a version and deleted again.
    await expectOk(world.api.patch('/items/books/1', { code: hidden, title: 'changed' }));
    await expectOk(world.api.patch('/items/books/2', { title: `${hidden} title` }));
    await expectOk(world.api.post('/items/books', { id: 50, title: `${hidden} gone`, code: hidden }));
    await expectOk(world.api.delete('/items/books/50'));
    await expectOk(world.api.post(`/versions/${await world.draft(1)}/save`, { code: `${hidden} drafted` }));
    await expectOk(world.api.post(`/versions/${await world.draft(2)}/save`, { title: `${hidden} drafted` }));
    await expectOk(world.api.patch('/items/authors/1', { secret: hidden }));
  });
  afterAll(() => world.stop());

  const reader = (): Promise<Person> =>
    makePerson(world, [
      {
        permissions: [
          may('read', 'service_activity'),
          may('read', 'service_revisions'),
          may('read', 'service_versions'),
          may('read', 'books', { fields: ['id', 'title', 'author'], permissions: { id: { _neq: 2 } } }),
          may('read', 'authors', { fields: ['id', 'name'] }),
          may('create', 'service_files'),
        ],
      },
    ]);

  /** Every request that could reveal something about a stored document. */
  const questions = (field: string, text: string): readonly QueryObject[] => [
    { fields: ['*'] },
    { fields: ['id', field] },
    { fields: ['id'], filter: { [field]: { _contains: text } } },
    { fields: ['id'], filter: { [field]: { _nnull: true } } },
    { fields: ['id'], filter: { [field]: { _json: { code: { _eq: text } } } } },
    { fields: ['id', `json(${field}, code)`] },
    { fields: ['id'], search: text },
    { fields: ['id'], sort: [field, 'id'] },
    { fields: ['id'], sort: [`json(${field}, code)`, 'id'] },
    { aggregate: { count: [field] } },
    { aggregate: { max: [field] } },
    { aggregate: { count: '*' }, groupBy: [field] },
    { aggregate: { count: '*' }, groupBy: [`json(${field}, code)`] },
    { alias: { x: field }, fields: ['id', 'x'] },
    { fields: ['id'], filter: { [field]: { _eq: text } }, meta: 'filter_count' },
  ];

  it.each([
    ['service_revisions', 'data'],
    ['service_revisions', 'delta'],
    ['service_revisions', 'previous'],
    ['service_versions', 'delta'],
    ['service_versions', 'hash'],
  ])('A19: %s: no question about "%s" is answered differently for what is hidden', async (collection, field) => {
    const { api } = await reader();
    for (const [door, ask] of Object.entries(listReaders(api, collection))) {
      for (const [index, question] of questions(field, hidden).entries()) {
        const answer = await ask(question);
        expect([door, question, answer.status < 500, answer.text.includes(hidden)]).toEqual([door, question, true, false]);
        const other = questions(field, 'something-else')[index] ?? {};
        expect([door, question, answer.text]).toEqual([door, question, (await ask(other)).text]);
      }
    }
    const name = collection.replace('service_', '');
    for (const document of [
      `{ ${name} { id ${field} } }`,
      `{ ${name}(filter: {${field}: {_nnull: true}}) { id } }`,
      `{ ${name}(search: "${hidden}") { id } }`,
      `{ ${name}_aggregated { max { ${field} } count { ${field} } } }`,
      `{ ${name}_aggregated(groupBy: ["${field}"]) { group countAll } }`,
    ]) {
      const { text, status } = await api.graphql(document, {}, system);
      expect([document, status < 500, text.includes(hidden)]).toEqual([document, true, false]);
    }
  });

  it('A19: what hangs on activity, items and users is not a way around it', async () => {
    const { api } = await reader();
    const answers = [
      await api.get('/activity?fields=*,revisions.*&limit=-1'),
      await api.get('/activity?fields=*.*.*&limit=-1'),
      await api.get('/revisions?fields=*.*.*&limit=-1'),
      await api.get('/versions?fields=*.*.*'),
      await api.get('/activity?fields=id&filter[revisions][data][_contains]=4711'),
      await api.get('/activity?fields=id&deep[revisions][_filter][data][_contains]=4711&fields=revisions.id'),
      await api.get('/revisions?export=json&limit=-1'),
      await api.get('/revisions?export=csv&limit=-1&fields=*,parent.*,version.*'),
      await api.graphql('{ activity(limit: -1) { id item revisions { data delta } } }', {}, system),
      await api.graphql('{ revisions(limit: -1) { data delta version { delta hash } parent { data } } }', {}, system),
    ];
    for (const [index, { status, text }] of answers.entries())
      expect([index, status < 500, text.includes(hidden)]).toEqual([index, true, false]);
    // There is something to be seen: keys, names and moments of what was done, and the documents of collections that are read whole.
    expect(answers[0]?.body.data.length).toBeGreaterThan(5);
    const whole = await makePerson(world, [
      { permissions: [may('read', 'service_revisions'), may('read', 'books'), may('read', 'authors')] },
    ]);
    expect((await whole.api.get('/revisions?fields=data&limit=-1')).text).toContain(hidden);
    // Raw changes of a version may name anything that is related.
    expect((await whole.api.get('/revisions?fields=data&filter[version][_nnull]=true')).text).not.toContain(hidden);
  });

  it('A19: without a right to them there is nothing, for the public, app users and holders of shares', async () => {
    const app = await makePerson(world, [{ app_access: true, permissions: [may('read', 'books'), may('share', 'books')] }]);
    const { id: share } = (await expectOk(world.api.post('/shares', { collection: 'books', item: '1', role: null }))).body.data;
    const { access_token } = (await expectOk(world.as(null).post('/shares/auth', { share }))).body.data;
    for (const api of [world.as(null), app.api, world.as(access_token)]) {
      for (const path of ['/revisions', '/versions', '/items/service_revisions', '/revisions/1', '/revisions?aggregate[count]=*'])
        expect([path, codeOf(await api.get(path))]).toEqual([path, '403 FORBIDDEN']);
      expect((await api.get('/activity?fields=*.*.*')).text).not.toContain(hidden);
      expect((await api.graphql('{ revisions { data } versions { delta } }', {}, system)).text).not.toContain(hidden);
    }
  });

  it('A19: neither failures nor secrets are recorded', async () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const guarded = await makePerson(world, [], { tfa_secret: secret });
    const suspended = await makePerson(world, [], { status: 'suspended' });
    const login = (email: string, password: string, more: object = {}) => world.as(null).post('/auth/login', { email, password, ...more });
    const wrong = 'wrong-password-4712';
    for (const attempt of [
      () => login(adminEmail, wrong),
      () => login('nobody@example.com', wrong),
      () => login(suspended.email, wrong),
      () => login(suspended.email, suspended.password),
      () => login(guarded.email, guarded.password, { otp: '000000' }),
      () => login(guarded.email, guarded.password),
      () => world.as(null).post('/auth/password/reset', { token: 'token-4712', password: wrong }),
      () => world.as(null).post('/shares/auth', { share: '00000000-0000-4000-8000-000000004712', password: wrong }),
      () => world.api.post('/items/books', { id: 1, title: 'unique-4712', pin: 'pin-4712' }),
      () => world.api.patch('/items/books/1', { title: 'x'.repeat(51), pin: 'pin-4712' }),
      () =>
        world.api.patch('/items/books', [
          { id: 1, pin: 'pin-4712' },
          { id: 4711, pin: 'pin-4712' },
        ]),
      () => world.api.post('/users', { email: adminEmail, password: 'password-4712', token: 'token-4712' }),
      () => world.api.post('/utils/import?mode=merge', [{ collection: 'books', items: [{ id: 1, pin: 'pin-4712', slug: 's2' }] }]),
      () => world.api.post('/batch', { operations: [{ method: 'PATCH', path: '/items/books/1', body: { pin: 'pin-4712', slug: 's3' } }] }),
    ])
      expect((await attempt()).status).toBeGreaterThanOrEqual(400);
    // What succeeds is recorded, and its secrets are not.
    expect((await login(guarded.email, guarded.password, { otp: authenticator.generate(secret) })).status).toBe(200);
    await expectOk(world.api.patch('/items/books/1', { pin: 'pin-4712' }));
    await expectOk(world.api.patch(`/users/${guarded.id}`, { password: 'password-4712', token: 'token-4712' }));
    await expectOk(world.api.post('/shares', { collection: 'books', item: '1', password: 'password-4712' }));
    const stored = JSON.stringify([
      await world.sql('select * from service_activity'),
      await world.sql('select * from service_revisions'),
      await world.sql('select * from service_versions'),
    ]);
    // Never the number alone: the id of a row may have it.
    const sent = ['unique-4712', 'pin-4712', 'token-4712', 'password-4712', '000000004712'];
    for (const text of [...sent, wrong, secret, guarded.password, suspended.password, '$argon2'])
      expect([text, stored.includes(text)]).toEqual([text, false]);
  });

  it('A19: a field that becomes secret is secret in what was kept of it, too', async () => {
    const integerKey = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };
    const fields = [integerKey, { field: 'plain', type: 'string' }, { field: 'other', type: 'string' }];
    await expectOk(world.api.post('/collections', { collection: 'keys', schema: {}, meta: { versioning: true }, fields }));
    const { id } = (await expectOk(world.api.post('/items/keys', { plain: 'once-clear', other: 'shown' }))).body.data;
    await expectOk(world.api.patch(`/items/keys/${id}`, { plain: 'twice-clear' }));
    const made = await expectOk(world.api.post('/versions', { collection: 'keys', item: String(id), key: 'draft', name: 'draft' }));
    const version = made.body.data.id;
    await expectOk(world.api.post(`/versions/${version}/save`, { plain: 'thrice-clear', other: 'saved' }));
    await expectOk(world.api.patch('/fields/keys/plain', { meta: { special: ['conceal'] } }));
    const { api } = await makePerson(world, [
      { permissions: [may('read', 'keys'), may('read', 'service_revisions'), may('read', 'service_versions')] },
    ]);
    for (const each of [api, world.api]) {
      for (const path of ['/revisions?limit=-1', '/versions?fields=*', `/items/keys/${id}?version=draft`, `/versions/${version}/compare`]) {
        const { status, text } = await each.get(path);
        expect([path, status, /(once|twice|thrice)-clear/.exec(text)]).toEqual([path, 200, null]);
      }
    }
    const answer = await world.api.get(`/revisions?filter[collection][_eq]=keys&sort=id&fields=data,delta`);
    expect(answer.body.data).toEqual([
      { data: { plain: '**********', other: 'shown' }, delta: { plain: '**********', other: 'shown' } },
      { data: { id, plain: '**********', other: 'shown' }, delta: { plain: '**********' } },
      expect.objectContaining({ delta: expect.objectContaining({ other: 'saved' }) }),
    ]);
  });
});

describeEachVendor('rights to a version', (vendor) => {
  let world: VersionWorld;
  let version: string;
  let mainHash: string;

  beforeAll(async () => {
    world = await startVersionWorld(vendor, 'sec_versions');
    version = await world.draft(1);
    await expectOk(world.api.post(`/versions/${version}/save`, { title: 'by the administrator' }));
    mainHash = (await expectOk(world.api.get(`/versions/${version}/compare`))).body.data.mainHash;
  });
  afterAll(() => world.stop());

  const every: readonly PermissionSpec[] = [
    may('read', 'service_versions'),
    may('update', 'service_versions'),
    may('read', 'books'),
    may('update', 'books'),
  ];
  const without = (action: string, collection: string, instead: readonly PermissionSpec[] = []): readonly PermissionSpec[] => [
    ...every.filter((right) => right.action !== action || right.collection !== collection),
    ...instead,
  ];
  const elsewhere = { permissions: { id: { _neq: 1 } } };

  /** By what is missing: whose rights these are, and what is refused for it. */
  const lacking: Readonly<Record<string, readonly [readonly PermissionSpec[], readonly ('save' | 'compare' | 'promote')[]]>> = {
    'any right': [[], ['save', 'compare', 'promote']],
    'reading versions': [without('read', 'service_versions'), ['save', 'compare', 'promote']],
    'reading this version': [
      without('read', 'service_versions', [may('read', 'service_versions', { permissions: { key: { _neq: 'draft' } } })]),
      ['save', 'compare', 'promote'],
    ],
    'changing versions': [without('update', 'service_versions'), ['save']],
    'changing this version': [
      without('update', 'service_versions', [may('update', 'service_versions', { permissions: { key: { _neq: 'draft' } } })]),
      ['save'],
    ],
    'reading items': [without('read', 'books'), ['compare', 'promote']],
    'reading this item': [without('read', 'books', [may('read', 'books', elsewhere)]), ['compare', 'promote']],
    'changing items': [without('update', 'books'), ['save', 'promote']],
    'changing this item': [without('update', 'books', [may('update', 'books', elsewhere)]), ['save', 'promote']],
    'changing this field': [without('update', 'books', [may('update', 'books', { fields: ['pages'] })]), ['save', 'promote']],
    'the value they ask for': [without('update', 'books', [may('update', 'books', { validation: { title: { _eq: 'allowed' } } })]), []],
  };

  const operations = (api: Api, id: string): Readonly<Record<'save' | 'compare' | 'promote', readonly (() => Promise<Answer>)[]>> => ({
    save: [
      () => api.post(`/versions/${id}/save`, { title: 'x' }),
      () => api.graphql('mutation($id: ID!, $data: JSON!) { versions_save(id: $id, data: $data) }', { id, data: { title: 'x' } }, system),
    ],
    compare: [() => api.get(`/versions/${id}/compare`), () => api.graphql('query($id: ID!) { versions_compare(id: $id) }', { id }, system)],
    promote: [
      () => api.post(`/versions/${id}/promote`, { mainHash }),
      () =>
        api.graphql('mutation($id: ID!, $hash: String!) { versions_promote(id: $id, mainHash: $hash) }', { id, hash: mainHash }, system),
    ],
  });
  const refusalOf = ({ body }: Answer): unknown => body?.errors?.[0]?.extensions.code;

  it.each(Object.entries(lacking))('A20: without %s', async (name, [permissions, refused]) => {
    // A version that its caller may not read is refused like one that does not exist.
    const isHidden = /^(any right|reading (this )?versions?)$/.test(name);
    const { api } = await makePerson(world, [{ permissions }]);
    await expectUnchanged(world, async () => {
      for (const operation of refused) {
        const missing = operations(api, '00000000-0000-4000-8000-000000000000')[operation];
        for (const [door, ask] of operations(api, version)[operation].entries()) {
          const answer = await ask();
          // A document cannot even name what its caller may not do at all.
          expect([operation, door, refusalOf(answer)]).toEqual([
            operation,
            door,
            expect.stringMatching(/^(FORBIDDEN|GRAPHQL_VALIDATION)$/),
          ]);
          if (isHidden) expect([operation, door, answer.text]).toEqual([operation, door, (await missing[door]?.())?.text]);
        }
      }
    });
  });

  it('A20: a value that the author may not write is neither saved nor promoted', async () => {
    const [permissions] = lacking['the value they ask for'] ?? [[]];
    const { api } = await makePerson(world, [{ permissions }]);
    await expectUnchanged(world, async () => {
      for (const ask of [...operations(api, version).save, ...operations(api, version).promote])
        expect(refusalOf(await ask())).toBe('FAILED_VALIDATION');
    });
  });

  it('A20: the public and holders of shares have no versions', async () => {
    const { id: share } = (await expectOk(world.api.post('/shares', { collection: 'books', item: '1' }))).body.data;
    const { access_token } = (await expectOk(world.as(null).post('/shares/auth', { share }))).body.data;
    await expectUnchanged(world, async () => {
      for (const api of [world.as(null), world.as(access_token)])
        for (const ask of Object.values(operations(api, version)).flat())
          expect(refusalOf(await ask())).toMatch(/^(FORBIDDEN|GRAPHQL_VALIDATION)$/);
    });
  });

  describe('with all of them', () => {
    it('A20: a version is compared, saved and promoted', async () => {
      const { api } = await makePerson(world, [{ permissions: every }]);
      for (const operation of ['compare', 'save', 'promote'] as const) {
        const [rest, document] = operations(api, version)[operation];
        expect([operation, (await rest?.())?.status]).toEqual([operation, 200]);
        if (operation !== 'promote') expect([operation, (await document?.())?.body.errors]).toEqual([operation, undefined]);
      }
    });
  });
});
