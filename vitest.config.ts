// Five groups of tests: `unit` beside the sources, `service` over HTTP on real databases, `browser` for Studio in Chromium, `heavy` for what takes
// minutes, `cluster` for poolers, replicas and clusters that the tests start.

import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/harness/longest-first.js';

/** How long `expect.poll` waits for what must happen: a bound for a busy machine. */
const patient = { expect: { poll: { timeout: 30_000, interval: 50 } } };

// Files share the modules of their process: loading and warming up the service for each of them would take a third of the time. So a file
// leaves nothing behind: no changed environment, no clock that stands still, no service that runs on.
const shared = { ...patient, isolate: false, setupFiles: ['test/harness/property-seed.ts'] };

// Real services on real databases: on a busy machine a test may take its time. None is tried twice: a test that passes only sometimes has
// found a race, in the service or in itself.
const overHttp = {
  ...patient,
  globalSetup: ['test/harness/vendors-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 240_000,
  pool: 'forks' as const,
  // Requests and their answers live shortly: with more room for what is new, the collector runs less often and copies less.
  execArgv: ['--max-semi-space-size=64'],
};

export default defineConfig({
  test: {
    reporters: ['default', './test/harness/summary-reporter.ts'],
    // One more than the cores of a small machine: a test of limits and deadlines waits most of its time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'studio/src/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...shared,
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.heavy.test.ts', 'test/studio/**', 'test/cluster/**'],
          ...overHttp,
          ...shared,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/studio/**/*.test.ts'],
          ...overHttp,
          ...shared,
          // A journey has many steps, each with its own limit, which tells more than the end of the test.
          testTimeout: 300_000,
          globalSetup: [...overHttp.globalSetup, 'test/studio/browser-setup.ts'],
        },
      },
      { test: { name: 'cluster', include: ['test/cluster/**/*.test.ts'], ...overHttp, testTimeout: 600_000 } },
      { test: { name: 'heavy', include: ['test/**/*.heavy.test.ts'], ...overHttp, testTimeout: 600_000 } },
    ],
  },
});
