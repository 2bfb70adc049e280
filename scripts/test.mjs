// `npm test [-- --cost] [files and options of vitest]`: unit tests, tests over HTTP and tests in a browser. With `--cost` the summary has a table of what
// each file took, so that a run that grew too long shows where.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const given = process.argv.slice(2);
const options = given.filter((option) => option !== '--cost');
const projects = ['unit', 'service', 'browser'].flatMap((name) => ['--project', name]);
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const { status } = spawnSync(process.execPath, [vitest, 'run', ...projects, ...options], {
  stdio: 'inherit',
  env: { ...process.env, ...(options.length < given.length && { TEST_COST: 'yes' }) },
});
process.exitCode = status ?? 1;
