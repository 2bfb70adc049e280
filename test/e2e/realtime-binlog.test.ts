// The binary log of MariaDB, or of MySQL where the tests run on it, as the source of changes: what any program commits is reported soon and exactly, and without the log everything works as
// before. Runs on servers of its own.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isRefusal, type LoggedChange, type OpenLog } from '../../src/core/vendor/change-log.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { openMysql } from '../../src/dialects/mysql/index.js';
import { createService } from '../../src/tain.js';
import { makeApi } from '../harness/api.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { testLoggedWrites } from '../harness/logged-writes.js';
import { patience, patientConfig, patientDeadlines } from '../harness/patience.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import { hasServerPrograms, makeServer, type ThrowAwayServer } from '../harness/throw-away-server.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

const isMysql = process.env['TEST_MYSQLD'] !== undefined;
/** A log of MySQL is read if transactions have names, which they have by default since 9.x. */
const named = isMysql ? ['--gtid-mode=ON', '--enforce-gtid-consistency=ON'] : [];

const fixture = `
  create table notes (id integer primary key, title varchar(50), owner varchar(50));
  create table words (word ${isMysql ? 'char(36) primary key default (uuid())' : 'uuid primary key default uuid()'}, text longtext, at datetime(3) default now(3), body blob, n decimal(20, 7));
  create table pairs (a smallint, b varchar(300), n integer, primary key (a, b)) default charset utf8mb4;
  create table days (n bit(11), kind enum('x', 'y'), day date primary key, flags set('p', 'q'), at timestamp(6) null, took time(2), f float, d double);
  create table large (json json, id bigint unsigned primary key, y year, place point);
  create table small (c char(5) character set latin1, t tinyint primary key, m mediumint);
  create table codes (code char(70) primary key, n integer) default charset utf8mb4;
  create table amounts (amount decimal(12, 2) primary key, n integer);
  create table bytes (bytes binary(4) primary key, n integer);
  create table keyless (n integer);
  create table authors (id integer primary key, name varchar(50));
  create table books (id integer primary key, author integer, title varchar(50),
    foreign key (author) references authors (id) on delete cascade on update cascade);
  create table pages (id integer primary key, book integer, foreign key (book) references books (id) on delete cascade);
  insert into notes values (1, 'one', 'ann'), (2, 'two', 'bob');
  insert into authors values (1, 'Ada'), (2, 'Bea'); insert into books values (1, 1, 'A'), (2, 2, 'B'); insert into pages values (1, 1), (2, 2);
  insert into keyless values (1)`;

/** A statement that makes one item, what the item has, and its key in the log; null: unknown. */
const samples = [
  [
    'words',
    "insert into words (word, text, n) values ('0190163d-8694-739b-aea5-966c26f8ad00', repeat('long ', 9000), 1.5)",
    {},
    '0190163d-8694-739b-aea5-966c26f8ad00',
  ],
  [
    'words',
    "insert into words (word, text, body) values ('0190163d-8694-439b-aea5-966c26f8ad91', 'new', x'00ff')",
    { text: 'new' },
    '0190163d-8694-439b-aea5-966c26f8ad91',
  ],
  [
    'words',
    "insert into words (word, text) values ('00000000-0000-0000-0000-000000000000', 'none')",
    { text: 'none' },
    isMysql ? '00000000-0000-0000-0000-000000000000' : null,
  ],
  ['pairs', "insert into pairs values (-1, 'b,ç', 5)", { a: -1, b: 'b,ç', n: 5 }, [-1, 'b,ç']],
  ['days', "insert into days values (5, 'y', '2026-01-02', 'p,q', now(), '10:00', 1, 2)", { day: '2026-01-02' }, '2026-01-02'],
  [
    'large',
    "insert into large values ('{}', 18446744073709551615, 2026, point(1, 2))",
    { id: '18446744073709551615' },
    '18446744073709551615',
  ],
  ['small', "insert into small values ('abc', -5, -70000)", { t: -5, m: -70000 }, -5],
  ['codes', "insert into codes values ('xyz', 4)", { code: 'xyz', n: 4 }, 'xyz'],
  ['amounts', 'insert into amounts values (12.50, 4)', { n: 4 }, null],
  ['bytes', "insert into bytes values (x'00010203', 4)", { n: 4 }, null],
] as const;
const keysOf = {
  words: ['word'],
  pairs: ['a', 'b'],
  days: ['day'],
  large: ['id'],
  small: ['t'],
  codes: ['code'],
  amounts: ['amount'],
  bytes: ['bytes'],
};
const waiting = { timeout: patience, interval: 5 };
const source = 'by the binary log';

