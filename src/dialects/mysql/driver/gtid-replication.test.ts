import { expect, it } from 'vitest';
import { reachesGtid } from './gtid-replication.js';

it.each([
  ['0-1-100', '0-1-100', true],
  ['0-1-100', '0-1-101', false],
  ['0-2-9', '0-1-10', false],
  ['0-2-100', '0-1-99', true],
  ['0-1-5,1-1-7', '0-1-5', true],
  ['0-1-5', '0-1-5,1-1-7', false],
  ['0-1-5, 1-1-7', '1-2-7,0-1-4', true],
  ['', '0-1-1', false],
  ['0-1-1', '', true],
  ['6c-uuid-a:12', '6c-uuid-a:12', true],
  ['6c-uuid-a:11', '6c-uuid-a:12', false],
  ['6c-uuid-b:99', '6c-uuid-a:12', false],
  ['0-1-99', '6c-uuid-a:12', false],
])('%s reaches %s: %s', (applied, position, reached) => {
  expect(reachesGtid(applied, position)).toBe(reached);
});
