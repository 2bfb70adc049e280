import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from './driver/connection.js';
import { openSqlite, parseLocation } from './index.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain_test_sqlite_'));
});

afterAll(() => rm(folder, { recursive: true }));

const open = (url: string): ReturnType<typeof openSqlite> =>
  openSqlite({ url, poolSize: 1, statementTimeoutMs: 10_000, systemSchema: null });

describe('openConnection', () => {
  it.each([
    ['reader', 1_048_576],
    ['writer', 0],
    ['stream', 0],
  ] as const)('as a %s maps %i bytes of the file', async (role, mapped) => {
    const file = join(folder, `map-${role}.db`);
    await (await open(file)).driver.close();
    const connection = openConnection({ file, role, mapBytes: 1_048_576, journal: 'keep', busyTimeoutMs: 0, checkAlive: () => undefined });
    expect(connection.prepare('PRAGMA mmap_size').rows([])).toEqual([[mapped]]);
    connection.close();
  });
});

describe('parseLocation', () => {
  it.each([
    ['sqlite:./file.db', resolve('file.db')],
    ['sqlite:file.db', resolve('file.db')],
    ['sqlite:///tmp/a%20b.db', '/tmp/a b.db'],
    ['sqlite:/tmp/a.db', '/tmp/a.db'],
    ['file:///tmp/a.db', '/tmp/a.db'],
    ['./100%.db', resolve('100%.db')],
    ['/tmp/a.db', '/tmp/a.db'],
  ])('%s', (url, file) => {
    expect(parseLocation(url)).toBe(file);
  });

  it.each([':memory:', 'sqlite::memory:', 'sqlite:', ''])('refuses %s, which is not a file', (url) => {
    expect(() => parseLocation(url)).toThrow(/Name a file/);
  });
});

describe('openSqlite', () => {
  it('creates the file in WAL mode with full durability', async () => {
    const { driver, vendor } = await open(join(folder, 'new.db'));
    const setting = (name: string): Promise<unknown> =>
      driver.transaction(async (connection) => (await connection.rows({ kind: 'write', text: `PRAGMA ${name}`, values: [] }))[0]?.[0]);
    expect([vendor, await setting('journal_mode'), await setting('synchronous'), await setting('foreign_keys')]).toEqual([
      'sqlite',
      'wal',
      2,
      1,
    ]);
    expect(await driver.version()).toMatch(/^3\./);
    expect(driver.pool()).toMatchObject({ waiting: 0 });
    await driver.close();
  });

  it('keeps the journal mode of an existing file, unless configured to switch it', async () => {
    const file = join(folder, 'found.db');
    const found = new Database(file);
    found.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    found.close();
    const modeWith = async (journal: 'keep' | 'wal'): Promise<unknown> => {
      const { driver } = await openSqlite({ url: file, poolSize: 1, statementTimeoutMs: 10_000, systemSchema: null, journal });
      await driver.run({ kind: 'insert', text: "INSERT INTO notes (text) VALUES ('a')", values: [] });
      const [row] = await driver.rows({
        kind: 'read',
        text: 'SELECT journal_mode, (SELECT count(*) FROM notes) FROM pragma_journal_mode',
        values: [],
      });
      await driver.close();
      return row;
    };
    expect([await modeWith('keep'), await modeWith('wal'), await modeWith('keep')]).toEqual([
      ['delete', 1],
      ['wal', 2],
      ['wal', 3],
    ]);
  });

  it('reports clearly what is wrong with a file', async () => {
    const text = join(folder, 'text.db');
    await writeFile(text, 'this is no database, and long enough to be looked at as one. '.repeat(20));
    await expect(open(text)).rejects.toMatchObject({
      kind: 'unavailable',
      message: `cannot open the SQLite file ${text}: it is no SQLite database`,
    });
    await expect(open(join(folder, 'missing', 'a.db'))).rejects.toMatchObject({
      kind: 'unavailable',
      message: `cannot open the SQLite file ${join(folder, 'missing', 'a.db')}: there is no folder ${join(folder, 'missing')}`,
    });
    await expect(open(folder)).rejects.toMatchObject({
      kind: 'unavailable',
      message: `cannot open the SQLite file ${folder}: it is a folder`,
    });
  });

  it('lets the process end although a statement never does', async () => {
    const script = `
      import { openSqlite } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const { driver } = await openSqlite({ url: ${JSON.stringify(join(folder, 'stuck.db'))}, poolSize: 1, statementTimeoutMs: 3000, systemSchema: null });
      await driver.rows({ kind: 'read', text: 'SELECT 1', values: [] });
      const text = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c';
      await driver.rows({ kind: 'read', text, values: [] }).catch((error) => process.stdout.write(error.kind + ' '));
      await driver.close();
      process.stdout.write('closed');
      process.exit(0);`;
    const file = join(folder, 'stuck.mjs');
    await writeFile(file, script);
    const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'], cwd: process.cwd() });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [, signal] = await once(child, 'close');
    expect([output, signal]).toEqual(['timeout closed', 'SIGKILL']);
  }, 30_000);
});
