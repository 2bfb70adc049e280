// Shared by the heavy tests: their duration, counts that add up over several runs, and rows for the table in docs/reliability.md.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VendorName } from './vendors.js';

/** HEAVY_MINUTES: the duration of each long run on each vendor. */
export const heavyMs = Number(process.env['HEAVY_MINUTES'] ?? 5) * 60_000;

/** HEAVY_STATE: the folder of the counts; remove it to start at zero. */
const folder = process.env['HEAVY_STATE'] ?? '.heavy';

type Counts = Readonly<Record<string, number>>;

/** Adds to the counts of earlier runs under this name and returns the sums. */
export function addCounts<C extends Counts>(name: string, added: C): C {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  const before = readCounts(file);
  const sums = Object.fromEntries(Object.entries(added).map(([key, value]) => [key, value + (before[key] ?? 0)])) as C;
  writeFileSync(file, `${JSON.stringify(sums)}\n`);
  return sums;
}

/** The counts of earlier runs. */
export const countsSoFar = (name: string): Counts => readCounts(join(folder, `${name}.json`));

function readCounts(file: string): Counts {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch {
    return {};
  }
}

/** Prints a row of the table in docs/reliability.md. */
export function reportRow(what: string, vendor: VendorName, done: string, found: string): void {
  const row = `| ${what} | ${vendor} | ${done} | ${found} |`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'rows.md'), `${row}\n`, { flag: 'a' });
  console.log(row);
}

export const thousands = (count: number): string => Math.round(count).toLocaleString('en-US');
