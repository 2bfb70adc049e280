// The page on architecture shows the very lines from which the import rules are made.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

it('architecture.md and architecture.json agree', () => {
  const { lines, wings } = JSON.parse(read('architecture.json')) as Readonly<Record<'lines' | 'wings', Readonly<Record<string, string>>>>;
  const page = read('docs/architecture.md');
  for (const [floor, line] of Object.entries(lines)) expect(page).toContain(`${`${floor}:`.padEnd(9)} ${line}`);
  for (const [folder, line] of Object.entries(wings)) expect(page).toContain(`${folder}: ${line}`);
});

it('every room of Studio has its place in the line', () => {
  const { lines } = JSON.parse(read('architecture.json')) as Readonly<Record<'lines', Readonly<Record<'studio', string>>>>;
  const rooms = readdirSync(new URL('../../studio/src', import.meta.url)).filter((name) => !name.endsWith('.css'));
  expect(
    lines.studio
      .split(/[←|]/)
      .map((name) => name.trim())
      .sort(),
  ).toEqual(rooms.sort());
});
