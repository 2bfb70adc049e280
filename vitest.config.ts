// Three groups of tests: `unit` beside the sources, `service` over HTTP on real databases, `heavy` for what takes minutes.

import { defineConfig } from 'vitest/config';

// Real services on real databases: on a busy machine a test may take its time, and one disturbed by its neighbours gets a second try.
const overHttp = {
  globalSetup: ['test/harness/vendors-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 240_000,
  retry: 1,
  pool: 'forks' as const,
};

export default defineConfig({
  test: {
    reporters: ['default', './test/harness/summary-reporter.ts'],
    maxWorkers: 2,
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'service', include: ['test/**/*.test.ts'], exclude: ['test/**/*.heavy.test.ts'], ...overHttp } },
      { test: { name: 'heavy', include: ['test/**/*.heavy.test.ts'], ...overHttp, testTimeout: 600_000 } },
    ],
  },
});
