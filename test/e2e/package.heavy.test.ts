// The packages as they would be published: packed, installed into an empty folder by npm, started, asked. `create-tain` makes the folder. Needs a registry,
// or a cache of npm that has the dependencies.

import { execFile, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Folder, makeFolder, waitFor } from '../harness/run-command.js';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
const megabyte = 1_000_000;
const mostOfTarball = 6 * megabyte;
const mostInstalled = 90 * megabyte;

let folder: Folder;
const inFolder = (...parts: readonly string[]): string => join(folder.path, ...parts);
const npm = (cwd: string, ...args: readonly string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd, maxBuffer: 2 ** 26 });

/** The project as Git knows it, so that what an earlier build left is not packed. */
function copyProject(): string {
  const copy = inFolder('project');
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: project })
    .toString()
    .split('\0');
  for (const name of names.filter((each) => each !== '' && !/^(?:test|bench)\//.test(each))) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    copyFileSync(join(project, name), join(copy, name));
  }
  for (const place of ['node_modules', 'studio/node_modules'])
    if (statSync(join(project, place), { throwIfNoEntry: false })) symlinkSync(join(project, place), join(copy, place));
  return copy;
}

/** Resolves to the tarball, and to the names of the files in it. */
async function pack(from: string): Promise<{ readonly path: string; readonly files: readonly string[] }> {
  await run('npm', ['pack', '--pack-destination', inFolder('packed')], { cwd: from, maxBuffer: 2 ** 26 });
  const { name, version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const path = inFolder('packed', `${name}-${version}.tgz`);
  const { stdout } = await run('tar', ['-tzf', path], { maxBuffer: 2 ** 26 });
  return { path, files: stdout.trim().split('\n') };
}

function bytesBelow(path: string): number {
  const found = lstatSync(path);
  return found.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0) : found.size;
}

/** Starts it in a group of its own, since npm has children, waits for its first answer, and ends all of them. */
async function answers(cwd: string, program: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', LOG_LEVEL: 'error' };
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  try {
    const [address] = await waitFor(
      () => /http:\/\/127\.0\.0\.1:\d+/.exec(output),
      60_000,
      () => output,
    );
    return await (await fetch(`${address}/server/ping`)).text();
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

beforeAll(() => {
  folder = makeFolder();
  for (const name of ['packed', 'creator', 'empty']) mkdirSync(inFolder(name));
});
afterAll(() => folder.remove());

it('can be installed by npm, and are small', { timeout: 900_000 }, async () => {
  const copy = copyProject();
  const [tain, creator] = [await pack(copy), await pack(join(copy, 'create-tain'))];
  expect(statSync(tain.path).size).toBeLessThanOrEqual(mostOfTarball);
  expect(tain.files).toEqual(
    expect.arrayContaining(['package/dist/main.js', 'package/dist/tain.d.ts', 'package/LICENSE', 'package/README.md']),
  );
  expect(tain.files.filter((name) => !/^package\/(?:dist\/.*|LICENSE|README\.md|CHANGELOG\.md|package\.json)$/.test(name))).toEqual([]);
  const modules = readdirSync(join(project, 'create-tain')).filter((name) => name.endsWith('.mjs'));
  const expected = [...modules, 'LICENSE', 'README.md', 'package.json'].map((name) => `package/${name}`);
  expect(creator.files.toSorted()).toEqual(expected.toSorted());

  await npm(inFolder('creator'), 'install', creator.path);
  await run(inFolder('creator/node_modules/.bin/create-tain'), [inFolder('shop')]);
  const manifest = JSON.parse(readFileSync(inFolder('shop/package.json'), 'utf8'));
  writeFileSync(inFolder('shop/package.json'), JSON.stringify({ ...manifest, dependencies: { tain: `file:${tain.path}` } }));
  await npm(inFolder('shop'), 'install');
  expect(bytesBelow(inFolder('shop/node_modules'))).toBeLessThanOrEqual(mostInstalled);

  expect(await answers(inFolder('shop'), 'npm', ['start'])).toBe('pong');
  expect(readdirSync(inFolder('shop'))).toContain('tain.db');
  // As `npx tain` runs it.
  expect(await answers(inFolder('empty'), inFolder('shop/node_modules/.bin/tain'), [])).toBe('pong');
  expect(readdirSync(inFolder('empty'))).toContain('tain.db');
});