describe.runIf(hasServerPrograms('mysql'))('the binary log as the source of changes', () => {
  let server: ThrowAwayServer;
  let service: TestService;
  const open: SocketClient[] = [];

  const healthOf = async ({ api }: Pick<TestService, 'api'> = service): Promise<string> =>
    (await api.get('/server/health')).body.checks['realtime:connections'][0].output;
  const follow = async (collection: string, token = adminToken, fields: readonly string[] = ['*']): Promise<SocketClient> => {
    const client = await openAs(service.url, token);
    open.push(client);
    await client.ask({ type: 'subscribe', collection, uid: collection, query: { fields, limit: -1 } });
    await expect.poll(() => healthOf(), waiting).toContain(source);
    return client;
  };
  /** A second service on the database, with its own settings. */
  const another = async (databaseUrl: string) => {
    const other = await createService({ databaseUrl, port: 0, logLevel: 'silent', rateLimit: null, ...patientConfig });
    const url = await other.listen();
    await other.ready();
    const client = await openAs(url, adminToken);
    await client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes' });
    const api = makeApi(url, adminToken);
    const stop = async (): Promise<void> => {
      client.close();
      await other.close();
    };
    return { client, api, stop, health: () => healthOf({ api }) };
  };

  beforeAll(async () => {
    server = await makeServer('mysql', ['--log-bin=changes', '--binlog-format=ROW', '--server-id=7', ...named]);
    await server.start();
    service = await startService(server.vendor, { area: 'binlog', fixture });
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await service?.stop();
    await server?.remove();
  });

  testLoggedWrites({
    service: () => service,
    follow,
    thousands:
      "(select n + 999 as n from json_table(concat('[0', repeat(',0', 25000), ']'), '$[*]' columns(n for ordinality)) as j) as numbers",
  });

  it.each(['FULL', 'MINIMAL', 'NOBLOB'])('keys of every kind, with row images that are %s', async (image) => {
    await service.sql(`set session binlog_row_image = ${image}`);
    for (const [collection, statement, item] of samples) {
      const client = await follow(collection);
      const from = client.messages.length;
      await service.sql(statement);
      expect(await client.next(({ event }) => event === 'create', from)).toMatchObject({ data: [item] });
      await service.sql(`delete from ${collection}`);
      await client.next(({ event, data }) => event === 'delete' && data.length === 1, from);
    }
    await service.sql('set session binlog_row_image = FULL');
  });

  it('what foreign keys do is reported, though it is not in the log', async () => {
    const books = await follow('books');
    const pages = await follow('pages');
    const [fromBooks, fromPages] = [books.messages.length, pages.messages.length];
    await service.sql('update authors set id = 3 where id = 2');
    expect(await books.next(({ event }) => event === 'update', fromBooks)).toMatchObject({ data: [{ id: 2, author: 3 }] });
    await service.sql('delete from authors where id = 3');
    expect(await books.next(({ event }) => event === 'delete', fromBooks)).toMatchObject({ data: [2] });
    expect(await pages.next(({ event }) => event === 'delete', fromPages)).toMatchObject({ data: [2] });
    expect((await service.api.delete('/items/authors/1')).status).toBe(204);
    expect(await pages.next(({ data }) => data?.[0] === 1, fromPages)).toMatchObject({ event: 'delete' });
  });

  it('continues after a change of structure, also of the place of the key', async () => {
    const client = await follow('notes');
    const from = client.messages.length;
    await service.sql('alter table notes add column number integer not null default 77 first');
    await service.sql("update notes set title = 'after the change' where id = 1");
    await client.next(({ data }) => data?.[0]?.title === 'after the change', from);
    await expect.poll(() => healthOf(), waiting).toContain(source);
    await service.sql("update notes set title = 'later' where id = 1");
    await client.next(({ data }) => data?.[0]?.title === 'later', from);
    await service.sql('alter table notes drop column number');
    await service.sql("update notes set title = 'last' where id = 1");
    await client.next(({ data }) => data?.[0]?.title === 'last', from);
  });

  it('statements in the log, and prepared transactions, are noticed too', async () => {
    const client = await follow('notes');
    const from = client.messages.length;
    await service.sql(
      "set session binlog_format = STATEMENT; update notes set title = 'by statement' where id = 1; set session binlog_format = ROW",
    );
    await client.next(({ data }) => data?.[0]?.title === 'by statement', from);
    await service.sql("xa start 'x'; update notes set title = 'prepared' where id = 1; xa end 'x'; xa prepare 'x'; xa commit 'x'");
    await client.next(({ data }) => data?.[0]?.title === 'prepared', from);
    await service.sql(
      "set session /*M! binlog_annotate_row_events */ /*!80000 binlog_rows_query_log_events */ = 1; flush binary logs; update notes set title = 'next file' where id = 1",
    );
    await client.next(({ data }) => data?.[0]?.title === 'next file', from);
  });

  it.runIf(isMysql)('transactions that are compressed, have a tag, or change parts of a document are noticed', async () => {
    const client = await follow('notes');
    const from = client.messages.length;
    await service.sql("set session binlog_transaction_compression = on; update notes set title = 'pressed' where id = 1");
    await client.next(({ data }) => data?.[0]?.title === 'pressed', from);
    await service.sql(
      "set session binlog_transaction_compression = off; set gtid_next = 'AUTOMATIC:marked'; update notes set title = 'tagged' where id = 1",
    );
    await client.next(({ data }) => data?.[0]?.title === 'tagged', from);
    const documents = await follow('large');
    const before = documents.messages.length;
    await service.sql('set gtid_next = \'AUTOMATIC\'; insert into large (id, json) values (7, \'{"a": 1, "b": "long"}\')');
    await documents.next(({ event }) => event === 'create', before);
    await service.sql(
      "set session binlog_row_value_options = 'PARTIAL_JSON'; update large set json = json_set(json, '$.a', 2) where id = 7",
    );
    await documents.next(({ data }) => data?.[0]?.json?.a === 2, before);
    await service.sql("set session binlog_row_value_options = ''; delete from large");
  });

  it('continues by watching when the log is lost, and comes back to it', async () => {
    const client = await follow('notes');
    const from = client.messages.length;
    const [dump] = await service.sql("select id from information_schema.processlist where command like 'Binlog Dump%'");
    await service.sql(`kill ${String(dump?.['id'])}`);
    await service.sql("update notes set title = 'after the loss' where id = 1");
    await client.next(({ data }) => data?.[0]?.title === 'after the loss', from);
    await expect.poll(() => healthOf(), waiting).toContain(source);
    await service.sql("update notes set title = 'again' where id = 1");
    await client.next(({ data }) => data?.[0]?.title === 'again', from);
  });

  it('one process reads the log', async () => {
    await follow('notes');
    const other = await another(service.databaseUrl);
    await expect.poll(other.health, waiting).toContain('another process of the service reads it');
    await other.stop();
  });

  it('says what to do where the log may not be read', async () => {
    const name = new URL(service.databaseUrl).pathname.slice(1);
    await service.sql(`create user plain@'%' identified by 'plain'; grant all on ${name}.* to plain@'%'`);
    const url = new URL(service.databaseUrl);
    [url.username, url.password] = ['plain', 'plain'];
    const limited = await another(url.href);
    await expect
      .poll(limited.health, waiting)
      .toContain(`GRANT REPLICATION SLAVE, ${isMysql ? 'REPLICATION CLIENT' : 'BINLOG MONITOR'} ON *.* TO 'plain'@'%'`);
    const from = limited.client.messages.length;
    await service.sql("update notes set title = 'watched' where id = 1");
    await limited.client.next(({ event }) => event === 'update', from);
    await limited.stop();
  });
});

