import sharp from 'sharp';
import { afterEach, expect, it } from 'vitest';
import { type ImagePool, type ImageWork, openImagePool } from './image-pool.js';
import type { ImageFormat } from './transformation.js';

let pool: ImagePool;
afterEach(() => pool.close());

const image = await sharp({
  create: { width: 400, height: 400, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
})
  .png()
  .toBuffer();
const started: number[] = [];

const transform = (side: number, format: ImageFormat): ImageWork => ({
  slow: format === 'avif',
  prepare: async () => {
    started.push(side);
    const wanted = { width: side, height: side, fit: 'cover', format, quality: 80, withoutEnlargement: false } as const;
    return { kind: 'transform', bytes: image, wanted, format };
  },
});
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { readonly code?: string }) => error.code ?? String(error),
  );

it('transforms and measures images, and refuses other contents and images that are too large', async () => {
  pool = openImagePool();
  expect(await pool.run(transform(30, 'webp'), null)).toMatchObject({ kind: 'transformed' });
  const measure = { slow: false, prepare: async () => ({ kind: 'measure', bytes: image }) as const };
  expect(await pool.run(measure, null)).toEqual({ kind: 'measured', width: 400, height: 400 });
  const broken = { ...transform(30, 'png'), prepare: async () => ({ ...(await transform(30, 'png').prepare()), bytes: Buffer.from('x') }) };
  expect(await codeOf(pool.run(broken, null))).toBe('ILLEGAL_ASSET_TRANSFORMATION');
  for (const [side, format] of [
    [2001, 'avif'],
    [4001, 'png'],
  ] as const)
    expect(await codeOf(pool.run(transform(side, format), null))).toBe('ILLEGAL_ASSET_TRANSFORMATION');
});

it('kills a process that takes too long, and continues with the next job', async () => {
  pool = openImagePool({ processes: 2, jobMs: 300, busyMs: 60_000 });
  expect(await codeOf(pool.run(transform(2000, 'avif'), null))).toBe('ILLEGAL_ASSET_TRANSFORMATION');
  pool.close();
  pool = openImagePool({ processes: 2 });
  expect(await codeOf(pool.run(transform(20, 'avif'), null))).toBe('done');
});

it('runs quick formats while slow ones wait, and drops jobs whose client has disconnected', async () => {
  pool = openImagePool({ processes: 2 });
  const leaving = new AbortController();
  const slow = Array.from({ length: 20 }, (_, index) => codeOf(pool.run(transform(1900 + index, 'avif'), leaving.signal)));
  started.length = 0;
  expect(await codeOf(pool.run(transform(20, 'png'), null))).toBe('done');
  expect(started.filter((side) => side > 20).length).toBeLessThan(10);
  leaving.abort();
  expect(new Set(await Promise.all(slow)).has('SERVICE_UNAVAILABLE')).toBe(true);
  expect(await codeOf(pool.run(transform(21, 'avif'), null))).toBe('done');
  expect(await codeOf(pool.run(transform(22, 'png'), AbortSignal.abort()))).toBe('SERVICE_UNAVAILABLE');
});

it('refuses jobs when the queue is full', async () => {
  pool = openImagePool({ processes: 2, maxQueued: 1 });
  const leaving = new AbortController();
  const asked = Array.from({ length: 4 }, () => codeOf(pool.run(transform(1900, 'avif'), leaving.signal)));
  expect(await Promise.race(asked)).toBe('SERVICE_UNAVAILABLE');
  leaving.abort();
  await Promise.all(asked);
});
