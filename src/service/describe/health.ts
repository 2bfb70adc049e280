// Is the service well: can the database be reached, how fast, how busy is the pool. Shaped as application/health+json.

import type { Dialect } from '../../core/vendor/dialect.js';

type Status = 'ok' | 'warn' | 'error';

interface Check {
  readonly componentType: 'datastore' | 'system';
  readonly status: Status;
  readonly observedValue: number | string;
  readonly observedUnit?: string;
  readonly output?: string;
}

export interface Health {
  readonly status: Status;
  readonly releaseId: string;
  readonly serviceId: string;
  readonly checks: Readonly<Record<string, readonly Check[]>>;
}

const slowMs = 250;

export async function checkHealth(dialect: Dialect, release: string, serviceId: string): Promise<Health> {
  const { vendor, driver } = dialect;
  const started = performance.now();
  const version = await driver.version().catch(() => null);
  const took = Math.round(performance.now() - started);
  const pool = driver.pool();
  const reached: Status = version === null ? 'error' : took > slowMs ? 'warn' : 'ok';
  const busy: Status = pool.waiting > pool.size ? 'warn' : 'ok';
  const memory = Math.round(process.memoryUsage.rss() / 1024 / 1024);
  return {
    status: reached === 'error' ? 'error' : reached === 'warn' || busy === 'warn' ? 'warn' : 'ok',
    releaseId: release,
    serviceId,
    checks: {
      [`${vendor}:responseTime`]: [
        {
          componentType: 'datastore',
          status: reached,
          observedValue: took,
          observedUnit: 'ms',
          output: version ?? 'The database cannot be reached.',
        },
      ],
      [`${vendor}:connections`]: [
        {
          componentType: 'datastore',
          status: busy,
          observedValue: pool.size - pool.idle,
          output: `${pool.size} open, ${pool.idle} idle, ${pool.waiting} waiting`,
        },
      ],
      'memory:resident': [{ componentType: 'system', status: 'ok', observedValue: memory, observedUnit: 'MB' }],
      'runtime:version': [{ componentType: 'system', status: 'ok', observedValue: process.version }],
    },
  };
}
