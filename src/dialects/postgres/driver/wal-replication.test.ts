import { expect, it } from 'vitest';
import { walReplication, withoutPageHeader } from './wal-replication.js';

it.each([
  ['0/3000060', '0/3000060', true],
  ['0/3000060', '0/3000061', false],
  ['1/0', '0/FFFFFFFF', true],
  ['0/A', '0/9', true],
  ['A/0', '9/FF', true],
])('%s reaches %s: %s', (applied, position, reached) => {
  expect(walReplication.reaches(applied, position)).toBe(reached);
});

it('takes the end of a page for the place behind the header of the next one', () => {
  expect(withoutPageHeader('0/3002018')).toBe('0/3002000');
  expect(withoutPageHeader('2/1000028')).toBe('2/1000000');
  expect(withoutPageHeader('0/3002060')).toBe('0/3002060');
});
