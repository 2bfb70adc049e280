import { expect, it } from 'vitest';
import type { Migration } from './migrations.js';
import { compareVersions } from './upgrade-state.js';

const known: readonly Migration[] = ['0001', '0002', '0003'].map((version) => ({
  version,
  name: `name ${version}`,
  about: `about ${version}`,
  run: async () => undefined,
}));
const versionsOf = (seen: readonly string[] | null): readonly unknown[] => {
  const { kind, from, to, due } = compareVersions(seen === null ? null : new Set(seen), known);
  return [kind, from, to, due.map(({ version }) => version)];
};

it.each([
  [null, ['new', null, '0003', ['0001', '0002', '0003']]],
  [[], ['due', null, '0003', ['0001', '0002', '0003']]],
  [
    ['0001', 'first-start'],
    ['due', '0001', '0003', ['0002', '0003']],
  ],
  // Interrupted, or of two instances at once.
  [
    ['0001', '0003'],
    ['due', '0003', '0003', ['0002']],
  ],
  [
    ['0003', '0001', '0002', 'first-start'],
    ['current', '0003', '0003', []],
  ],
  [
    ['0001', '0002', '0003', '0004'],
    ['newer', '0004', '0003', []],
  ],
  [
    ['0001', '0004'],
    ['newer', '0004', '0003', ['0002', '0003']],
  ],
])('%j', (seen, told) => {
  expect(versionsOf(seen)).toEqual(told);
});

it('says of each what it does', () => {
  expect(compareVersions(new Set(['0001', '0002']), known).due).toEqual([{ version: '0003', name: 'name 0003', about: 'about 0003' }]);
});
