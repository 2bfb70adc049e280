// A user of the database with as few rights as can be: what is missing for the service's own tables is printed at the start as statements to
// run, data that may only be read is served for reading, and a right that is missing later is no fault of ours.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { type Answer, type Api, makeApi } from '../harness/api.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { patientConfig } from '../harness/patience.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

const token = 'least-rights-admin-token';
const password = 'correct-horse-battery';

/** What an administrator does on each vendor. */
const administration = {
  postgres: {
    systemSchema: 'tain',
    makeUser: (user: string) => [`create role ${user} login password 'secret'`, `grant select on all tables in schema public to ${user}`],
    expected: (user: string, _database: string) => [`CREATE SCHEMA tain AUTHORIZATION ${user};`],
    takeRight: (user: string) => [`revoke insert on tain.service_roles from ${user}`],
    missed: (user: string, _database: string) => [`GRANT INSERT ON tain.service_roles TO ${user};`],
    /** Leaves no right to the data but to read it. */
    narrow: (_user: string, _database: string, _tables: readonly string[]): readonly string[] => [],
    hide: (user: string) => `revoke select on books from ${user}`,
    dropUser: (user: string) => [`drop owned by ${user}`, `drop role ${user}`],
  },
  mysql: {
    systemSchema: null,
    makeUser: (user: string, database: string) => [
      `create user ${user}@'%' identified by 'secret'`,
      `grant select on \`${database}\`.* to ${user}@'%'`,
    ],
    expected: (user: string, database: string) =>
      ['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'INDEX', 'REFERENCES'].map(
        (right) => `GRANT ${right} ON \`${database}\`.* TO '${user}'@'%';`,
      ),
    takeRight: (user: string, database: string) => [`revoke insert on \`${database}\`.\`service_roles\` from ${user}@'%'`],
    missed: (user: string, database: string) => [`GRANT INSERT ON \`${database}\`.\`service_roles\` TO '${user}'@'%';`],
    narrow: (user: string, database: string, tables: readonly string[]) => [
      `revoke all privileges on \`${database}\`.* from ${user}@'%'`,
      `grant select on \`${database}\`.books to ${user}@'%'`,
      ...tables.map((table) => `grant select, insert, update, delete on \`${database}\`.\`${table}\` to ${user}@'%'`),
    ],
    hide: (user: string, database: string) => `revoke select on \`${database}\`.books from ${user}@'%'`,
    dropUser: (user: string) => [`drop user ${user}@'%'`],
  },
} as const;

const errorOf = ({ status, body }: Answer): readonly unknown[] => [status, body.errors[0].extensions.code, body.errors[0].message];

for (const vendor of inject('vendors')) {
  if (vendor.name === 'sqlite') continue;
  const { name } = vendor;
  describe(`a user with few rights (${name})`, () => describeFewRights(vendor, administration[name]));
}

function describeFewRights(vendor: Vendor, rules: (typeof administration)[keyof typeof administration]): void {
  const user = `tain_test_${randomBytes(4).toString('hex')}`;
  const { systemSchema, makeUser, expected, takeRight, missed, narrow, hide, dropUser } = rules;
  let database: TestDatabase;
  let direct: DirectAccess;
  let service: Service | null = null;
  let api: Api;
  const databaseName = (): string => new URL(database.url).pathname.slice(1);

  const runAll = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await direct.sql(statement.replace(/;$/, ''));
  };
  const start = async (): Promise<void> => {
    const url = new URL(database.url);
    url.username = user;
    url.password = 'secret';
    const started = await createService({
      databaseUrl: url.href,
      systemSchema,
      port: 0,
      logLevel: 'silent',
      adminToken: token,
      adminPassword: password,
      rateLimit: null,
      ...patientConfig,
    });
    try {
      const address = await started.listen();
      await started.ready();
      service = started;
      api = makeApi(address, token);
    } catch (error) {
      await started.close();
      throw error;
    }
  };
  const stop = async (): Promise<void> => {
    await service?.close();
    service = null;
  };
  const linesOfFailure = async (): Promise<readonly string[]> => {
    const message = await start().then(
      () => '',
      (error: Error) => error.message,
    );
    return message.split('\n').slice(1);
  };

  beforeAll(async () => {
    database = await createDatabase(vendor, 'rights');
    direct = await openDirectAccess(vendor, database.url);
    await runAll(['create table books (id integer primary key, title varchar(50))', "insert into books values (1, 'a')"]);
    await runAll(makeUser(user, databaseName()));
  });
  afterAll(async () => {
    await stop();
    await runAll(dropUser(user));
    await direct.close();
    await database.drop();
  });

  it('gets at the start the statements that grant what is missing, and starts after them', async () => {
    const lines = await linesOfFailure();
    expect(lines).toEqual(expected(user, databaseName()));
    await runAll(lines);
    await start();
    await stop();
    const tables = (await direct.tables()).map((table) => table.split('.').at(-1) ?? table);
    await runAll(
      narrow(
        user,
        databaseName(),
        tables.filter((table) => table.startsWith('service_')),
      ),
    );
    await runAll(takeRight(user, databaseName()));
    const missing = await linesOfFailure();
    expect(missing).toEqual(missed(user, databaseName()));
    await runAll(missing);
    await start();
  });

  it('is served what it may read', async () => {
    expect((await api.get('/items/books?filter[title][_eq]=a')).body.data).toEqual([{ id: 1, title: 'a' }]);
    expect((await api.graphql('{ books { title } }')).body.data).toEqual({ books: [{ title: 'a' }] });
    expect((await api.post('/auth/login', { email: 'admin@example.com', password })).status).toBe(200);
    expect((await api.post('/roles', { name: 'Readers' })).status).toBe(200);
  });

  it('is refused in words what it may not write', async () => {
    const mutation = await api.graphql('mutation { update_books_item(id: 1, data: { title: "b" }) { id } }');
    const answers = [
      await api.post('/items/books', { id: 2, title: 'b' }),
      await api.patch('/items/books/1', { title: 'b' }),
      await api.delete('/items/books/1'),
      await api.post('/items/books', { title: 'b', id: 3 }),
    ];
    const words = 'The database does not let this service write to collection "books". Nothing was changed.';
    expect(answers.map(errorOf)).toEqual(answers.map(() => [403, 'FORBIDDEN', words]));
    expect([mutation.body.errors[0].extensions.code, mutation.body.errors[0].message]).toEqual(['FORBIDDEN', words]);
    const structure = [
      await api.post('/fields/books', { field: 'pages', type: 'integer' }),
      await api.post('/collections', { collection: 'authors', schema: {} }),
      await api.delete('/collections/books'),
    ];
    expect(structure.map((answer) => errorOf(answer).slice(0, 2))).toEqual(structure.map(() => [403, 'FORBIDDEN']));
    expect(await direct.sql('select * from books')).toEqual([{ id: 1, title: 'a' }]);
    expect((await api.get('/activity?filter[collection][_eq]=books')).body.data).toEqual([]);
  });

  it('that loses the right to read is answered without a fault', async () => {
    await direct.sql(hide(user, databaseName()));
    const answer = await api.get('/items/books');
    expect([403, 503]).toContain(answer.status);
  });
}
