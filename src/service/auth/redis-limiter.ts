// The counters in Redis, shared by all instances. When Redis does not answer, each instance counts for itself until it does again.

import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Limiter, type LimitName, type Limits, requestsExceeded } from './limiter.js';

type Limiters = ReadonlyMap<LimitName, RateLimiterRedis>;

/** Connects on the first attempt. `report` hears of a Redis that is gone, once per outage. */
export function createRedisLimiter(url: string, limits: Limits, report: (error: Error) => void): Limiter {
  let opening: Promise<Connected> | null = null;
  return {
    take(name, key) {
      const figures = limits[name];
      if (figures === null) return undefined;
      opening ??= connect(url, limits, report);
      return opening.then(({ limiters }) => consume(limiters.get(name), figures.points, key));
    },
    async close() {
      if (opening !== null) (await opening).disconnect();
    },
  };
}

interface Connected {
  readonly limiters: Limiters;
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
  const names = Object.keys(limits) as LimitName[];
  const limiters = new Map(
    names.flatMap((name) => {
      const limit = limits[name];
      if (limit === null) return [];
      const figures = { keyPrefix: `tain:${name}`, points: limit.points, duration: limit.windowMs / 1000 };
      return [[name, new RateLimiterRedis({ ...figures, storeClient: client, insuranceLimiter: new RateLimiterMemory(figures) })]];
    }),
  );
  return { limiters, disconnect: () => client.disconnect() };
}

interface Outages {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'ready', listener: () => void): unknown;
}

function reportOutages(client: Outages, report: (error: Error) => void): void {
  let told = false;
  client.on('error', (error) => {
    if (!told) report(error);
    told = true;
  });
  client.on('ready', () => {
    told = false;
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
