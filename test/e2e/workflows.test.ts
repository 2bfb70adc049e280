// The workflows for public runners name only what exists, and agree with the packages, the image and the page about installing. They cannot be run here.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseDocument } from 'yaml';

const project = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(project, name), 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(join(folder, 'package.json')));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
}

const jobsOf = (name: string): Readonly<Record<string, Job>> => parse(read(`.github/workflows/${name}`)).jobs;
const stepsOf = (name: string): readonly Step[] => Object.values(jobsOf(name)).flatMap(({ steps }) => steps);
const commandsOf = (name: string): readonly string[] => stepsOf(name).flatMap(({ run }) => (run === undefined ? [] : [run]));

describe.each(['test.yml', 'release.yml'])('%s', (name) => {
  it('is well-formed, bounded, and has rights only where it needs them', () => {
    const document = parseDocument(read(`.github/workflows/${name}`), { version: '1.2' });
    expect([...document.errors, ...document.warnings]).toEqual([]);
    expect(document.toJS().permissions).toEqual({ contents: 'read' });
    for (const [job, { 'timeout-minutes': minutes = 0 }] of Object.entries(jobsOf(name))) expect([job, minutes > 0]).toEqual([job, true]);
    const actions = stepsOf(name).flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(actions.filter((action) => !/^(?:actions|docker)\/[\w-]+@v\d+$/.test(action))).toEqual([]);
  });

  it('names scripts, files and workspaces that are there', () => {
    const { scripts, workspaces } = manifestOf('.');
    const words = commandsOf(name).join('\n');
    const named = [...words.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
    const files = [...words.matchAll(/(?:test|scripts|src)\/[\w./-]+/g)].map(([file]) => file);
    expect(files.filter((file) => !existsSync(join(project, file)))).toEqual([]);
    const places = [...words.matchAll(/--workspace ([\w-]+)/g)].map(([, place = '']) => place);
    expect(places.filter((place) => !workspaces.includes(place))).toEqual([]);
  });
});

it('every supported Node is tested', () => {
  const supported = /^\| Node \| ([^|]*) \|/m.exec(read('docs/install.md'))?.[1] ?? '';
  const wanted = [...supported.matchAll(/(?<![.\d])(\d\d)\b/g)].map(([, major]) => major);
  expect(wanted).toEqual(['20', '22', '24']);
  for (const job of ['test', 'package']) expect(jobsOf('test.yml')[job]?.strategy?.matrix.node).toEqual(wanted);
  for (const folder of ['.', 'create-tain']) expect(manifestOf(folder).engines).toEqual({ node: '>=20.19' });
});

it('a release has one version and one home for all that it publishes', () => {
  const [tain, studio, creator] = ['.', 'studio', 'create-tain'].map(manifestOf);
  expect([studio.version, creator.version]).toEqual([tain.version, tain.version]);
  expect(creator.repository).toEqual({ ...tain.repository, directory: 'create-tain' });
  expect([creator.license, read('create-tain/LICENSE')]).toEqual([tain.license, read('LICENSE')]);
  const published = commandsOf('release.yml').filter((command) => command.startsWith('npm publish'));
  expect(published).toEqual([
    'npm publish --provenance --access public',
    'npm publish --provenance --access public --workspace create-tain',
  ]);
  expect(jobsOf('release.yml')['packages']?.permissions).toMatchObject({ 'id-token': 'write' });
});

it('the image of a release is the one that a new folder names, for both architectures', () => {
  const image = jobsOf('release.yml')['image']?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))?.with ?? {};
  expect(image).toMatchObject({ push: true, platforms: 'linux/amd64,linux/arm64', sbom: true });
  const [name] = /ghcr\.io\/[\w/-]+(?=:\$)/.exec(read('create-tain/files.mjs')) ?? [];
  expect(name).toBeDefined();
  expect(String(image['tags'])).toContain(`${name}:`);
});

it('the list of parts of a release has every dependency', async () => {
  const command = commandsOf('release.yml').find((each) => each.startsWith('npm sbom ')) ?? '';
  const [program = '', ...args] = (command.split(' > ')[0] ?? '').split(' ');
  const { stdout } = await promisify(execFile)(program, args, { cwd: project, maxBuffer: 2 ** 26 });
  const { bomFormat, components } = JSON.parse(stdout);
  expect(bomFormat).toBe('CycloneDX');
  const listed = new Set(components.map(({ purl }: { purl: string }) => decodeURIComponent(/^pkg:npm\/(.*)@/.exec(purl)?.[1] ?? '')));
  const { dependencies, devDependencies } = manifestOf('.');
  const { bundledPackages } = JSON.parse(read('architecture.json'));
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(bundledPackages));
  expect([...Object.keys(dependencies), ...bundledPackages].filter((name) => !listed.has(name))).toEqual([]);
});
