// The measurements of one process, in the text format of Prometheus. Requests and stages are measured with METRICS=on; everything else is read
// when they are requested.

import type { CacheState } from '../../core/engine/read/prepared-read.js';
import type { Stage } from '../../core/engine/work/stage-clock.js';
import type { PoolState } from '../../core/vendor/driver.js';
import type { ReplicaState } from '../../core/vendor/replication.js';
import type { Health } from './health.js';

/** The upper bounds of the histogram's buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface RouteTimes {
  /** The number of requests per bucket, not cumulated. */
  readonly groups: number[];
  readonly byStatus: Map<number, number>;
  sum: number;
  count: number;
}

/** What requests took, by route: the template of the path, of which there are few. */
export class RequestMetrics {
  readonly #routes = new Map<string, Map<string, RouteTimes>>();
  readonly #stages = new Map<Stage, number>();

  observe(method: string, route: string, status: number, milliseconds: number, spent: ReadonlyMap<Stage, number> | null): void {
    const times = this.#timesOf(method, route);
    const seconds = milliseconds / 1000;
    const group = bounds.findIndex((bound) => seconds <= bound);
    if (group !== -1) times.groups[group] = (times.groups[group] ?? 0) + 1;
    times.sum += seconds;
    times.count += 1;
    times.byStatus.set(status, (times.byStatus.get(status) ?? 0) + 1);
    if (spent === null) return;
    for (const [stage, ms] of spent) this.#stages.set(stage, (this.#stages.get(stage) ?? 0) + ms / 1000);
  }

  families(): readonly Family[] {
    const routes = [...this.#routes].flatMap(([method, byRoute]) =>
      [...byRoute].map(([route, times]) => ({ labels: { method, route }, times })),
    );
    return [
      {
        name: 'tain_requests_total',
        type: 'counter',
        help: 'Requests that were answered',
        samples: routes.flatMap(({ labels, times }) =>
          [...times.byStatus].map(([status, count]): Sample => ({ labels: { ...labels, status: String(status) }, value: count })),
        ),
      },
      {
        name: 'tain_request_seconds',
        type: 'histogram',
        help: 'From the first byte of the request to the last of the answer',
        samples: routes.flatMap(({ labels, times }) => histogram(labels, times)),
      },
      {
        name: 'tain_stage_seconds_total',
        type: 'counter',
        help: 'Time spent in each stage of the pipeline',
        samples: [...this.#stages].map(([stage, value]) => ({ labels: { stage }, value })),
      },
    ];
  }

  #timesOf(method: string, route: string): RouteTimes {
    const byRoute = this.#routes.get(method) ?? new Map<string, RouteTimes>();
    this.#routes.set(method, byRoute);
    const times = byRoute.get(route) ?? { groups: bounds.map(() => 0), byStatus: new Map(), sum: 0, count: 0 };
    byRoute.set(route, times);
    return times;
  }
}

type Labels = Readonly<Record<string, string>>;

interface Sample {
  /** Follows the name of the family: `_sum`, `_count`, `_bucket`. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

function histogram(labels: Labels, { groups, sum, count }: RouteTimes): readonly Sample[] {
  let below = 0;
  const buckets = bounds.map((bound, index): Sample => {
    below += groups[index] ?? 0;
    return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below };
  });
  return [
    ...buckets,
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}

export interface MetricsSource {
  /** null: requests are not measured. */
  readonly requests: RequestMetrics | null;
  readonly pool: () => PoolState;
  readonly statements: () => number;
  readonly caches: () => Readonly<Record<string, CacheState>>;
  readonly replicas: () => readonly ReplicaState[];
  readonly checks: () => Health['checks'];
}

const gauge = (name: string, help: string, samples: readonly Sample[]): Family => ({ name, type: 'gauge', help, samples });

export function writeMetrics({ requests, pool, statements, caches, replicas, checks }: MetricsSource): string {
  const { size, idle, waiting } = pool();
  const { user, system } = process.cpuUsage();
  const cached = Object.entries(caches());
  const families: readonly Family[] = [
    ...(requests?.families() ?? []),
    gauge('tain_pool_connections', 'Connections to the database', [
      { labels: { state: 'busy' }, value: size - idle },
      { labels: { state: 'idle' }, value: idle },
    ]),
    gauge('tain_pool_waiting', 'Requests that wait for a connection', [{ value: waiting }]),
    { name: 'tain_statements_total', type: 'counter', help: 'Statements sent to the database', samples: [{ value: statements() }] },
    ...replicaFamilies(replicas()),
    gauge(
      'tain_cache_entries',
      'Entries of each cache',
      cached.map(([cache, { entries }]) => ({ labels: { cache }, value: entries })),
    ),
    {
      name: 'tain_cache_misses_total',
      type: 'counter',
      help: 'How often something was asked for that the cache did not have',
      samples: cached.map(([cache, { misses }]) => ({ labels: { cache }, value: misses })),
    },
    gauge('tain_check', 'What the checks of /server/health observed', numbersOf(checks())),
    gauge('process_resident_memory_bytes', 'Resident memory', [{ value: process.memoryUsage.rss() }]),
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'Processor time of this process',
      samples: [{ value: (user + system) / 1_000_000 }],
    },
    gauge('process_start_time_seconds', 'When the process started, in seconds since 1970', [{ value: performance.timeOrigin / 1000 }]),
  ];
  return families.flatMap(writeFamily).join('');
}

const replicaFamilies = (states: readonly ReplicaState[]): readonly Family[] => [
  gauge(
    'tain_replica_in_use',
    'Whether reads are sent to the replica',
    states.map(({ name: replica, unused }) => ({ labels: { replica }, value: unused === null ? 1 : 0 })),
  ),
  gauge(
    'tain_replica_lag_seconds',
    'How far the replica is behind the primary, while it answers',
    states.flatMap(({ name: replica, lagMs }) => (lagMs === null ? [] : [{ labels: { replica }, value: lagMs / 1000 }])),
  ),
  {
    name: 'tain_replica_reads_total',
    type: 'counter',
    help: 'Reads that the replica has answered',
    samples: states.map(({ name: replica, reads }) => ({ labels: { replica }, value: reads })),
  },
];

const numbersOf = (checks: Health['checks']): readonly Sample[] =>
  Object.entries(checks).flatMap(([check, observed]) =>
    observed.flatMap(({ observedValue }) => (typeof observedValue === 'number' ? [{ labels: { check }, value: observedValue }] : [])),
  );

function writeFamily({ name, type, help, samples }: Family): readonly string[] {
  if (samples.length === 0) return [];
  return [
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`,
    ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${writeLabels(labels)} ${value}\n`),
  ];
}

function writeLabels(labels: Labels): string {
  const written = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return written.length === 0 ? '' : `{${written.join(',')}}`;
}

const escapeLabel = (value: string): string => value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
