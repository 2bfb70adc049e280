// The command from a user's side: a clean folder becomes a service, mistakes get one line, a signal gets an orderly end.

import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { isListening } from '../harness/raw-http.js';
import {
  build,
  type Folder,
  makeFolder,
  type RunningCommand,
  runNpmStart,
  runOnOldNode,
  runStart,
  runStartWithoutPower,
} from '../harness/run-command.js';

let folder: Folder | null = null;
const running: RunningCommand[] = [];

const clean = (): Folder => {
  folder = makeFolder();
  return folder;
};

const start = (...parameters: Parameters<typeof runStart>): RunningCommand => {
  const command = runStart(...parameters);
  running.push(command);
  return command;
};

beforeAll(build);

afterEach(async () => {
  for (const command of running.splice(0)) {
    command.process.kill('SIGKILL');
    await command.ended;
  }
  folder?.remove();
  folder = null;
});

describe('the first start', () => {
  it('needs nothing: it serves, and shows a password once', async () => {
    const here = clean();
    const first = runNpmStart(here);
    running.push(first);
    const address = await first.address();
    expect(await (await fetch(`${address}/server/ping`)).text()).toBe('pong');
    await first.printed(/password {2}\S{12,}/);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
  });

  it('keeps data and secret over a second start', async () => {
    const here = clean();
    const file = join(here.path, 'tain.db');
    const read = (): unknown => {
      const database = new Database(file, { readonly: true });
      const rows = [
        database.prepare('select * from service_secrets order by name').all(),
        database.prepare('select id, email from service_users').all(),
      ];
      database.close();
      return rows;
    };
    const first = start(here);
    await first.address();
    first.process.kill('SIGTERM');
    await first.ended;
    const before = read();
    const second = start(here);
    await second.address();
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(second.output()).not.toContain('password');
    expect(read()).toEqual(before);
    expect(before).toMatchObject([[{ name: 'secret' }, { name: 'setup' }], [{ email: 'admin@example.com' }]]);
  });

  it('takes the administrator from the environment or the .env file', async () => {
    const here = clean();
    writeFileSync(join(here.path, '.env'), 'ADMIN_EMAIL=ann@example.com\nADMIN_PASSWORD=a-good-password\n');
    const command = start(here);
    await command.address();
    expect(await command.printed(/ann@example\.com/)).toBe('ann@example.com');
    expect(command.output()).not.toContain('a-good-password');
  });
});

describe('mistakes get one line and a non-zero exit', () => {
  const lineOf = async (args: readonly string[], variables: Record<string, string> = {}): Promise<string> => {
    const command = start(folder ?? clean(), args, variables);
    expect(await command.ended).toBe(1);
    return command.output().trim();
  };

  it.each([
    [['--nonsense'], /^tain: Unknown option '--nonsense'; try tain --help$/],
    [['one.db', 'two.db'], /^tain: "two.db" is too much; usage: tain start \[database\]$/],
    [['oracle://x'], /^tain: DATABASE_URL: "oracle:\/\/x" is not sqlite:.*, postgres:.* or mysql:.*$/],
    [['./no/such/folder/x.db'], /^tain: cannot open the SQLite file .*x\.db: there is no folder .*\/no\/such\/folder$/],
  ])('%j', async (args, line) => {
    expect(await lineOf(args)).toMatch(line);
  });

  it('a wrong value', async () => {
    expect(await lineOf([], { PORT: 'abc' })).toBe('tain: PORT: "abc" is not a whole number from 0 to 65535');
  });

  it('a file that is not a database', async () => {
    writeFileSync(join(clean().path, 'letter.txt'), 'Dear reader, this is no database. '.repeat(100));
    expect(await lineOf(['letter.txt'])).toMatch(/^tain: cannot open the SQLite file .*letter\.txt: it is no SQLite database$/);
  });

  it('a folder that may not be written to', async () => {
    const { path } = clean();
    chmodSync(path, 0o555);
    const command = runStartWithoutPower({ path, remove: () => undefined }, []);
    running.push(command);
    expect([await command.ended, command.output().trim()]).toEqual([
      1,
      `tain: cannot open the SQLite file ${path}/tain.db: it is not there, and the user of this process may not write to the folder ${path}`,
    ]);
  });

  it('an old Node', async () => {
    const command = runOnOldNode(clean());
    running.push(command);
    expect([await command.ended, command.output()]).toEqual([1, 'Tain needs Node 20.19 or newer; this is Node 18.20.4.\n']);
  });

  const servers = inject('vendors').filter(({ name }) => name !== 'sqlite');
  it.each(servers)('a user whom the server refuses ($name)', async ({ server }) => {
    const address = Object.assign(new URL(`${server}/tain_test_none`), { username: 'tain_test_nobody', password: 'wrong' });
    const line = await lineOf([address.href]);
    expect(line).toMatch(/^tain: The server refused the user: .*tain_test_nobody.*$/);
    expect(line).not.toContain('wrong');
  });

  it.each(servers)('a database that is not there ($name)', async ({ server }) => {
    expect(await lineOf([`${server}/tain_test_none`])).toMatch(/^tain: The .*tain_test_none.*: create it first$/);
  });

  it('a port in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    try {
      expect(await lineOf([], { PORT: String(port) })).toBe(`tain: the port is in use: 127.0.0.1:${port}; choose another with --port`);
    } finally {
      holder.close();
    }
  });
});

describe('a database that is away', () => {
  it.each(['postgres', 'mysql'])('is said once, and waited for (%s)', async (scheme) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    await new Promise((resolve) => holder.close(resolve));
    const command = start(clean(), [`${scheme}://ann:secret@127.0.0.1:${port}/shop`, '--port', '0']);
    const line = await command.printed(/^tain: .*$/m);
    expect(line).toMatch(
      new RegExp(
        `^tain: the database ${scheme}://ann:…@127\\.0\\.0\\.1:${port}/shop does not answer \\(.*\\); trying again until that changes$`,
      ),
    );
    command.process.kill('SIGTERM');
    await command.ended;
    expect(command.output().match(/does not answer/g)).toHaveLength(1);
  });
});

describe('the end', () => {
  it('lets an accepted request finish, refuses new ones, and exits with 0', async () => {
    const command = start(clean());
    const address = new URL(await command.address());
    const socket = connect(Number(address.port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const body = '{"a":1}';
    socket.write(
      `POST /items/none HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 100 /);
    answer = '';
    command.process.kill('SIGTERM');
    await expect.poll(() => isListening(address.origin)).toBe(false);
    socket.write(body);
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 40[34] /);
    expect(await command.ended).toBe(0);
  });

  it('is forced when a request never ends', async () => {
    const command = start(clean(), [], { BODY_TIMEOUT: '1h' });
    const address = new URL(await command.address());
    const socket = connect(Number(address.port), '127.0.0.1').on('error', () => undefined);
    const begun = once(socket, 'data');
    socket.write(
      'POST /items/none HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n',
    );
    expect(String(await begun)).toMatch(/^HTTP\/1\.1 100 /);
    command.process.kill('SIGTERM');
    expect(await command.ended).toBe('SIGKILL');
  });
});
