import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readArguments } from './read-arguments.js';

it('reads the file .env of its folder, unless it is one of Directus', () => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_arguments_'));
  const portOf = (text: string): number | null => {
    writeFileSync(join(folder, '.env'), text);
    const request = readArguments(['release', 'sqlite:./data.db'], {});
    return request.kind === 'run' ? request.input.config.port : null;
  };
  try {
    process.chdir(folder);
    expect([portOf('PORT=9000'), portOf('PORT=9000\nSECRET=short\nDB_CLIENT=pg')]).toEqual([9000, 8055]);
    expect(portOf('PORT=9000\nDB_CLIENT=pg\nDATABASE_URL=sqlite:./a.db')).toBe(9000);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  }
});

it('starts where no command is named', () => {
  const started = (...args: string[]): unknown => {
    const request = readArguments(args, {});
    return request.kind === 'run' ? [request.command.usage.split(' ')[0], request.input.operands, request.input.config.port] : request;
  };
  expect(started()).toEqual(['start', [], 8055]);
  expect(started('postgres://localhost/shop', '--port', '9000')).toEqual(['start', ['postgres://localhost/shop'], 9000]);
  expect(started('--help')).toEqual({ kind: 'help', command: null });
  expect(started('help', 'adopt')).toEqual({ kind: 'help', command: 'adopt' });
  expect(() => started('shop.db')).toThrow('"shop.db" is no command');
});
