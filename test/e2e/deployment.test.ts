// The files for deployment name only what exists: settings, routes, and files of the project.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settings } from '../../src/config.js';
import { serverRoutes } from '../../src/doors/rest/operations/server.js';
import { createService } from '../../src/tain.js';
import { makeFolder } from '../harness/run-command.js';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const names = new Set<string>([...Object.values(settings).map(({ name }) => name), 'NODE_ENV']);
const paths = new Set(serverRoutes.map(({ path }) => path));

it('settings are those of the service', () => {
  const compositions = ['compose.yaml', 'compose.cluster.yaml'].map((name) => parse(read(name)).services.tain.environment);
  const [deployment] = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document) => document.toJS());
  const inUnit = /^Environment=(.*)$/m.exec(read('deploy/tain.service'))?.[1] ?? '';
  const used = [
    ...compositions.flatMap((environment) => Object.keys(environment)),
    ...deployment.spec.template.spec.containers[0].env.map((entry: { name: string }) => entry.name),
    ...Object.keys(imageSettings()),
    ...inUnit.split(' ').map((entry) => entry.split('=')[0] ?? ''),
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
  const mounted = [...read('compose.cluster.yaml').matchAll(/'\.\/([^:]+):/g)].map(([, path = '']) => path);
  expect(mounted.length).toBeGreaterThan(0);
  expect(mounted.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
});

/** `5s` as seconds. */
const seconds = (text: string): number => {
  const found = /^(\d+)s$/.exec(text);
  if (found === null) throw new Error(`not a number of seconds: ${text}`);
  return Number(found[1]);
};
/** What accepted requests have after DRAIN_TIME, before the service ends by itself. */
const requestSeconds = 9;

interface ComposedService {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly deploy?: unknown;
}

/** The settings of a composition as its operator would get them who sets nothing but what has to be set. */
const settingsOf = (environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:([?-])([^}]*)\}/g, (_all, sign, fallback) => (sign === '-' ? fallback : 'given-by-its-operator')),
    ]),
  );

/** The environment that the image itself sets. */
const imageSettings = (): Readonly<Record<string, string>> =>
  Object.fromEntries((/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').split(' ').map((entry) => entry.split('=', 2)));

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  const { tain } = services;

  it('is one service without rights, whose data are in the volume', () => {
    expect(Object.keys(services)).toEqual(['tain']);
    expect(tain).toMatchObject({
      build: '.',
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect([tain.user, tain.healthcheck]).toEqual([undefined, undefined]);
    expect([tain.volumes, Object.keys(volumes)]).toEqual([['data:/data'], ['data']]);
    expect(read('Dockerfile')).toMatch(/^VOLUME \/data$/m);
  });

  it('gives its settings to a service that accepts them, and lets accepted requests finish', () => {
    const config = readConfig({ ...imageSettings(), ...settingsOf(tain.environment) });
    expect([config.databaseUrl, config.storageRoot, config.host]).toEqual(['sqlite:/data/tain.db', '/data/uploads', '0.0.0.0']);
    expect([config.adminPassword, config.secret]).toEqual([null, null]);
    expect(tain.ports).toEqual([`127.0.0.1:\${PORT:-${config.port}}:${config.port}`]);
    expect(seconds(tain.stop_grace_period)).toBeGreaterThan(config.drainTime / 1000 + requestSeconds);
  });
});

describe('compose.cluster.yaml', () => {
  const composition = parse(read('compose.cluster.yaml'));
  const services: Readonly<Record<string, ComposedService>> = composition.services;
  const { environment = {} } = services['tain'] ?? {};

  it('has all that is promised, each with a version', () => {
    expect(Object.keys(services).sort()).toEqual(['balancer', 'pooler', 'primary', 'redis', 'standby', 'tain']);
    expect(services['tain']?.deploy).toMatchObject({ replicas: 3 });
    const images = Object.values(services).flatMap(({ image }) => (image === undefined ? [] : [image]));
    expect(images.filter((image) => !/^[\w/]+:v?\d[\w.-]*$/.test(image))).toEqual([]);
  });

  it('uses only keys that services have, and names services and volumes that are there', () => {
    const known = 'build command depends_on deploy entrypoint environment image ports read_only stop_grace_period tmpfs user volumes'.split(
      ' ',
    );
    const volumes = Object.keys(composition.volumes);
    for (const [name, service] of Object.entries(services)) {
      expect([name, Object.keys(service).filter((key) => !known.includes(key))]).toEqual([name, []]);
      expect([name, (service.depends_on ?? []).filter((other) => !(other in services))]).toEqual([name, []]);
      const mounted = (service.volumes ?? []).map((volume) => volume.split(':')[0]);
      expect([name, mounted.filter((volume = '') => !volume.startsWith('./') && !volumes.includes(volume))]).toEqual([name, []]);
    }
    const addresses = [environment['DATABASE_URL'], environment['DATABASE_READ_URLS'], environment['REDIS_URL']].map((text = '') =>
      text.replace(/\$\{[^}]*\}/, 'x'),
    );
    expect(addresses.map((address) => new URL(address).hostname)).toEqual(['pooler', 'standby', 'redis']);
    expect(services['pooler']?.environment).toMatchObject({
      DB_HOST: 'primary',
      POOL_MODE: 'transaction',
      LISTEN_PORT: new URL(addresses[0] ?? '').port,
    });
    expect(read('deploy/haproxy.cfg')).toMatch(/^ +server-template \w+ 3 tain:8055 /m);
  });

  it('gives its settings to a service that accepts them, and lets accepted requests finish', () => {
    const config = readConfig(settingsOf(environment));
    expect(config.databaseReadUrls).toEqual(['postgres://tain:given-by-its-operator@standby:5432/tain']);
    expect(seconds(services['tain']?.stop_grace_period ?? '')).toBeGreaterThan(config.drainTime / 1000 + requestSeconds);
    expect(services['tain']).toMatchObject({ read_only: true, tmpfs: ['/tmp'] });
  });
});

describe('deploy/kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'));
  const [deployment, entrance] = documents.map((document) => document.toJS());
  const { spec, metadata } = deployment.spec.template;
  const [container] = spec.containers;

  it('is what it says it is, and its parts find each other', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect([deployment, entrance].map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual([
      ['apps/v1', 'Deployment'],
      ['v1', 'Service'],
    ]);
    expect(deployment.spec.selector.matchLabels).toEqual(metadata.labels);
    expect(entrance.spec.selector).toEqual(metadata.labels);
    const ports = container.ports.map((port: { containerPort: number }) => port.containerPort);
    const asked = [entrance.spec.ports[0].targetPort, container.livenessProbe.httpGet.port, container.readinessProbe.httpGet.port];
    expect(asked.filter((port) => !ports.includes(port))).toEqual([]);
    const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
    expect(mounted.sort()).toEqual(spec.volumes.map(({ name }: { name: string }) => name).sort());
  });

  it('keeps liveness and readiness apart, runs without rights, and lets accepted requests finish', () => {
    expect(container.livenessProbe.httpGet.path).toBe('/server/ping');
    expect(container.readinessProbe.httpGet.path).toBe('/server/ready');
    expect(spec.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
    const drain = seconds(container.env.find(({ name }: { name: string }) => name === 'DRAIN_TIME').value);
    // The balancer notices within the drain time.
    expect(container.readinessProbe.periodSeconds * container.readinessProbe.failureThreshold).toBeLessThan(drain);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + requestSeconds);
  });
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
