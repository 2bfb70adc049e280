// Measures how long the structure of 1,000 tables of 20 columns takes to read, and checks that the number of statements does not grow with
// the number of tables. Aim: under 1 s on PostgreSQL and SQLite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

register();

const aimMs = 1000;
const sizes = [10, 1000];
const server = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432';
const database = `tain_test_bench_${process.pid}`;
const options = { poolSize: 2, statementTimeoutMs: 60_000, systemSchema: null };

const columns = Array.from(
  { length: 19 },
  (_, at) => `c${at} ${['integer', 'varchar(80)', 'text', 'numeric(10,2)', 'timestamp'][at % 5]}`,
).join(', ');
const tableSql = (at) =>
  `create table t${at} (id integer primary key, ${columns}${at === 0 ? '' : `, foreign key (c0) references t${at - 1} (id)`})`;

async function measure(name, dialect) {
  let made = 0;
  const counts = [];
  for (const size of sizes) {
    await dialect.driver.transaction(async (connection) => {
      for (; made < size; made += 1) await connection.run({ text: tableSql(made), values: [] });
    });
    const before = dialect.driver.statements();
    const started = performance.now();
    const facts = await dialect.introspect(dialect.driver);
    const ms = performance.now() - started;
    const statements = dialect.driver.statements() - before;
    counts.push(statements);
    console.log(`${name}: ${facts.tables.length} tables in ${ms.toFixed(0)} ms with ${statements} statements`);
    if (ms > aimMs) process.exitCode = 1;
  }
  if (new Set(counts).size > 1) {
    console.log(`${name}: the number of statements grows with the tables`);
    process.exitCode = 1;
  }
  await dialect.driver.close();
}

async function onSqlite() {
  const { openSqlite } = await import('../src/dialects/sqlite/index.ts');
  const folder = mkdtempSync(join(tmpdir(), 'tain_bench_'));
  try {
    await measure('SQLite', await openSqlite({ ...options, url: `sqlite:${join(folder, 'bench.db')}` }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onPostgres() {
  const { default: pg } = await import('pg');
  const { openPostgres } = await import('../src/dialects/postgres/index.ts');
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(`create database ${database}`);
  try {
    await measure('PostgreSQL', await openPostgres({ ...options, url: `${server}/${database}` }));
  } finally {
    await client.query(`drop database if exists ${database} with (force)`);
    await client.end();
  }
}

await onSqlite();
await onPostgres();
