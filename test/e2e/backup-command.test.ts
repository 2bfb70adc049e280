// `tain backup`, `restore`, `verify` and `config` as a user runs them.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('backs up, verifies and restores', { timeout: 180_000 }, async () => {
  expect((await tain('demo', 'sqlite:shop.db')).code).toBe(0);
  const made = await tain('backup', 'shop.backup', '--database-url', 'sqlite:shop.db');
  expect(made).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Written: shop\.backup, \d+ tables with \d+ rows, without the contents/),
  });
  expect((await tain('verify', 'shop.backup')).output).toMatch(/^Whole: shop\.backup/);
  const restored = await tain('restore', 'shop.backup', '--database-url', 'sqlite:new.db');
  expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/^Restored: \d+ tables/) });
  const again = await tain('restore', 'shop.backup', '--database-url', 'sqlite:new.db');
  expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/^tain: the database is not empty/) });
  writeFileSync(join(folder.path, 'half.backup'), readFileSync(join(folder.path, 'shop.backup')).subarray(0, 5000));
  expect(await tain('verify', 'half.backup')).toMatchObject({
    code: 1,
    output: expect.stringContaining('not written or copied to its end'),
  });
});

it('pulls, compares and pushes', { timeout: 180_000 }, async () => {
  expect((await tain('config', 'pull', 'files', '--database-url', 'sqlite:shop.db')).output).toMatch(/written collections\/books\.yaml/);
  expect((await tain('config', 'diff', 'files', '--database-url', 'sqlite:shop.db')).output).toBe('Nothing differs.\n');
  const settings = join(folder.path, 'files', 'settings.yaml');
  writeFileSync(settings, 'project_name: Another\n');
  const push = ['config', 'push', 'files', '--database-url', 'sqlite:shop.db'] as const;
  expect((await tain(...push, '--dry-run')).output).toMatch(/change settings\.yaml \(project_name\)\nNothing was changed/);
  expect(await tain(...push)).toMatchObject({ code: 1, output: expect.stringContaining('add --yes') });
  expect((await tain(...push, '--yes')).output).toMatch(/Pushed\.\n$/);
  expect(await tain('config', 'push', 'files', '--only', 'nothing')).toMatchObject({
    code: 1,
    output: expect.stringContaining('there is no "nothing"'),
  });
});
