// Security case H07 for images: what strangers and impatient clients may cost. Images are no matter of the database, except for the rule of
// who may ask for what, which runs on every vendor.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { animatedWebp, bombPng, bombSvg, manyFrames } from '../fixtures/hostile-images.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf } from '../harness/people.js';
import { adminToken, type StartOptions, startService, type TestService } from '../harness/start-service.js';
import { makeImage, makeStorageFolder, type StorageFolder, upload } from '../harness/upload.js';

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;
const storeImage = async (service: TestService, width: number, height: number): Promise<string> =>
  (await upload(service.api, { name: 'a.png', type: 'image/png', bytes: await makeImage(width, height) })).body.data.id;

async function openFilesToAll(service: TestService): Promise<void> {
  const [{ id: policy }] = (await service.api.get('/policies?filter[name][_contains]=ublic&fields=id')).body.data;
  await service.api.post('/permissions', { policy, collection: 'service_files', action: 'read', fields: ['*'] });
}

/** The processes that work on images; none where the system does not list them. */
function imageProcesses(): readonly number[] {
  if (process.platform !== 'linux') return [];
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' }).split('\n');
  const pids = lines.filter((line) => line.includes('image-process')).map((line) => Number.parseInt(line, 10));
  expect(pids.length).toBeGreaterThan(0);
  return pids;
}

/** In kilobytes. */
const peakMemory = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

