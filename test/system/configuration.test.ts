// The configuration as files: from one vendor to another and back in the same bytes, what was changed in between is not overwritten.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Configuration, PushOptions, PushPlan } from '../../src/service/transfer/config/configuration.js';
import { readFolder, writeFolder, writeState } from '../../src/service/transfer/config/folder.js';
import { createService, type Service } from '../../src/tain.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { patientConfig } from '../harness/patience.js';
import { RandomConfiguration } from '../harness/random-configuration.js';
import { type Folder, makeFolder } from '../harness/run-command.js';
import { adminEmail, adminPassword, adminToken } from '../harness/start-service.js';
import { createDatabase, type Vendor } from '../harness/vendors.js';

const rounds = Number(process.env['CONFIGURATIONS'] ?? 2);
const headers = { authorization: `Bearer ${adminToken}` };
let folder: Folder;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => folder.remove());

interface Side {
  readonly service: Service;
  configuration(): Promise<Configuration>;
  pull(name: string): Promise<Readonly<Record<string, string>>>;
  plan(name: string, options?: Partial<PushOptions>): Promise<PushPlan>;
  push(name: string, options?: Partial<PushOptions>): Promise<void>;
  stop(): Promise<void>;
}

async function open(vendor: Vendor): Promise<Side> {
  const database = await createDatabase(vendor, 'configuration', vendor.prepared);
  const accounts = { adminEmail, adminPassword, adminToken };
  const opened = await createService({ databaseUrl: database.url, logLevel: 'error', rateLimit: null, ...accounts, ...patientConfig });
  const configuration = async (): Promise<Configuration> => (await opened.administer()).configuration;
  const side: Side = {
    service: opened,
    configuration,
    async pull(name) {
      const of = await configuration();
      await writeFolder(join(folder.path, name), of, await of.read(null), null);
      return filesIn(join(folder.path, name));
    },
    async plan(name, options = {}) {
      const of = await configuration();
      const { things, digests } = await readFolder(join(folder.path, name), of);
      return of.plan(things, { only: null, prune: false, force: [], lossy: false, folder: digests, ...options });
    },
    async push(name, options) {
      const plan = await side.plan(name, options);
      expect(plan.conflicts).toEqual([]);
      await writeState(join(folder.path, name), await plan.run());
    },
    async stop() {
      await opened.close();
      await database.drop();
    },
  };
  return side;
}

function filesIn(path: string): Readonly<Record<string, string>> {
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [join(parentPath, name).slice(path.length + 1), readFileSync(join(parentPath, name), 'utf8')]),
  );
}

describeEachVendor('configurations', (vendor) => {
  const next = { sqlite: 'postgres', postgres: 'mysql', mysql: 'sqlite' } as const;
  const others = inject('vendors').filter(({ name }) => name === next[vendor.name]);

  it.each(others)('come to $name, and are the same bytes when they are pulled from there', async (other) => {
    const [from, to] = [await open(vendor), await open(other)];
    const random = new RandomConfiguration(from.service, 1);
    try {
      await random.begin();
      for (let round = 0; round < rounds; round += 1) {
        await random.change();
        const [here, there] = [`${vendor.name}-${round}`, `${vendor.name}-${round}-${other.name}`];
        const files = await from.pull(here);
        await to.push(here, { prune: true });
        expect(await to.pull(there)).toEqual(files);
        expect((await to.plan(there)).differences).toEqual([]);
      }
      const answer = await to.service.inject({ method: 'GET', url: '/users/me?fields=role.name', headers });
      expect(answer.json()).toEqual({ data: { role: { name: 'Administrator' } } });
    } finally {
      await from.stop();
      await to.stop();
    }
  });
});

