// Extensions as files: where they are looked for, what is said of those that cannot be loaded, and that they get this service when they import it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { build, type Folder, makeFolder, type RunningCommand, runStart } from '../harness/run-command.js';

let folder: Folder;
const running: RunningCommand[] = [];

beforeAll(build);
afterEach(async () => {
  for (const command of running.splice(0)) {
    command.process.kill('SIGKILL');
    await command.ended;
  }
  folder.remove();
});

function startWith(
  files: Readonly<Record<string, string>>,
  extensions: string,
  variables: Readonly<Record<string, string>> = {},
): RunningCommand {
  folder = makeFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  const command = runStart(folder, [], {
    EXTENSIONS: extensions,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ADMIN_TOKEN: 'a-token-for-tests',
    ...variables,
  });
  running.push(command);
  return command;
}

const headers = { authorization: 'Bearer a-token-for-tests' };
const loaded = async (command: RunningCommand): Promise<readonly (readonly [string, string])[]> => {
  const address = await command.address();
  await expect.poll(async () => (await fetch(`${address}/extensions`, { headers })).status).toBe(200);
  const { data } = (await (await fetch(`${address}/extensions`, { headers })).json()) as {
    data: readonly { name: string; source: string }[];
  };
  return data.map(({ name, source }) => [name, source]);
};

const named = (name: string): string => `export default { name: '${name}' };`;

describe('finding extensions', () => {
  it('takes files, the files and packages of folders, and installed packages, in the order of their names', async () => {
    const command = startWith(
      {
        'one.mjs': named('one'),
        'extensions/two.mjs': named('two'),
        'extensions/two.test.mjs': 'throw new Error("a test is no extension")',
        'extensions/notes.txt': 'not code',
        'extensions/three/package.json': '{ "name": "three", "type": "module", "main": "./main.js" }',
        'extensions/three/main.js': named('three'),
        'extensions/helpers/used.mjs': 'throw new Error("no package, so nobody asks for it")',
        'node_modules/@acme/four/package.json': '{ "name": "@acme/four", "type": "module", "exports": "./index.js" }',
        'node_modules/@acme/four/index.js': named('four'),
      },
      './one.mjs,./extensions,@acme/four',
    );
    expect(await loaded(command)).toEqual([
      ['four', 'node_modules/@acme/four/index.js'],
      ['one', 'one.mjs'],
      ['three', 'extensions/three/main.js'],
      ['two', 'extensions/two.mjs'],
    ]);
  });

  it('gives those that import the package this service, wherever they lie', async () => {
    const text = `
      import { defineExtension, endpoint, shapes } from 'tain';
      export default defineExtension({
        name: 'hello',
        endpoints: {
          'GET /': { output: shapes.text(), open: 'everybody', run: () => 'x' },
        },
      });`;
    const right = text
      .replace("'GET /'", "'POST /greet'")
      .replace('output:', 'input: { name: shapes.text({ maxLength: 5 }) }, output:')
      .replace("() => 'x'", "({ name }) => 'Hello ' + name");
    const command = startWith({ 'hello.mjs': right }, './hello.mjs');
    const address = await command.address();
    const greet = async (name: string): Promise<unknown> =>
      (
        await fetch(`${address}/x/hello/greet`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        })
      ).json();
    await expect.poll(() => greet('Ada')).toEqual({ data: 'Hello Ada' });
    expect(await greet('Alexandra')).toMatchObject({ errors: [{ extensions: { code: 'INVALID_PAYLOAD' } }] });
  });

  it('the failure of a hook is in the log with the name of the extension, and not in the answer', async () => {
    const text = `export default { name: 'faulty', hooks: { service_folders: { before() { throw new Error('a private reason'); } } } };`;
    const command = startWith({ 'faulty.mjs': text }, './faulty.mjs');
    const address = await command.address();
    const ask = async (): Promise<string> =>
      (
        await fetch(`${address}/folders`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: '{"name":"f"}',
        })
      ).text();
    await expect.poll(ask).toContain('INTERNAL_SERVER_ERROR');
    expect(await ask()).not.toMatch(/private|faulty/);
    await command.printed(/the extension \\"faulty\\" failed in before of service_folders: a private reason/);
  });

  it('says that a hook waits for a collection that does not exist, and starts', async () => {
    const command = startWith({ 'one.mjs': "export default { name: 'one', hooks: { nothing: { before() {} } } };" }, './one.mjs');
    await command.printed(/hooks\[\\"nothing\\"\] waits for a collection that does not exist/);
    expect(await loaded(command)).toEqual([['one', 'one.mjs']]);
  });
});

describe('an extension that cannot be loaded', () => {
  const faults: readonly (readonly [string, Readonly<Record<string, string>>, string, RegExp])[] = [
    ['is not there', {}, './missing', /EXTENSIONS: "\.\/missing" does not exist/],
    [
      'is not installed',
      {},
      'missing',
      /EXTENSIONS: "missing" is no file or folder here, and no package that is installed: npm install missing/,
    ],
    ['throws', { 'a.mjs': "\n\nthrow new Error('at once');" }, './a.mjs', /tain: a\.mjs:3: at once/],
    [
      'has an error of syntax',
      { 'a.mjs': 'export default {\n  name: "a",\n  hooks: {{}\n};' },
      './a.mjs',
      /tain: a\.mjs:3: Unexpected token/,
    ],
    ['imports what is not there', { 'a.mjs': "import 'nothing-there';" }, './a.mjs', /tain: a\.mjs: Cannot find package 'nothing-there'/],
    ['exports nothing', { 'a.mjs': 'export const a = 1;' }, './a.mjs', /tain: a\.mjs: has no default export/],
    ['is something else', { 'a.mjs': "export default { name: 'a', hook: {} };" }, './a.mjs', /tain: a\.mjs: hook means nothing here/],
    [
      'has the name of another',
      { 'a.mjs': named('a'), 'b.mjs': named('a') },
      '.',
      /tain: b\.mjs: the extension of a\.mjs is called "a" as well/,
    ],
    [
      'has two endpoints of one name',
      {
        'a.mjs':
          "import { shapes } from 'tain'; const one = { output: shapes.nothing, open: 'users', run() {} }; export default { name: 'a', endpoints: { 'GET /b': one, 'POST /b': one } };",
      },
      './a.mjs',
      /tain: a\.mjs: POST \/x\/a\/b is called x_a_b, as another endpoint is; give it another id/,
    ],
  ];

  it.each(faults)('that %s ends the start with a sentence', async (_, files, extensions, sentence) => {
    const command = startWith(files, extensions);
    expect(await command.ended).toBe(1);
    expect(command.output()).toMatch(sentence);
    expect(command.output()).not.toContain('    at ');
  });

  it('is left out where the operator wants it, and said', async () => {
    const command = startWith({ 'a.mjs': named('a'), 'b.mjs': 'throw new Error("at once")' }, './a.mjs,./b.mjs', {
      EXTENSIONS_STRICT: 'off',
    });
    await command.printed(/b\.mjs:1: at once.*an extension was left out/);
    expect(await loaded(command)).toEqual([['a', 'a.mjs']]);
  });

  it('ends a start with workers as well', async () => {
    const command = startWith({ 'a.mjs': 'export const a = 1;' }, './a.mjs', { WORKERS: '2' });
    expect(await command.ended).toBe(1);
    expect(command.output()).toMatch(/a\.mjs: has no default export/);
  });
});
