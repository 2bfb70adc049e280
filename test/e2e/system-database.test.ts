// The tables of the service in a database of their own (SYSTEM_DATABASE_URL): the data are served where they are, and nothing but read.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { type Answer, type Api, makeApi } from '../harness/api.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { makeUser } from '../harness/make-user.js';
import { patientConfig } from '../harness/patience.js';
import { openAs } from '../harness/socket-client.js';
import { adminEmail, adminPassword, adminToken } from '../harness/start-service.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

const author = '11111111-2222-3333-4444-555555555555';

/** `notes` point at a table of the service that an earlier installation left in the data. */
const fixture = `
create table service_users (id char(36) primary key, email varchar(50));
insert into service_users values ('${author}', 'left@example.com');
create table shops (id integer primary key, name varchar(50) not null);
insert into shops values (1, 'North'), (2, 'South');
create table books (id integer primary key, title varchar(50), price decimal(10, 2), made timestamp null, shop_id integer references shops (id), author char(36));
alter_books
insert into books values (1, 'Apples', 12.50, '2024-02-29 12:30:00', 1, '${author}'), (2, 'Pears', 7.00, null, 2, null), (3, 'Plums', 20.00, null, null, null);
create table notes (id integer primary key, author char(36) references service_users (id), text varchar(50));
insert into notes values (1, '${author}', 'n');
create view cheap as select id, title from books where price < 10;`;

const fixtureOf = ({ name }: Vendor): string =>
  fixture.replace('alter_books', name === 'mysql' ? 'alter table books add foreign key (shop_id) references shops (id);' : '');

/** A user who may do nothing but read. */
const readers = {
  postgres: (user: string, _database: string) => ({
    make: [`create role ${user} login password 'secret'`, `grant select on all tables in schema public to ${user}`],
    drop: [`drop owned by ${user}`, `drop role ${user}`],
  }),
  mysql: (user: string, database: string) => ({
    make: [`create user ${user}@'%' identified by 'secret'`, `grant select on \`${database}\`.* to ${user}@'%'`],
    drop: [`drop user ${user}@'%'`],
  }),
} as const;

const errorOf = ({ status, body }: Answer): readonly unknown[] => [status, body.errors[0].extensions.code, body.errors[0].message];

const vendors = inject('vendors');
const sqlite = vendors.find(({ name }) => name === 'sqlite');

for (const data of vendors) {
  for (const system of new Set([data, ...(sqlite === undefined ? [] : [sqlite])])) {
    describe(`data in ${data.name}, the service in ${system.name}`, () => describePair(data, system));
  }
}

