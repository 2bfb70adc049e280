import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLocalStorage } from './local-storage.js';
import { readAll } from './read-all.js';
import type { Storage } from './storage.js';

let root: string;
let storage: Storage;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tain_test_storage_'));
  storage = openLocalStorage(join(root, 'made', 'later'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

async function* bytes(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const textOf = async (name: string, range?: { first: number; last: number }): Promise<string | null> => {
  const stream = await storage.read(name, range);
  return stream === null ? null : (await readAll(stream)).toString();
};

it('writes, reads and removes', async () => {
  await storage.write('a.txt', bytes('01234', '56789'));
  expect([await storage.size('a.txt'), await textOf('a.txt'), await textOf('a.txt', { first: 2, last: 4 })]).toEqual([
    10,
    '0123456789',
    '234',
  ]);
  await storage.write('variants-a/b.webp', bytes('x'));
  await storage.removeFolder('variants-a');
  await storage.remove('a.txt');
  await storage.remove('a.txt');
  expect(readdirSync(join(root, 'made', 'later'))).toEqual([]);
});

it('keeps nothing of a content that breaks off', async () => {
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('some');
    throw new Error('gone');
  };
  await expect(storage.write('a.txt', broken())).rejects.toThrow('gone');
  expect(await storage.size('a.txt')).toBeNull();
  expect(readdirSync(join(root, 'made', 'later'))).toEqual([]);
});

it('B12, B13: opens regular files of its own only', async () => {
  await storage.write('a.txt', bytes('mine'));
  const inside = join(root, 'made', 'later');
  writeFileSync(join(root, 'secret'), 'secret');
  symlinkSync(join(root, 'secret'), join(inside, 'link'));
  mkdirSync(join(inside, 'folder'));
  for (const name of ['link', 'folder', '../../secret', '..', '', 'missing', 'a.txt/b']) {
    expect([await storage.size(name), await textOf(name)]).toEqual([null, null]);
  }
  await expect(storage.write('../x', bytes('x'))).rejects.toThrow();
  await storage.remove('../../secret');
  expect(readdirSync(root).sort()).toEqual(['made', 'secret']);
});
