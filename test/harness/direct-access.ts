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
  /** A digest of each table's contents: equal digests mean byte-equal tables. */
  checksums(except?: readonly string[]): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

interface Session {
  sql(text: string, values: readonly unknown[]): Promise<readonly Item[]>;
  close(): Promise<void>;
  /** A query for the name and the quoted name of each table. */
  readonly listTables: string;
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
      const sums: Record<string, string> = {};
      for (const [name, quoted] of await tables()) if (!except.includes(name)) sums[name] = await checksum(session, quoted);
      return sums;
    },
    close: () => session.close(),
  };
}

async function checksum(session: Session, quoted: string): Promise<string> {
  const rows = await session.sql(`select * from ${quoted}`, []);
  const texts = rows.map((row) => JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))).sort();
  return createHash('sha256').update(texts.join('\n')).digest('hex');
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
  return {
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
    close: () => connection.end(),
    async sql(text, values) {
      const [rows] = await connection.query(text, [...values]);
      return Array.isArray(rows) ? (rows as Item[]) : [];
    },
  };
}