describe('what images may cost', () => {
  let service: TestService;
  let folder: StorageFolder;
  beforeAll(async () => {
    folder = makeStorageFolder();
    service = await startService(sqlite, { area: 'images', config: { storageRoot: folder.root, publicTransformations: 'all' } });
    await openFilesToAll(service);
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it('H07: dozens of slow images at once delay no other request, and end when their clients leave', async () => {
    const [big, other] = [await storeImage(service, 1900, 1900), await storeImage(service, 60, 40)];
    const leaving = new AbortController();
    let done = 0;
    const asked = Array.from({ length: 31 }, (_, index) =>
      fetch(`${service.url}/assets/${big}?width=${1_900 + index}&height=2000&format=avif&quality=${60 + index}`, {
        headers: { authorization: `Bearer ${adminToken}` },
        signal: leaving.signal,
      }).then(
        (answer) => {
          done += 1;
          return answer.status;
        },
        () => 'left',
      ),
    );
    for (const path of [`/assets/${other}?width=20`, `/assets/${other}?width=21&format=webp`, `/assets/${other}`])
      expect((await service.as(null).get(path)).status).toBe(200);
    expect((await upload(service.api, { name: 'b.png', type: 'image/png', bytes: await makeImage(9, 7) })).body.data.width).toBe(9);
    expect(done).toBeLessThan(16);
    leaving.abort();
    expect(await Promise.all(asked)).toContain('left');
    // Nothing is worked on any more: the next slow image has its turn at once, and no late result is stored.
    const again = performance.now();
    expect((await service.as(null).get(`/assets/${other}?width=30&format=avif`)).status).toBe(200);
    expect(performance.now() - again).toBeLessThan(40_000);
    const stored = folder.list().length;
    await sleep(4_000);
    expect(folder.list()).toHaveLength(stored);
  });

  it('F09: images that would cost too much are refused by their header, under any declared type, and cost no memory', async () => {
    const truncated = async (format: 'png' | 'jpeg' | 'webp', length: number) => (await makeImage(300, 300, format)).subarray(0, length);
    const files: Readonly<Record<string, Uint8Array>> = {
      'a PNG of 50,000 x 50,000': bombPng(50_000, 50_000),
      'a PNG of 8,000 x 8,000': bombPng(8_000, 8_000),
      'a GIF of 10,000 frames': manyFrames(10_000),
      'an animated WebP of 600 frames': await animatedWebp(600, 400),
      'an animated WebP of ten large frames': await animatedWebp(10, 4_000),
      'an SVG of a billion laughs': bombSvg,
      'a truncated PNG': await truncated('png', 60),
      'a truncated JPEG': await truncated('jpeg', 400),
      'a truncated WebP': await truncated('webp', 40),
      nothing: new Uint8Array(0),
    };
    for (const [name, bytes] of Object.entries(files)) {
      for (const type of ['image/png', 'image/gif', 'image/svg+xml']) {
        const { id } = (await upload(service.api, { name: 'x', type, bytes })).body.data;
        for (const query of ['width=10', 'format=avif', 'height=5000&format=webp'])
          expect([name, type, query, codeOf(await service.api.get(`/assets/${id}?${query}`))]).toEqual([
            name,
            type,
            query,
            '400 ILLEGAL_ASSET_TRANSFORMATION',
          ]);
      }
    }
    for (const pid of imageProcesses()) expect(peakMemory(pid)).toBeLessThan(400 * 1024);
    const few = (await upload(service.api, { name: 'x', type: 'image/gif', bytes: manyFrames(50) })).body.data.id;
    expect((await service.api.get(`/assets/${few}?width=10`)).status).toBe(200);
    const chain = encodeURIComponent(JSON.stringify(Array.from({ length: 100 }, () => ['blur', 5])));
    for (const query of [`transforms=${chain}`, `width=10&transforms=${chain}`])
      expect(codeOf(await service.api.get(`/assets/${few}?${query}`))).toBe('400 ILLEGAL_ASSET_TRANSFORMATION');
  });

  it('H07: the same image asked for many times is made once', async () => {
    const id = await storeImage(service, 300, 200);
    const before = folder.list().length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.as(null).get(`/assets/${id}?width=100&format=avif`)));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('etag')}`)).size).toBe(1);
    expect(folder.list()).toHaveLength(before + 1);
  });

  it('H07: results have a bound, smaller for AVIF; `auto` takes another format instead', async () => {
    const id = await storeImage(service, 100, 100);
    const ask = (query: string) => service.api.get(`/assets/${id}?${query}`, { accept: 'image/avif,image/webp' });
    for (const query of [
      'width=2001&height=2001&format=avif',
      'width=2001&format=avif',
      'width=4001&height=4001',
      'height=5000&format=jpg',
    ])
      expect([query, codeOf(await ask(query))]).toEqual([query, '400 ILLEGAL_ASSET_TRANSFORMATION']);
    const [small, large] = [await ask('width=200&format=auto'), await ask('width=2100&format=auto')];
    expect([small, large].map(({ headers }) => headers.get('content-type'))).toEqual(['image/avif', 'image/webp']);
  });
});

describeEachVendor('who may ask for which images', (vendor) => {
  const presets = [{ key: 'small', fit: 'cover', width: 8, height: 8, quality: 80, format: 'webp' }];

  async function withService(config: StartOptions['config'], act: (service: TestService, id: string) => Promise<void>): Promise<void> {
    const folder = makeStorageFolder();
    const service = await startService(vendor, { area: 'images', config: { ...config, storageRoot: folder.root } });
    try {
      await openFilesToAll(service);
      await service.api.patch('/settings', { storage_asset_presets: presets });
      await act(service, await storeImage(service, 20, 10));
    } finally {
      await service.stop();
      folder.remove();
    }
  }

  it('H07: strangers get the original and named presets, users what the settings allow', async () => {
    await withService({}, async (service, id) => {
      const codes = async (token: string | null) => {
        const asked = ['', '?key=small', '?key=none', '?width=5', '?format=avif', '?format=auto'];
        return Promise.all(asked.map(async (query) => codeOf(await service.as(token).get(`/assets/${id}${query}`))));
      };
      const refused = '400 INVALID_QUERY';
      expect(await codes(null)).toEqual(['200', '200', refused, refused, refused, refused]);
      expect(await codes(adminToken)).toEqual(['200', '200', refused, '200', '200', '200']);
      await service.api.patch('/settings', { storage_asset_transform: 'none' });
      for (const token of [null, adminToken]) expect((await codes(token)).slice(0, 2)).toEqual(['200', refused]);
    });
  });

  it('PUBLIC_TRANSFORMATIONS=all leaves it to the settings', async () => {
    await withService({ publicTransformations: 'all' }, async (service, id) => {
      expect((await service.as(null).get(`/assets/${id}?width=5`)).status).toBe(200);
    });
  });
});