function describePair(dataVendor: Vendor, systemVendor: Vendor): void {
  let data: TestDatabase | null = null;
  let system: TestDatabase | null = null;
  let direct: DirectAccess | null = null;
  let own: DirectAccess | null = null;
  let service: Service;
  let url: string;
  let api: Api;
  let as: (token: string | null) => Api;
  let before: unknown;
  const user = `tain_test_${randomBytes(4).toString('hex')}`;
  const run = async (what: 'make' | 'drop'): Promise<void> => {
    if (dataVendor.name === 'sqlite' || data === null) return;
    for (const statement of readers[dataVendor.name](user, new URL(data.url).pathname.slice(1))[what]) await direct?.sql(statement);
  };
  const readerUrl = (address: string): string =>
    dataVendor.name === 'sqlite' ? address : Object.assign(new URL(address), { username: user, password: 'secret' }).href;
  const dataSums = (): Promise<unknown> => (direct as DirectAccess).checksums();

  beforeAll(async () => {
    data = await createDatabase(dataVendor, 'mirrored');
    system = await createDatabase(systemVendor, 'system');
    direct = await openDirectAccess(dataVendor, data.url);
    await direct.sql(fixtureOf(dataVendor));
    await run('make');
    before = await dataSums();
    service = await createService({
      ...patientConfig,
      databaseUrl: readerUrl(data.url),
      systemDatabaseUrl: system.url,
      port: 0,
      logLevel: 'error',
      rateLimit: null,
      adminEmail,
      adminPassword,
      adminToken,
    });
    url = await service.listen();
    await service.ready();
    own = await openDirectAccess(systemVendor, system.url);
    as = (token) => makeApi(url, token);
    api = as(adminToken);
  });
  afterAll(async () => {
    await service?.close();
    await run('drop');
    await direct?.close();
    await own?.close();
    await data?.drop();
    await system?.drop();
  });

  it('reads the data, related items included, by both doors', async () => {
    const query = 'fields=title,price,made,shop_id.name&filter[shop_id][name][_in]=North,South&sort=-price&meta=filter_count';
    const items = [
      { title: 'Apples', price: expect.anything(), made: expect.stringContaining('2024-02-29T12:30:00'), shop_id: { name: 'North' } },
      { title: 'Pears', price: expect.anything(), made: null, shop_id: { name: 'South' } },
    ];
    const rest = await api.get(`/items/books?${query}`);
    expect(rest.body).toEqual({ data: items, meta: { filter_count: 2 } });
    const asked = '{ books(filter: {shop_id: {name: {_in: ["North", "South"]}}}, sort: ["-price"]) { title price made shop_id { name } } }';
    expect((await api.graphql(asked)).body.data.books).toEqual(items);
    expect((await api.get('/items/shops/1?fields=name,books.title')).body.data).toEqual({ name: 'North', books: [{ title: 'Apples' }] });
    expect((await api.get('/items/books?aggregate[sum]=price&groupBy=shop_id&limit=1&sort=shop_id')).status).toBe(200);
    expect((await api.get('/items/books?search=pea')).body.data).toMatchObject([{ id: 2 }]);
    expect((await api.get('/items/cheap')).body.data).toEqual([{ id: 2, title: 'Pears' }]);
    expect((await api.get('/items/books?limit=-1&export=csv&fields=id,title')).text).toContain('Plums');
  });

  it('reads with the rules of a policy, whose values come from the other database', async () => {
    const { token } = await makeUser(api, 'Apples', [
      { collection: 'books', action: 'read', permissions: { title: { _eq: '$CURRENT_USER.first_name' } }, fields: ['id', 'title'] },
      { collection: 'books', action: 'update' },
    ]);
    const me = as(token);
    const { id } = (await me.get('/users/me?fields=id')).body.data;
    expect((await api.patch(`/users/${id}`, { first_name: 'Apples' })).status).toBe(200);
    expect((await me.get('/items/books')).body.data).toEqual([{ id: 1, title: 'Apples' }]);
    expect((await me.graphql('{ books { title } }')).body.data).toEqual({ books: [{ title: 'Apples' }] });
    expect((await me.get('/items/shops')).status).toBe(403);
  });

  it('refuses writes in words, by both doors, and says so beforehand', async () => {
    const reason = 'read only: its database is only read, since SYSTEM_DATABASE_URL names another one for the service';
    const answers = [
      await api.post('/items/books', { id: 4, title: 'Nuts' }),
      await api.patch('/items/books/1', { title: 'Nuts' }),
      await api.patch('/items/books/1', { title: 'Nuts' }, { 'if-match': '*' }),
      await api.delete('/items/books/1'),
      await api.post('/batch', { operations: [{ method: 'PATCH', path: '/items/books/1', body: { title: 'Nuts' } }] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(answers.slice(0, 4).map((answer) => errorOf(answer)[2])).toEqual(
      answers.slice(0, 4).map(() => `Collection "books" is ${reason}.`),
    );
    expect((await api.get('/collections/books')).body.data.schema.read_only).toBe(reason);
    const { body } = await api.graphql('{ __schema { mutationType { fields { name } } } }');
    expect(body.data?.__schema.mutationType?.fields ?? []).not.toContainEqual({ name: 'create_books_item' });
    expect(await dataSums()).toEqual(before);
  });

  it('has no relation that leads from one database into the other', async () => {
    expect((await api.get('/items/notes?fields=*,author.email')).status).toBe(403);
    expect((await api.get('/items/notes')).body.data).toEqual([{ id: 1, author, text: 'n' }]);
    expect((await api.get('/fields/notes/author')).body.data.schema.foreign_key_table).toBeNull();
    const stated = await api.post('/relations', {
      collection: 'books',
      field: 'author',
      related_collection: 'service_users',
      schema: null,
      meta: {},
    });
    expect(errorOf(stated)).toEqual([400, 'INVALID_PAYLOAD', expect.stringContaining('another database')]);
    expect((await api.get('/relations/books')).body.data.map(({ field }: { field: string }) => field)).toEqual(['shop_id']);
  });

  it('changes metadata, and no structure of the data', async () => {
    expect((await api.patch('/collections/books', { meta: { note: 'All of them', singleton: false } })).status).toBe(200);
    expect((await api.patch('/fields/books/author', { meta: { special: ['user-created'], note: 'Who' } })).status).toBe(200);
    expect((await api.get('/items/books/1?fields=author')).body.data).toEqual({ author });
    const refused = [
      await api.post('/fields/books', { field: 'pages', type: 'integer' }),
      await api.patch('/fields/books/title', { schema: { max_length: 200 } }),
      await api.delete('/fields/books/title'),
      await api.delete('/collections/books'),
      await api.post('/collections', {
        collection: 'authors',
        schema: {},
        fields: [{ field: 'id', type: 'integer', schema: { is_primary_key: true } }],
      }),
    ];
    expect(refused.map((answer) => errorOf(answer).slice(0, 2))).toEqual(refused.map(() => [403, 'FORBIDDEN']));
    expect(errorOf(refused[0] as Answer)[2]).toContain('SYSTEM_DATABASE_URL');
    expect(await dataSums()).toEqual(before);
  });

  it('keeps everything of its own in the other database', async () => {
    expect((await api.post('/auth/login', { email: adminEmail, password: adminPassword })).status).toBe(200);
    expect((await api.post('/roles', { name: 'Readers' })).status).toBe(200);
    expect((await api.get('/activity?filter[collection][_eq]=service_roles&fields=action')).body.data).not.toEqual([]);
    const tables = (await (own as DirectAccess).tables()).map((table) => table.split('.').at(-1));
    expect(tables.filter((table) => table?.startsWith('service_') !== true)).toEqual([]);
    expect(await (direct as DirectAccess).tables()).toEqual(['books', 'notes', 'service_users', 'shops']);
    expect(await dataSums()).toEqual(before);
    const health = await api.get('/server/health');
    const names = Object.keys(health.body.checks).filter((name) => name.endsWith(':responseTime'));
    expect([health.body.status, names.sort()]).toEqual([
      expect.stringMatching(/ok|warn/),
      [...new Set([`${dataVendor.name}:responseTime`, `${systemVendor.name}:responseTime`])].sort(),
    ]);
  });

  it('reports to subscribers what others write into the data', async () => {
    const client = await openAs(url, adminToken);
    await client.ask({ type: 'subscribe', collection: 'shops', uid: 'shops' });
    await (direct as DirectAccess).sql("insert into shops values (9, 'West')");
    expect(await client.next(({ event }) => event === 'create')).toMatchObject({ data: [{ id: 9, name: 'West' }] });
    await (direct as DirectAccess).sql('delete from shops where id = 9');
    expect(await client.next(({ event }) => event === 'delete')).toMatchObject({ data: [9] });
    client.close();
  });

  it('sees what others change in the structure of the data', async () => {
    await (direct as DirectAccess).sql('create table later (id integer primary key, title varchar(20))');
    if (dataVendor.name === 'postgres') await (direct as DirectAccess).sql(`grant select on later to ${user}`);
    await expect.poll(async () => (await api.get('/items/later')).status, { timeout: 60_000 }).toBe(200);
  });
}