describe.runIf(hasServerPrograms('mysql'))('the log itself', () => {
  let server: ThrowAwayServer;
  let database: TestDatabase;
  let direct: DirectAccess;
  let dialect: Dialect;

  const openLog = async (names: Readonly<Record<string, readonly string[]>>): Promise<OpenLog> => {
    const tables = Object.entries(names).map(([name, primaryKey]) => ({ schema: null, name, primaryKey }));
    const opened = await dialect.changeLog?.open(tables, () => undefined);
    if (opened === undefined || isRefusal(opened)) throw new Error(JSON.stringify(opened));
    return opened;
  };
  const readSome = async (log: OpenLog): Promise<readonly LoggedChange[]> => {
    let changes: readonly LoggedChange[] = [];
    await expect
      .poll(async () => {
        changes = await log.read();
        return changes.length;
      }, waiting)
      .toBeGreaterThan(0);
    return changes;
  };

  beforeAll(async () => {
    server = await makeServer('mysql', ['--log-bin=changes', '--binlog-format=ROW', '--binlog-checksum=NONE', ...named]);
    await server.start();
    database = await createDatabase(server.vendor, 'binlog_keys');
    direct = await openDirectAccess(server.vendor, database.url);
    await direct.sql(fixture);
    dialect = await openMysql({
      url: database.url,
      poolSize: 2,
      statementTimeoutMs: patience,
      deadlines: patientDeadlines,
      systemSchema: null,
    });
  });
  afterAll(async () => {
    await dialect?.driver.close();
    await direct?.close();
    await server?.remove();
  });

  it.each(['FULL', 'MINIMAL', 'NOBLOB'])('tells keys as the service has them, with row images that are %s', async (image) => {
    const log = await openLog(keysOf);
    await direct.sql(`set session binlog_row_image = ${image}`);
    for (const [name, statement, , key] of samples) {
      const table = { schema: null, name };
      for (const [action, text] of [
        ['create', statement],
        ['delete', `delete from ${name}`],
      ] as const) {
        await direct.sql(text);
        expect(await readSome(log)).toEqual([
          key === null ? { kind: 'unknown', table } : { kind: 'row', table, action, key, moved: false },
        ]);
      }
    }
    await log.close();
  });

  it('leaves out no change of many writers, and reports none that others do not see', async () => {
    const log = await openLog({ notes: ['id'] });
    const writers = await Promise.all(Array.from({ length: 12 }, () => openDirectAccess(server.vendor, database.url)));
    const writing = Promise.all(
      writers.map(async ({ sql }, writer) => {
        for (let number = 0; number < 100; number += 1) await sql(`insert into notes (id) values (${1000 * (writer + 1) + number})`);
      }),
    );
    for (let seen = 0; seen < 1200; ) {
      const keys = (await log.read()).map((change) => (change.kind === 'row' ? String(change.key) : 'unknown'));
      await new Promise((resolve) => setImmediate(resolve));
      if (keys.length === 0) continue;
      const [row] = await direct.sql(`select count(*) as n from notes where id in (${keys.join()})`);
      expect(Number(row?.['n'])).toBe(keys.length);
      seen += keys.length;
    }
    await writing;
    for (const writer of writers) await writer.close();
    await log.close();
  });
});

