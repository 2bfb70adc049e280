// `tain schema` as a user runs it: a snapshot of one database made true in another.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { build, type Folder, makeFolder, runTain } from '../harness/run-command.js';

let folder: Folder;

beforeAll(async () => {
  await build();
  folder = makeFolder();
});

afterAll(() => folder.remove());

async function tain(...args: readonly string[]): Promise<{ readonly code: number | string; readonly output: string }> {
  const command = runTain(folder, args);
  const code = await command.ended;
  return { code, output: command.output() };
}

const schema = (database: string, ...args: readonly string[]): ReturnType<typeof tain> =>
  tain('schema', ...args, '--database-url', `sqlite:${database}.db`);

it('brings a structure over, once', { timeout: 180_000 }, async () => {
  expect((await tain('demo', 'sqlite:from.db')).code).toBe(0);
  expect(await schema('from', 'snapshot', 'structure.yaml')).toMatchObject({ code: 0, output: '' });
  const dry = await schema('to', 'apply', 'structure.yaml', '--dry-run');
  expect(dry.output).toMatch(/CREATE TABLE "books"/);
  expect(dry.output).not.toContain('Applied');
  expect((await schema('to', 'apply', 'structure.yaml')).output).toMatch(/Applied\.\n$/);
  expect(await schema('to', 'diff', 'structure.yaml')).toMatchObject({ code: 0, output: 'Nothing differs.\n' });
});

it('loses nothing unless allowed to', { timeout: 180_000 }, async () => {
  const document = parse(readFileSync(join(folder.path, 'structure.yaml'), 'utf8'));
  const fields = document.fields.filter(({ field }: { field: string }) => field !== 'isbn' && field !== 'title');
  writeFileSync(join(folder.path, 'less.yaml'), stringify({ ...document, fields }));
  const refused = await schema('to', 'apply', 'less.yaml');
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('lossy') });
  expect((await schema('to', 'apply', 'less.yaml', '--merge')).output).toBe('Nothing differs.\n');
  expect((await schema('to', 'apply', 'less.yaml', '--lossy')).output).toMatch(/Applied/);
  expect((await schema('to', 'diff', 'less.yaml')).output).toBe('Nothing differs.\n');
});

it('says what is wrong in one line', { timeout: 180_000 }, async () => {
  expect(await schema('to', 'explode')).toMatchObject({ code: 1, output: expect.stringContaining('usage') });
  expect(await schema('to', 'apply', 'nothing.yaml')).toMatchObject({ code: 1, output: expect.stringContaining('nothing.yaml') });
  expect(await tain('start', '--lossy')).toMatchObject({ code: 1, output: expect.stringContaining('--lossy') });
});
