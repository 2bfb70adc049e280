// Direct access to the database of a service: for fixtures, for checking what was stored, and for checksums.

import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { patience } from './patience.js';
import type { Vendor } from './vendors.js';

type Item = Readonly<Record<string, unknown>>;

export interface DirectAccess {
  /** Runs one statement, or, without values, several separated by semicolons. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Item[]>;
  tables(): Promise<readonly string[]>;
  /** A digest of each table's contents, made by the database where it can: tables that differ in a byte differ in their digest, but for chance. */
  checksums(except?: readonly string[]): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

interface Session {
  sql(text: string, values: readonly unknown[]): Promise<readonly Item[]>;
  close(): Promise<void>;
  /** A query for the name and the quoted name of each table. */
  readonly listTables: string;
  /** The digests of these tables, by their quoted names, in the same order. */
  digests(quoted: readonly string[]): Promise<readonly string[]>;
}

export async function openDirectAccess(vendor: Vendor, url: string): Promise<DirectAccess> {
  const session = await openSession(vendor, url);
  const tables = async (): Promise<readonly (readonly [string, string])[]> =>
    (await session.sql(session.listTables, [])).map((row) => {
      const [name, quoted] = Object.values(row).map(String);
      return [name ?? '', quoted ?? ''];
    });
  return {
    sql: (text, values = []) => session.sql(text, values),
    tables: async () => (await tables()).map(([name]) => name),
    checksums: async (except = []) => {
      const wanted = (await tables()).filter(([name]) => !except.includes(name));
      const digests = wanted.length === 0 ? [] : await session.digests(wanted.map(([, quoted]) => quoted));
      return Object.fromEntries(wanted.map(([name], index) => [name, digests[index] ?? '']));
    },
    close: () => session.close(),
  };
}

async function openSession(vendor: Vendor, url: string): Promise<Session> {
  switch (vendor.name) {
    case 'sqlite':
      return openSqliteSession(url.replace(/^sqlite:/, ''));
    case 'postgres':
      return openPostgresSession(url);
    case 'mysql':
      return openMysqlSession(url);
  }
}

function openSqliteSession(file: string): Session {
  const database = new Database(file);
  database.pragma(`busy_timeout = ${patience}`);
  /** They change with each commit of another connection, with each row that this one has written, and with each change of structure. */
  const state = (): string =>
    [
      database.pragma('data_version', { simple: true }),
      database.prepare('select total_changes()').pluck().get(),
      database.pragma('schema_version', { simple: true }),
    ].join(' ');
  const known = { state: '', digests: new Map<string, string>() };
  const digest = (quoted: string): string => {
    const rows = database.prepare<unknown[], unknown[]>(`select * from ${quoted}`).raw().safeIntegers().all();
    const texts = rows.map((row) => JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))).sort();
    return createHash('sha256').update(texts.join('\n')).digest('hex');
  };
  return {
    // A refused request leaves the database as it was: then nothing is read again.
    async digests(quoted) {
      const present = state();
      if (known.state !== present) known.digests.clear();
      known.state = present;
      for (const table of quoted) if (!known.digests.has(table)) known.digests.set(table, digest(table));
      return quoted.map((table) => known.digests.get(table) ?? '');
    },
    listTables: `select name, printf('"%w"', name) as quoted from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
    close: async () => void database.close(),
    async sql(text, values) {
      if (values.length === 0 && text.trim().replace(/;$/, '').includes(';')) {
        database.exec(text);
        return [];
      }
      const statement = database.prepare<unknown[], Item>(text);
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    },
  };
}

async function openPostgresSession(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return {
    listTables:
      "select case table_schema when 'public' then table_name else table_schema || '.' || table_name end as name, quote_ident(table_schema) || '.' || quote_ident(table_name) as quoted from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1",
    async digests(quoted) {
      const each = quoted.map(
        (table, index) =>
          `select ${index} as place, count(*) || ' ' || coalesce(sum(hashtextextended("the whole row"::text, 0)), 0) as digest from ${table} as "the whole row"`,
      );
      const { rows } = await client.query<{ digest: string }>(`${each.join(' union all ')} order by place`);
      return rows.map(({ digest }) => digest);
    },
    close: () => client.end(),
    async sql(text, values) {
      const result = values.length === 0 ? await client.query<Item>(text) : await client.query<Item>(text, [...values]);
      return result.rows ?? [];
    },
  };
}

async function openMysqlSession(url: string): Promise<Session> {
  const connection = await mysql.createConnection({
    uri: url,
    connectTimeout: patience,
    multipleStatements: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  return {
    listTables:
      "select table_name as name, concat('`', table_name, '`') as quoted from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' order by 1",
    async digests(quoted) {
      const [rows] = await connection.query<mysql.RowDataPacket[]>(`checksum table ${quoted.join(', ')}`);
      return rows.map((row) => {
        if (row['Checksum'] === null) throw new Error(`no checksum of ${row['Table']}`);
        return String(row['Checksum']);
      });
    },
    close: () => connection.end(),
    async sql(text, values) {
      const [rows] = await connection.query(text, [...values]);
      return Array.isArray(rows) ? (rows as Item[]) : [];
    },
  };
}
