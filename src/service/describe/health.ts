// The health of the service: whether the database can be reached, its response time, and the use of the pool, as application/health+json.
// Administrators get the details; all other callers, such as load balancers, learn only whether to send requests here.

import { groupBy } from '../../core/util/group-by.js';
import type { Dialect, MirroredDatabase } from '../../core/vendor/dialect.js';
import type { ReplicaState } from '../../core/vendor/replication.js';

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

/** All that callers other than administrators see. */
export interface PublicHealth {
  readonly status: 'ok' | 'error';
}

export const unhealthy: PublicHealth = { status: 'error' };

/** A slow service still works, so it counts as ok. */
export const publicHealth = ({ status }: Health): PublicHealth => (status === 'error' ? unhealthy : { status: 'ok' });

/** Requests that arrive while a check runs share its result, so that polling from many sides costs one statement at a time. */
export function shareChecks(check: () => Promise<Health>): () => Promise<Health> {
  let running: Promise<Health> | null = null;
  return () => {
    running ??= check().finally(() => {
      running = null;
    });
    return running;
  };
}

const slowMs = 250;

/** Resolves to null if the work takes longer, because clients of a health check have deadlines of their own. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  const first = await Promise.race([work, late]);
  clearTimeout(timer);
  return first;
}

export interface HealthOptions {
  /** Reads from a table: a server may answer and still refuse its data, as a Galera node without quorum does. */
  readonly readData: () => Promise<unknown>;
  readonly timeoutMs: number;
  readonly release: string;
  readonly serviceId: string;
  /** Checks of other parts. */
  readonly others: () => Health['checks'];
}

export async function checkHealth(dialect: Dialect, { readData, timeoutMs, release, serviceId, others }: HealthOptions): Promise<Health> {
  const { mirrored } = dialect;
  const databases = await Promise.all([
    checkDatabase(dialect, readData, timeoutMs),
    ...(mirrored === null ? [] : [checkDatabase(mirrored, () => mirrored.driver.version(), timeoutMs)]),
  ]);
  const statuses = databases.flat().map(([, { status }]) => status);
  const memory = Math.round(process.memoryUsage.rss() / 1024 / 1024);
  return {
    status: statuses.find((status) => status === 'error') ?? statuses.find((status) => status === 'warn') ?? 'ok',
    releaseId: release,
    serviceId,
    checks: {
      ...listByName(databases.flat()),
      ...checkReplicas(dialect.replicas?.states() ?? []),
      ...others(),
      'memory:resident': [{ componentType: 'system', status: 'ok', observedValue: memory, observedUnit: 'MB' }],
      'runtime:version': [{ componentType: 'system', status: 'ok', observedValue: process.version }],
    },
  };
}

type NamedCheck = readonly [name: string, check: Check];

async function checkDatabase(
  { vendor, driver }: MirroredDatabase,
  readData: HealthOptions['readData'],
  timeoutMs: number,
): Promise<readonly NamedCheck[]> {
  const started = performance.now();
  const version = await within(
    timeoutMs,
    readData()
      .then(() => driver.version())
      .catch(() => null),
  );
  const took = Math.round(performance.now() - started);
  const pool = driver.pool();
  return [
    [
      `${vendor}:responseTime`,
      {
        componentType: 'datastore',
        status: version === null ? 'error' : took > slowMs ? 'warn' : 'ok',
        observedValue: took,
        observedUnit: 'ms',
        output: version ?? 'The database cannot be reached.',
      },
    ],
    [
      `${vendor}:connections`,
      {
        componentType: 'datastore',
        status: pool.waiting > pool.size ? 'warn' : 'ok',
        observedValue: pool.size - pool.idle,
        output: `${pool.size} open, ${pool.idle} idle, ${pool.waiting} waiting`,
      },
    ],
  ];
}

/** A replica that is not in use is no fault of the service: the primary answers. */
const checkReplicas = (states: readonly ReplicaState[]): Health['checks'] =>
  Object.fromEntries(
    states.map(({ name, unused, lagMs }) => {
      const lag = lagMs === null ? { observedValue: 'unknown' } : { observedValue: Math.round(lagMs), observedUnit: 'ms' };
      const check: Check = {
        componentType: 'datastore',
        status: unused === null ? 'ok' : 'warn',
        ...lag,
        output: unused ?? 'answers reads',
      };
      return [`replica:${name}`, [check]];
    }),
  );

/** Two databases of one vendor have their checks under the same names. */
function listByName(checks: readonly NamedCheck[]): Health['checks'] {
  const groups = groupBy(checks, ([name]) => name);
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.map(([, check]) => check)]));
}
