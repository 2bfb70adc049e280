// The files for deployment name only what exists: settings, routes, and files of the project.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config.js';
import { serverRoutes } from '../../src/doors/rest/operations/server.js';
import { createService } from '../../src/tain.js';
import { makeFolder } from '../harness/run-command.js';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const names = new Set<string>([...Object.values(settings).map(({ name }) => name), 'NODE_ENV']);
const paths = new Set(serverRoutes.map(({ path }) => path));

it('settings are those of the service', () => {
  const compose = parse(read('compose.yaml')).services.tain.environment;
  const [deployment] = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document) => document.toJS());
  const inImage = /^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '';
  const inUnit = /^Environment=(.*)$/m.exec(read('deploy/tain.service'))?.[1] ?? '';
  const used = [
    ...Object.keys(compose),
    ...deployment.spec.template.spec.containers[0].env.map((entry: { name: string }) => entry.name),
    ...[inImage, inUnit].flatMap((line) => line.split(' ').map((entry) => entry.split('=')[0] ?? '')),
  ];
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
});

it.each(['Dockerfile', 'deploy/haproxy.cfg', 'deploy/kubernetes.yaml'])('routes in %s exist', (file) => {
  const asked = [...read(file).matchAll(/\/server\/\w+/g)].map(([path]) => path);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((path) => !paths.has(path))).toEqual([]);
});

it('what the composition mounts is there', () => {
  const mounted = [...read('compose.yaml').matchAll(/'\.\/([^:]+):/g)].map(([, path = '']) => path);
  expect(mounted.length).toBeGreaterThan(0);
  expect(mounted.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
});

describe('the image', () => {
  const lines = read('Dockerfile').replaceAll('\\\n', '').split('\n');
  const argumentsOf = (instruction: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1).trim()] : []));

  it('is built in one stage from what is there, and run in another by a user without rights', () => {
    expect(argumentsOf('FROM').length).toBe(2);
    expect(argumentsOf('USER')).toEqual(['node']);
    const copied = argumentsOf('COPY').filter((line) => !line.startsWith('--from'));
    const sources = copied.flatMap((line) => line.split(' ').slice(0, -1));
    expect(sources.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    const named = argumentsOf('RUN').flatMap((line) => [...line.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name));
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('says by its health check whether the service is ready', async () => {
    const command: readonly string[] = JSON.parse(/CMD (\[.*\])$/.exec(argumentsOf('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]');
    const check = (port: string): Promise<number | null> =>
      new Promise((resolve) => {
        execFile(process.execPath, command.slice(1), { env: { PORT: port } }, (error) => resolve(error === null ? 0 : Number(error.code)));
      });
    expect(command[0]).toBe('node');
    const folder = makeFolder();
    const service = await createService({ databaseUrl: `sqlite:${folder.path}/tain.db`, port: 0, logLevel: 'silent' });
    const { port } = new URL(await service.listen());
    expect(await check(port)).toBe(1);
    await service.ready();
    await expect.poll(() => check(port)).toBe(0);
    await service.close();
    expect(await check(port)).toBe(1);
    folder.remove();
  });
});
