import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorStatus } from './codes.js';

it('every code is documented with its status, and no other', () => {
  const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| ([A-Z_]+) \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)]);
  expect(documented).toEqual(Object.entries(errorStatus));
});
