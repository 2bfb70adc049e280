// The databases of the bench, named tain_test_bench*: creates and seeds them, restores the seeded rows after writes, and drops them.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countsOf, createStatements, indexStatements, makeTables, tableNames } from './dataset.mjs';
import { parentOf, processOfThread, programOf } from './processes.mjs';

const chunkSize = 2000;
const servers = {
  postgres: process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432',
  mysql: process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306',
};

export const titles = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MariaDB' };

/**
 * A seeded database without the service's own tables, so that the service under test installs the tables of its own revision. The rows of a
 * run with --keep are used again. `name` must begin with tain_test_bench.
 */
export async function openDatabase(vendor, scale, name = 'tain_test_bench') {
  if (!name.startsWith('tain_test_bench')) throw new Error(`not a database of the bench: ${name}`);
  const access = await openAccess[vendor](name);
  const reused = await isSeeded(access, scale);
  if (reused) await access.dropSystemTables();
  else {
    await access.recreate();
    for (const statement of createStatements(vendor)) await access.run(statement);
    for (const table of makeTables(scale)) for (const rows of chunks(table.rows)) await access.insert(table.name, table.columns, rows);
    for (const statement of indexStatements) await access.run(statement);
    await access.settle();
  }
  return {
    vendor,
    url: access.url,
    run: access.run,
    /** The process of the database server, if it runs on this machine; else null. */
    serverPid: access.serverPid,
    /** Deletes the rows that writing workloads have added. */
    async reset() {
      for (const table of ['article_tags', 'comments', 'articles'])
        await access.run(`delete from ${table} where id > ${countsOf(scale)[table]}`);
      await access.settle();
    },
    async close({ keep }) {
      await access.close();
      if (!keep) await access.drop();
    },
  };
}

async function isSeeded(access, scale) {
  try {
    const last = await access.number('select max(id) from comments');
    return last === countsOf(scale).comments && (await access.number('select count(*) from articles')) === countsOf(scale).articles;
  } catch {
    return false;
  }
}

function* chunks(rows) {
  let chunk = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length === chunkSize) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

const openAccess = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql };

async function openSqlite(name) {
  const { default: Database } = await import('better-sqlite3');
  const folder = join(tmpdir(), name);
  const file = join(folder, 'bench.db');
  let database = existsSync(file) ? new Database(file) : null;
  const marks = (count) => new Array(count).fill('?').join(', ');
  return {
    url: `sqlite:${file}`,
    async recreate() {
      database?.close();
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      database = new Database(file);
      database.pragma('journal_mode = WAL');
    },
    run: async (text) => void database.exec(text),
    number: async (text) => Number(database.prepare(text).pluck().get()),
    async insert(table, columns, rows) {
      const statement = database.prepare(`insert into ${table} (${columns.join(', ')}) values (${marks(columns.length)})`);
      database.transaction(() => {
        for (const row of rows) statement.run(row.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
      })();
    },
    async dropSystemTables() {
      const names = database.prepare("select name from sqlite_master where type = 'table' and name glob 'service_*'").pluck().all();
      database.pragma('foreign_keys = off');
      for (const name of names) database.exec(`drop table "${name}"`);
      database.pragma('foreign_keys = on');
    },
    settle: async () => void database.exec('analyze; pragma wal_checkpoint(truncate)'),
    serverPid: null,
    close: async () => void database?.close(),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function openPostgres(name) {
  const { default: pg } = await import('pg');
  const connect = async (database) => {
    const client = new pg.Client({ connectionString: `${servers.postgres}/${database}` });
    await client.connect();
    return client;
  };
  const onServer = async (...statements) => {
    const client = await connect('postgres');
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const dropping = `drop database if exists ${name} with (force)`;
  let client = await connect(name).catch(() => null);
  return {
    url: `${servers.postgres}/${name}`,
    serverPid: await postgresPid(connect),
    async dropSystemTables() {
      const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public' and tablename like 'service\\_%'");
      for (const { tablename } of rows) await client.query(`drop table "${tablename}" cascade`);
    },
    async recreate() {
      await client?.end();
      await onServer(dropping, `create database ${name}`);
      client = await connect(name);
    },
    run: async (text) => void (await client.query(text)),
    number: async (text) => Number(Object.values((await client.query(text)).rows[0])[0]),
    async insert(table, columns, rows) {
      const objects = rows.map((row) =>
        Object.fromEntries(columns.map((column, at) => [column, isJson(column) ? JSON.parse(row[at]) : row[at]])),
      );
      const list = columns.join(', ');
      await client.query(`insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(objects),
      ]);
    },
    async settle() {
      for (const table of tableNames)
        await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
      await client.query('vacuum analyze');
    },
    close: () => client.end(),
    drop: () => onServer(dropping),
  };
}

/** The postmaster: the parent of every backend. */
async function postgresPid(connect) {
  const client = await connect('postgres');
  const { rows } = await client.query('select pg_backend_pid() as pid');
  // Read before the session ends: its process ends with it.
  const server = parentOf(rows[0].pid);
  await client.end();
  return localProcess(server, /^postgres/);
}

/** A number that a server on another machine reports may by chance be that of a process here: the program has to fit as well. */
const localProcess = (pid, program) => (program.test(programOf(pid) ?? '') ? pid : null);

const isJson = (column) => column === 'metadata';

async function openMysql(name) {
  const { default: mysql } = await import('mysql2/promise');
  const server = await mysql.createConnection({ uri: servers.mysql, multipleStatements: true });
  await server.query(`use ${name}`).catch(() => undefined);
  return {
    url: `${servers.mysql}/${name}`,
    serverPid: await mysqlPid(server),
    async dropSystemTables() {
      const [rows] = await server.query(
        "select table_name as name from information_schema.tables where table_schema = database() and table_name like 'service\\_%'",
      );
      const list = rows.map((row) => `\`${row.name}\``).join(', ');
      if (list !== '') await server.query(`set foreign_key_checks = 0; drop table ${list}; set foreign_key_checks = 1`);
    },
    recreate: async () => void (await server.query(`drop database if exists ${name}; create database ${name}; use ${name}`)),
    run: async (text) => void (await server.query(text)),
    number: async (text) => Number(Object.values((await server.query(text))[0][0])[0]),
    insert: async (table, columns, rows) => void (await server.query(`insert into ${table} (${columns.join(', ')}) values ?`, [rows])),
    settle: async () => void (await server.query(`analyze table ${tableNames.join(', ')}`)),
    close: () => server.end(),
    async drop() {
      const again = await mysql.createConnection({ uri: servers.mysql });
      await again.query(`drop database if exists ${name}`);
      await again.end();
    },
  };
}

/** Of MariaDB, whose list of connections has the threads of the operating system; MySQL keeps them elsewhere. */
async function mysqlPid(server) {
  try {
    const [rows] = await server.query('select tid from information_schema.processlist where id = connection_id()');
    return localProcess(processOfThread(rows[0].tid), /^(maria|mysql)/);
  } catch {
    return null;
  }
}
