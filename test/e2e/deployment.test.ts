// The files for deployment name only what exists: settings, routes, and files of the project.

import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config.js';
import { serverRoutes } from '../../src/doors/rest/operations/server.js';

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
