// The vendors that tests run on, and how tests create and drop their databases. Only databases named tain_test_* are created or dropped.

import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { patience } from './patience.js';

export type VendorName = 'sqlite' | 'postgres' | 'mysql';

export interface Vendor {
  readonly name: VendorName;
  /** The address of the server without a database; empty for SQLite. */
  readonly server: string;
  /** Begins with the name of the product. */
  readonly label: string;
  /** A database with the tables of the service (prepared-database.ts): the file, the name of the template, or the statements that make a copy. */
  readonly prepared?: string;
}

/** Whether it is MySQL rather than MariaDB: one dialect serves both, with few differences, which the tests name. */
export const isMysqlProduct = ({ label }: Vendor): boolean => label.startsWith('MySQL');

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database, or a copy of the prepared one. `area` is part of its name, so that parallel test files can be distinguished. */
export async function createDatabase(vendor: Vendor, area = 'any', prepared?: string): Promise<TestDatabase> {
  if (vendor.name === 'sqlite') return createFile(prepared);
  const name = `tain_test_${area.replace(/\W/g, '_').toLowerCase()}_${randomBytes(4).toString('hex')}`;
  const isPostgres = vendor.name === 'postgres';
  const create = isPostgres
    ? `create database "${name}"${prepared === undefined ? '' : ` template "${prepared}"`}`
    : `create database \`${name}\`${prepared === undefined ? '' : `; use \`${name}\`; ${prepared}`}`;
  const drop = isPostgres ? `drop database if exists "${name}" with (force)` : `drop database if exists \`${name}\``;
  await runOnServer(vendor, create);
  return { url: `${vendor.server}/${name}`, drop: () => runOnServer(vendor, drop) };
}

function createFile(prepared?: string): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_'));
  const file = join(folder, 'tain.db');
  if (prepared !== undefined) copyFileSync(prepared, file);
  return { url: `sqlite:${file}`, drop: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a statement on the server (MariaDB: or several); rejects when the server cannot be reached within `connectMs` or refuses the login. */
export async function runOnServer(vendor: Pick<Vendor, 'name' | 'server'>, statement: string, connectMs: number = patience): Promise<void> {
  if (vendor.name === 'postgres') {
    const client = new pg.Client({ connectionString: `${vendor.server}/postgres`, connectionTimeoutMillis: connectMs });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(statement).finally(() => client.end());
    return;
  }
  const connection = await mysql.createConnection({ uri: vendor.server, connectTimeout: connectMs, multipleStatements: true });
  await connection.query(statement).finally(() => connection.end());
}

/** The name of the product that answers there. */
export async function findProduct({ name, server }: Pick<Vendor, 'name' | 'server'>): Promise<string> {
  if (name !== 'mysql') return 'PostgreSQL';
  const connection = await mysql.createConnection({ uri: server, connectTimeout: patience });
  const [rows] = await connection.query({ sql: 'select version()', rowsAsArray: true }).finally(() => connection.end());
  return /mariadb/i.test(String(rows)) ? 'MariaDB' : 'MySQL';
}
