// The vendors that tests run on, and how tests create and drop their databases. Only databases named tain_test_* are created or dropped.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
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
  readonly label: string;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database. `area` is part of its name, so that parallel test files can be distinguished. */
export async function createDatabase(vendor: Vendor, area = 'any'): Promise<TestDatabase> {
  if (vendor.name === 'sqlite') return createFile();
  const name = `tain_test_${area.replace(/\W/g, '_').toLowerCase()}_${randomBytes(4).toString('hex')}`;
  const quote = vendor.name === 'postgres' ? '"' : '`';
  const drop = vendor.name === 'postgres' ? `drop database if exists "${name}" with (force)` : `drop database if exists \`${name}\``;
  await runOnServer(vendor, `create database ${quote}${name}${quote}`);
  return { url: `${vendor.server}/${name}`, drop: () => runOnServer(vendor, drop) };
}

function createFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_'));
  return { url: `sqlite:${join(folder, 'tain.db')}`, drop: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs one statement on the server; rejects when the server cannot be reached within `connectMs` or refuses the login. */
export async function runOnServer(vendor: Pick<Vendor, 'name' | 'server'>, statement: string, connectMs: number = patience): Promise<void> {
  if (vendor.name === 'postgres') {
    const client = new pg.Client({ connectionString: `${vendor.server}/postgres`, connectionTimeoutMillis: connectMs });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(statement).finally(() => client.end());
    return;
  }
  const connection = await mysql.createConnection({ uri: vendor.server, connectTimeout: connectMs });
  await connection.query(statement).finally(() => connection.end());
}
