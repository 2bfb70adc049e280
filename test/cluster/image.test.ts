// What can be checked of a deployment without a registry of images: the steps of the Dockerfile, played in folders that stand for its file systems; the
// unit by systemd; the configuration of the balancer by HAProxy.

import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { makeApi } from '../harness/api.js';
import { makeFolder, waitFor } from '../harness/run-command.js';
import { findProgram, freePort, unprivileged } from '../harness/throw-away-server.js';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(project, name), 'utf8');

interface Step {
  readonly instruction: string;
  readonly text: string;
}

const steps: readonly Step[] = read('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .flatMap((line) => {
    const found = /^([A-Z]+) +(.*)$/.exec(line);
    return found === null ? [] : [{ instruction: found[1] ?? '', text: (found[2] ?? '').trim() }];
  });

// What `COPY . .` leaves out: names, some with a star, at the top of the project or, after two stars, anywhere.
const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({
    anywhere: line.startsWith('**/'),
    name: new RegExp(`^${line.replace('**/', '').replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  }));
const isIgnored = (path: string): boolean => {
  const inside = path
    .slice(project.length)
    .split('/')
    .filter((part) => part !== '');
  return ignored.some(({ anywhere, name }) => inside.some((part, depth) => (anywhere || depth === 0) && name.test(part)));
};

/** One stage of the build; its paths are below `root`. */
interface Stage {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  folder: string;
}

const folder = makeFolder();
// The user without rights has to get through it.
chmodSync(folder.path, 0o755);
afterAll(() => folder.remove());

const inStage = (stage: Stage, path: string): string => join(stage.root, path.startsWith('/') ? path : join(stage.folder, path));

function copy(stage: Stage, stages: ReadonlyMap<string, Stage>, text: string): void {
  const parts = text.split(/ +/);
  const from = parts[0]?.startsWith('--from=') ? stages.get(parts.shift()?.slice('--from='.length) ?? '') : null;
  if (from === undefined) throw new Error(`there is no such stage: ${text}`);
  const target = parts.pop() ?? '';
  for (const source of parts) {
    const path = from === null ? join(project, source) : join(from.root, source);
    const isInto = target.endsWith('/') && !statSync(path).isDirectory();
    const to = inStage(stage, isInto ? join(target, basename(source)) : target);
    mkdirSync(join(to, '..'), { recursive: true });
    cpSync(path, to, { recursive: true, verbatimSymlinks: true, filter: (file) => from !== null || !isIgnored(file) });
  }
}

/** The packages are those that are installed here, after a look whether the lock file fits: only the download is left out. */
async function installPackages(stage: Stage): Promise<void> {
  const app = inStage(stage, '.');
  await run('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], { cwd: app });
  for (const place of ['node_modules', 'studio/node_modules'])
    if (existsSync(join(project, place))) await run('cp', ['-a', join(project, place), join(app, place)]);
}

/** Resolves to the last stage, which is the image. */
async function play(): Promise<Stage> {
  const stages = new Map<string, Stage>();
  let stage: Stage = { root: '', env: {}, folder: '/' };
  for (const { instruction, text } of steps) {
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(text)?.[1] ?? 'final';
      stage = { root: join(folder.path, name), env: {}, folder: '/' };
      stages.set(name, stage);
      mkdirSync(stage.root);
    } else if (instruction === 'WORKDIR') {
      stage.folder = text;
      mkdirSync(inStage(stage, '.'), { recursive: true });
    } else if (instruction === 'COPY') copy(stage, stages, text);
    else if (instruction === 'ENV')
      Object.assign(
        stage.env,
        Object.fromEntries(text.split(' ').map((entry) => [entry.split('=')[0], entry.slice(entry.indexOf('=') + 1)])),
      );
    else if (instruction === 'RUN' && text === 'npm ci') await installPackages(stage);
    else if (instruction === 'RUN' && text.startsWith('install -d ')) {
      const made = inStage(stage, text.split(' ').at(-1) ?? '');
      mkdirSync(made);
      const { uid, gid } = unprivileged('nobody');
      if (uid !== undefined && gid !== undefined) chownSync(made, uid, gid);
    } else if (instruction === 'RUN') await run('/bin/sh', ['-c', text], { cwd: inStage(stage, '.'), maxBuffer: 2 ** 26 });
  }
  return stage;
}

const textOf = (instruction: string): string => steps.findLast((step) => step.instruction === instruction)?.text ?? '';
const listOf = (instruction: string): readonly string[] => JSON.parse(/\[.*\]$/.exec(textOf(instruction))?.[0] ?? '[]');

describe('the image', () => {
  it('can be built, has what settings need and nothing else, and runs as a user without rights who writes to /data only', async () => {
    const final = await play();
    const packages = join(final.root, 'app/node_modules');
    const manifest = JSON.parse(read('package.json'));
    const needed = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
    expect(needed.filter((name) => !existsSync(join(packages, name, 'package.json')))).toEqual([]);
    expect(['vitest', 'typescript', 'vite', 'playwright-core'].filter((name) => existsSync(join(packages, name)))).toEqual([]);
    expect(readdirSync(join(final.root, 'app')).sort()).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json']);

    const identity = unprivileged('nobody');
    const port = String(await freePort());
    const data = join(final.root, 'data');
    const env = Object.fromEntries(
      Object.entries({ ...final.env, PORT: port }).map(([name, value]) => [name, value.replace('/data', data)]),
    );
    const [program = '', ...args] = [...listOf('ENTRYPOINT'), ...listOf('CMD')];
    expect(program).toBe('node');
    const child = spawn(process.execPath, args, {
      ...identity,
      cwd: join(final.root, 'app'),
      env: { ...env, ADMIN_TOKEN: 'image-token', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [, ...check] = listOf('HEALTHCHECK');
    const isHealthy = (): Promise<true | null> =>
      run(process.execPath, check, { env: { PORT: port } }).then(
        () => true,
        () => null,
      );
    try {
      await waitFor(isHealthy, 60_000, () => output);
      const api = makeApi(`http://127.0.0.1:${port}`, 'image-token');
      expect((await api.post('/collections', { collection: 'notes', schema: {}, fields: [] })).status).toBe(200);
      expect((await api.get('/admin/login')).status).toBe(200);
      child.kill('SIGTERM');
      expect(await ended, output).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
    expect(await isHealthy()).toBeNull();
    expect(readdirSync(join(final.root, 'app')).sort()).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json']);
    expect(readdirSync(data)).toContain('tain.db');
  });
});

const needs = (name: string, packageName: string): string => {
  const program = findProgram(name);
  if (program === null) throw new Error(`${name} is not installed: apt-get install ${packageName}`);
  return program;
};

it('systemd accepts the unit', async () => {
  const program = needs('systemd-analyze', 'systemd');
  const unit = join(folder.path, 'tain.service');
  const verify = async (text: string): Promise<string> => {
    writeFileSync(unit, text);
    const { stdout, stderr } = await run(program, ['verify', '--man=no', '--recursive-errors=no', unit]).catch((error) => error);
    return `${stdout}${stderr}`;
  };
  const given = read('deploy/tain.service').replace('/usr/bin/node', process.execPath);
  expect(await verify(given)).toBe('');
  expect(await verify(given.replace('DynamicUser', 'DynamicUsers'))).toContain('DynamicUsers');
});

it('HAProxy accepts the configuration', async () => {
  const program = needs('haproxy', 'haproxy');
  await run(program, ['-c', '-f', join(project, 'deploy/haproxy.cfg')]);
});
