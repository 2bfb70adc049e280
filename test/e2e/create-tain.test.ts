// `npm create tain` as a user runs it: a folder that the service starts in, or one sentence and nothing at all.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.js';
import { build, type Folder, makeFolder, oldNode, runStart } from '../harness/run-command.js';

const program = fileURLToPath(new URL('../../create-tain/create-tain.mjs', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

let folder: Folder;

beforeAll(build);
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

interface Outcome {
  readonly code: number;
  readonly output: string;
}

const run = (file: string, args: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(file, args, { cwd: folder.path, env: { PATH: process.env['PATH'] } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
const create = (...args: readonly string[]): Promise<Outcome> => run(process.execPath, [program, ...args]);

const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');
const variablesOf = (name: string): Readonly<Record<string, string | undefined>> => parseEnv(read(`${name}/.env`));

describe('the folder', () => {
  it('has all it needs, with a secret that only its owner may read', async () => {
    expect(await create('My Shop')).toMatchObject({
      code: 0,
      output: expect.stringContaining("cd 'My Shop'\n  npm install\n  npm start\n"),
    });
    expect(readdirSync(join(folder.path, 'My Shop')).toSorted()).toEqual([
      '.env',
      '.gitignore',
      'README.md',
      'compose.yaml',
      'package.json',
    ]);
    expect(statSync(join(folder.path, 'My Shop/.env')).mode & 0o777).toBe(0o600);
    const { name, dependencies, scripts } = JSON.parse(read('My Shop/package.json'));
    expect([name, dependencies]).toEqual(['my-shop', { tain: `^${version}` }]);
    expect(scripts).toMatchObject({ start: 'tain start', upgrade: 'tain upgrade', 'upgrade:check': 'tain upgrade --check' });
    expect(read('My Shop/.gitignore').split('\n')).toEqual(expect.arrayContaining(['.env', '*.db', 'node_modules/']));
    const config = readConfig(variablesOf('My Shop'));
    expect(config).toMatchObject({ databaseUrl: 'sqlite:./tain.db', adminEmail: 'admin@example.com' });
    expect([config.secret?.length, config.adminPassword?.length]).toEqual([43, 24]);
  });

  it('has secrets of its own', async () => {
    await create('one');
    await create('two');
    for (const secret of ['SECRET', 'ADMIN_PASSWORD']) expect(variablesOf('one')[secret]).not.toBe(variablesOf('two')[secret]);
  });

  it('is one to start in, as the administrator that was named', async () => {
    const password = 'not "short" #1 $HOME';
    expect(await create('.', '--email', 'ann@example.com', '--password', password)).toMatchObject({ code: 0 });
    const service = runStart(folder);
    try {
      const address = await service.address();
      await service.printed(/First start/);
      const body = JSON.stringify({ email: 'ann@example.com', password });
      const answer = await fetch(`${address}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      expect(answer.status).toBe(200);
      expect(existsSync(join(folder.path, 'tain.db'))).toBe(true);
    } finally {
      service.process.kill('SIGTERM');
      await service.ended;
    }
  });

  it.each([
    ['postgres://ann:s%2Fecret@db.example.com:5433/shop?sslmode=require', null],
    ['mysql://root@localhost/shop', 'mysql://root@host.docker.internal/shop'],
    ['mariadb://ann:secret@127.0.0.1:3307/shop', 'mariadb://ann:secret@host.docker.internal:3307/shop'],
    ['postgresql://one,two:5433/shop', null],
  ])('serves %s', async (database, inside) => {
    expect(await create('shop', '--database', database)).toMatchObject({ code: 0, output: expect.not.stringContaining('secret') });
    const variables = variablesOf('shop');
    expect([variables['DATABASE_URL'], variables['CONTAINER_DATABASE_URL'] ?? null]).toEqual([database, inside]);
    expect(readConfig(variables).databaseUrl).toBe(database);
    const { environment, env_file } = parse(read('shop/compose.yaml')).services.tain;
    expect(env_file).toBe('.env');
    expect(environment.DATABASE_URL ?? null).toBe(inside === null ? null : ['$', '{CONTAINER_DATABASE_URL}'].join(''));
  });
});

describe('nothing is made, and one line says why', () => {
  it.each([
    [['shop', '--database', 'oracle://ann:secret@localhost/shop'], /--database: this is no address of a database: postgres:\/\/user/],
    [['shop', '--database', 'postgres://ann:secret@localhost'], /--database: this is no address of a database/],
    [['shop', '--database', 'sqlite::memory:'], /--database: this is no address of a database/],
    [['shop', '--database', "sqlite:./ann's.db"], /--database: a file \.env cannot hold a single quotation mark/],
    [['shop', '--email', 'ann'], /--email: "ann" is no e-mail address/],
    [['shop', '--password', 'secret'], /--password: it needs at least 8 characters/],
    [['shop', 'secret'], /"secret" is too much; usage: npm create tain \[folder\]/],
    [['shop', '--colour'], /Unknown option '--colour'; try npm create tain -- --help/],
  ])('%j', async (args, sentence) => {
    const { code, output } = await create(...args);
    expect([code, output]).toEqual([1, expect.stringMatching(new RegExp(`^create-tain: ${sentence.source}.*\n$`))]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('a folder that is not empty stays as it is', async () => {
    writeFileSync(join(folder.path, 'letter.txt'), 'Dear reader');
    expect(await create('.')).toEqual({ code: 1, output: 'create-tain: the folder . is not empty (letter.txt): name another one\n' });
    expect(await create('letter.txt')).toEqual({ code: 1, output: 'create-tain: letter.txt is there already and is no folder\n' });
    expect(readdirSync(folder.path)).toEqual(['letter.txt']);
  });

  it('a disk that is full in the middle', async () => {
    const limited = `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`;
    const email = `${'a'.repeat(2000)}@example.com`;
    const { code, output } = await run('/bin/bash', ['--norc', '-c', limited, process.execPath, program, 'a/b/shop', '--email', email]);
    expect([code, output]).toEqual([1, expect.stringMatching(/^create-tain: a\/b\/shop cannot be written: EFBIG.*\n$/)]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('an old Node', async () => {
    expect(await run(process.execPath, ['--import', oldNode, program, 'shop'])).toEqual({
      code: 1,
      output: 'create-tain: Tain needs Node 20.19 or newer; this is Node 18.20.4.\n',
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

interface Answers {
  readonly database: string;
  readonly email: string;
  readonly password: string;
}

describe('in a terminal', () => {
  /** Types an answer whenever a question is shown; resolves to the answers and all that was shown. */
  async function answer(
    typed: readonly string[],
    args: readonly string[] = [],
  ): Promise<{ readonly answers: Answers; readonly shown: string }> {
    const { readAnswers } = await import(new URL('../../create-tain/answers.mjs', import.meta.url).href);
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = new PassThrough();
    const waiting = [...typed];
    let shown = '';
    output.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      if (/\) $/.test(chunk.toString()) && waiting.length > 0) setImmediate(() => input.write(waiting.shift() ?? ''));
    });
    const answers = await readAnswers(args, { input, output, check: () => undefined });
    return { answers, shown };
  }

  it('asks three questions, again after what cannot be used, and does not show the password', async () => {
    const { answers, shown } = await answer(['nonsense\r', 'mysql://root@localhost/shop\r', 'ann@example.com\r', 'a-long-password\r']);
    expect(answers).toMatchObject({ database: 'mysql://root@localhost/shop', email: 'ann@example.com', password: 'a-long-password' });
    expect(shown).toContain('this is no address of a database');
    expect(shown).not.toContain('a-long-password');
  });

  it('takes what is usual for an empty answer, and does not ask for what a flag says', async () => {
    const { answers, shown } = await answer(['\r', '\r'], ['--email', 'ann@example.com']);
    expect(answers).toMatchObject({
      database: 'sqlite:./tain.db',
      email: 'ann@example.com',
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    expect(shown).not.toContain('E-mail');
  });

  it('makes nothing after Ctrl+C', async () => {
    await expect(answer(['\u0003'])).rejects.toThrow('stopped; nothing was made');
  });
});