type Refused = readonly [options: readonly string[], text: string];

/** Settings of MySQL under which its log cannot be read. */
const unfit: readonly Refused[] = [
  [['--log-bin=changes', '--gtid-mode=OFF'], 'gtid_mode is OFF; gtid_mode = ON and enforce_gtid_consistency = ON'],
  [['--log-bin=changes', ...named, '--binlog-order-commits=OFF'], 'binlog_order_commits is OFF; SET PERSIST binlog_order_commits = ON'],
  [['--log-bin=changes', ...named, '--binlog-transaction-compression=ON'], 'binlog_transaction_compression is ON; SET PERSIST'],
];

describe.runIf(hasServerPrograms('mysql'))('a server without a binary log', () => {
  it.each<Refused>([
    [[], 'log_bin is OFF; log_bin and binlog_format = ROW in the configuration of the server, then a restart; GRANT REPLICATION SLAVE'],
    [['--log-bin=changes', '--binlog-format=MIXED'], 'binlog_format is MIXED; SET GLOBAL binlog_format = ROW'],
    [['--log-bin=changes', '--binlog-format=ROW', ...named, '--binlog-do-db=other'], 'binlog_do_db does not name the database'],
    ...(isMysql ? unfit : []),
  ])('with %s says so', async (options, text) => {
    const server = await makeServer('mysql', options);
    await server.start();
    const service = await startService(server.vendor, { area: 'binlog_off', fixture: 'create table notes (id integer primary key)' });
    const client = await openAs(service.url, adminToken);
    await client.ask({ type: 'subscribe', collection: 'notes' });
    const health = async (): Promise<string> => (await service.api.get('/server/health')).body.checks['realtime:connections'][0].output;
    await expect.poll(health, waiting).toContain(text);
    await service.sql('insert into notes values (1)');
    await client.next(({ event }) => event === 'create');
    client.close();
    await service.stop();
    await server.remove();
  });
});