describe('a push', () => {
  const [vendor] = inject('vendors');
  let side: Side;
  const file = (path: string): string => join(folder.path, 'mine', path);
  const send = async (method: 'POST' | 'PATCH' | 'GET', url: string, payload?: object) =>
    (await side.service.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })).json();
  const edit = (path: string, change: object): void =>
    writeFileSync(file(path), stringify({ ...parse(readFileSync(file(path), 'utf8')), ...change }));
  const rolePath = (): string => `roles/${readdirSync(file('roles')).find((name) => name.startsWith('editors')) ?? ''}`;

  beforeAll(async () => {
    if (vendor === undefined) return;
    side = await open(vendor);
    await send('POST', '/roles', { name: 'Editors', description: 'first' });
    await side.pull('mine');
    await side.push('mine');
  });

  afterAll(() => side.stop());

  it('changes what the files changed, and says so before', async () => {
    edit(rolePath(), { description: 'from the file' });
    const plan = await side.plan('mine');
    expect(plan.differences.map(({ action, path, parts }) => [action, path, parts])).toEqual([['change', rolePath(), ['description']]]);
    expect((await send('GET', '/roles?filter[name][_eq]=Editors')).data[0].description).toBe('first');
    await side.push('mine');
    expect((await send('GET', '/roles?filter[name][_eq]=Editors')).data[0].description).toBe('from the file');
  });

  it('does not overwrite what was changed in the database since, unless it is named', async () => {
    const [{ id }] = (await send('GET', '/roles?filter[name][_eq]=Editors')).data;
    await send('PATCH', `/roles/${id}`, { description: 'from Studio' });
    const { conflicts } = await side.plan('mine');
    expect(conflicts.map(({ path }) => path)).toEqual([rolePath()]);
    await side.pull('theirs');
    expect((await side.plan('theirs')).conflicts).toEqual([]);
    await side.push('mine', { force: [rolePath()] });
    expect((await send('GET', `/roles/${id}`)).data.description).toBe('from the file');
  });

  it('removes only with --prune, and never what users have', async () => {
    await send('POST', '/roles', { name: 'Passing' });
    await send('POST', '/folders', { name: 'not configuration' });
    expect((await side.plan('mine')).differences).toEqual([]);
    const plan = await side.plan('mine', { prune: true });
    expect(plan.conflicts.map(({ action }) => action)).toEqual(['remove']);
    await side.push('mine', { prune: true, force: plan.conflicts.map(({ path }) => path) });
    expect((await send('GET', '/roles?filter[name][_eq]=Passing')).data).toEqual([]);
    mkdirSync(join(folder.path, 'none'));
    const everything = await side.plan('none', { prune: true, force: [] });
    expect(everything.kept.join()).toMatch(/roles\/administrator.*users have it/);
  });

  it('takes the first role and policy of another database for those of the files', async () => {
    if (vendor === undefined) return;
    const other = await open(vendor);
    try {
      await other.push('mine');
      expect((await other.plan('mine', { prune: true })).differences).toEqual([]);
      const answer = await other.service.inject({ method: 'GET', url: '/policies?filter[name][_eq]=Administrator&fields=users', headers });
      expect(answer.json().data).toHaveLength(1);
      const me = await other.service.inject({ method: 'GET', url: '/users/me?fields=role.name', headers });
      expect(me.json()).toEqual({ data: { role: { name: 'Administrator' } } });
    } finally {
      await other.stop();
    }
  });

  it('is refused for files that say what nothing takes, with their name', async () => {
    const before = readFileSync(file(rolePath()), 'utf8');
    edit(rolePath(), { colour: 'red' });
    await expect(side.plan('mine')).rejects.toThrow(/roles\/editors.*: "colour" is nothing that roles have; known are name/);
    writeFileSync(file(rolePath()), 'a: [');
    await expect(side.plan('mine')).rejects.toThrow(/is no YAML/);
    writeFileSync(file(rolePath()), before);
    writeFileSync(file('roles/double.yaml'), before);
    await expect(side.plan('mine')).rejects.toThrow(/describe the same/);
  });

  it('keeps no secret in files', async () => {
    await send('PATCH', '/settings', { mapbox_key: 'pk.very-secret' });
    expect(JSON.stringify(await side.pull('secretless'))).not.toMatch(/very-secret|\$argon2|password: /);
  });
});
