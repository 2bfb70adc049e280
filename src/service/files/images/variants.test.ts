import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { variantFolder, variantName } from '../storage/content-name.js';
import { openLocalStorage } from '../storage/local-storage.js';
import { removeOldVariants, trimVariants } from './variants.js';

const original = '11111111-2222-4333-8444-555555555555.png';
const dayMs = 86_400_000;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tain_test_variants_'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const kept = (): readonly string[] => readdirSync(join(root, variantFolder(original)));

async function store(name: string, ageMs: number, bytes = 10): Promise<void> {
  await openLocalStorage(root).write(
    name,
    (async function* () {
      yield Buffer.alloc(bytes);
    })(),
  );
  const then = new Date(Date.now() - ageMs);
  utimesSync(join(root, name), then, then);
}

it('keeps the newest hundred of an original', async () => {
  for (let index = 0; index < 120; index += 1) await store(variantName(original, String(index), 'png'), index * 1000);
  await trimVariants(openLocalStorage(root), original);
  expect(kept()).toHaveLength(100);
  expect(kept()).toContain(variantName(original, '0', 'png').split('/')[1]);
  expect(kept()).not.toContain(variantName(original, '119', 'png').split('/')[1]);
});

it('keeps a hundred megabytes of an original', async () => {
  for (let index = 0; index < 5; index += 1) await store(variantName(original, String(index), 'png'), index * 1000, 30 * 1024 * 1024);
  await trimVariants(openLocalStorage(root), original);
  expect(kept()).toHaveLength(3);
});

it('removes variants that are older than a month, and no originals', async () => {
  await store(original, 60 * dayMs);
  await store(variantName(original, 'old', 'png'), 31 * dayMs);
  await store(variantName(original, 'new', 'png'), 29 * dayMs);
  await removeOldVariants([openLocalStorage(root)]);
  expect(kept()).toEqual([variantName(original, 'new', 'png').split('/')[1]]);
  expect(readdirSync(root)).toContain(original);
});
