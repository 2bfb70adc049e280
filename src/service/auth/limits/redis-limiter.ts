// The limiter over Redis, shared by all instances. While Redis does not answer, each instance counts in its own memory.

import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Limiter, type LimitName, type Limits, requestsExceeded, type TallyName, tallyWindowMs } from './limiter.js';

type Limiters = ReadonlyMap<LimitName, RateLimiterRedis>;

/** Connects with the first attempt. Calls `report` once per outage. */
export function createRedisLimiter(url: string, limits: Limits, report: (error: Error) => void): Limiter {
  let opening: Promise<Connected> | null = null;
  return {
    take(name, key) {
      const figures = limits[name];
      if (figures === null) return undefined;
      opening ??= connect(url, limits, report);
      return opening.then(({ limiters }) => consume(limiters.get(name), figures.points, key));
    },
    async tally(name, key) {
      opening ??= connect(url, limits, report);
      const { counters } = await opening;
      // Adds a point; unlike `consume` it never refuses.
      return (await counters[name].penalty(key, 1)).consumedPoints;
    },
    async close() {
      if (opening !== null) (await opening).disconnect();
    },
  };
}

interface Connected {
  readonly limiters: Limiters;
  readonly counters: Readonly<Record<TallyName, RateLimiterRedis>>;
  disconnect(): void;
}

async function connect(url: string, limits: Limits, report: (error: Error) => void): Promise<Connected> {
  const [{ Redis }, { RateLimiterMemory, RateLimiterRedis }] = await Promise.all([import('ioredis'), import('rate-limiter-flexible')]);
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 2_000, commandTimeout: 500 });
  reportOutages(client, report);
  await new Promise<void>((resolve) => {
    client.once('ready', resolve);
    client.once('error', () => resolve());
  });
  const open = (name: LimitName | TallyName, points: number, windowMs: number): RateLimiterRedis => {
    const figures = { keyPrefix: `tain:${name}`, points, duration: windowMs / 1000 };
    return new RateLimiterRedis({ ...figures, storeClient: client, insuranceLimiter: new RateLimiterMemory(figures) });
  };
  const names = Object.keys(limits) as LimitName[];
  const limiters = new Map(
    names.flatMap((name) => {
      const limit = limits[name];
      return limit === null ? [] : [[name, open(name, limit.points, limit.windowMs)]];
    }),
  );
  const counters = { account: open('account', Number.MAX_SAFE_INTEGER, tallyWindowMs('account')) };
  return { limiters, counters, disconnect: () => client.disconnect() };
}

/** The events of a Redis client that signal outages. */
interface ConnectionEvents {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'ready', listener: () => void): unknown;
}

function reportOutages(client: ConnectionEvents, report: (error: Error) => void): void {
  let reported = false;
  client.on('error', (error) => {
    if (!reported) report(error);
    reported = true;
  });
  client.on('ready', () => {
    reported = false;
  });
}

async function consume(limiter: RateLimiterRedis | undefined, limit: number, key: string): Promise<void> {
  try {
    await limiter?.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    throw requestsExceeded(limit, Date.now() + readWait(refusal));
  }
}

const readWait = (refusal: unknown): number =>
  typeof refusal === 'object' && refusal !== null && 'msBeforeNext' in refusal && typeof refusal.msBeforeNext === 'number'
    ? refusal.msBeforeNext
    : 1_000;
