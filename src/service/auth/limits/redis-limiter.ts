// The limiter over Redis, shared by all instances. While Redis is unreachable or slow, each instance counts in its own memory.

import type { Redis } from 'ioredis';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { ServiceError } from '../../../core/errors/service-error.js';
import { repeatEvery } from '../../../core/util/repeat.js';
import {
  createMemoryLimiter,
  type Limiter,
  type LimitName,
  type Limits,
  requestsExceeded,
  type TallyName,
  tallyWindowMs,
} from './limiter.js';

/** How long a request waits for Redis. After one timeout, requests do not wait at all until Redis answers again. */
const patienceMs = 250;
/** If even the fastest answers take longer than this, Redis is not used, because it would delay every request, until a ping is answered sooner. */
const slowMs = 100;
/** The period, and the least number of answers in it, by which Redis counts as slow. */
const observed = { ms: 1_000, answers: 5 };
/** How often a Redis that is not in use is pinged. */
const askEveryMs = 1_000;

/** Connects with the first attempt. Calls `report` once per outage. */
export function createRedisLimiter(url: string, limits: Limits, report: (error: Error) => void): Limiter {
  const memory = createMemoryLimiter(limits);
  let opening: Promise<Connected> | null = null;
  const open = (): Promise<Connected> => {
    opening ??= connect(url, limits, report);
    return opening;
  };
  return {
    take(name, key) {
      const figures = limits[name];
      if (figures === null) return undefined;
      return open().then(async ({ shared, limiters }) => {
        if ((await shared.ask(() => consume(limiters.get(name), figures.points, key))) === null) await memory.take(name, key);
      });
    },
    async tally(name, key) {
      const { shared, counters } = await open();
      // Adds a point; unlike `consume` it never refuses.
      const counted = await shared.ask(() => counters[name].penalty(key, 1));
      return counted === null ? memory.tally(name, key) : counted.consumedPoints;
    },
    async close() {
      await memory.close();
      if (opening !== null) (await opening).shared.close();
    },
  };
}

interface Connected {
  readonly shared: SharedRedis;
  readonly limiters: ReadonlyMap<LimitName, RateLimiterRedis>;
  readonly counters: Readonly<Record<TallyName, RateLimiterRedis>>;
}

async function connect(url: string, limits: Limits, report: (error: Error) => void): Promise<Connected> {
  const [{ Redis }, { RateLimiterRedis }] = await Promise.all([import('ioredis'), import('rate-limiter-flexible')]);
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 2_000, commandTimeout: patienceMs });
  const shared = new SharedRedis(client, report);
  await shared.opened();
  const open = (name: LimitName | TallyName, points: number, windowMs: number): RateLimiterRedis =>
    new RateLimiterRedis({ keyPrefix: `tain:${name}`, points, duration: windowMs / 1000, storeClient: client });
  const names = Object.keys(limits) as LimitName[];
  const limiters = new Map(
    names.flatMap((name) => {
      const limit = limits[name];
      return limit === null ? [] : [[name, open(name, limit.points, limit.windowMs)]];
    }),
  );
  return { shared, limiters, counters: { account: open('account', Number.MAX_SAFE_INTEGER, tallyWindowMs('account')) } };
}

/** A Redis connection that requests bypass while Redis does not answer. */
class SharedRedis {
  readonly #client: Redis;
  readonly #report: (error: Error) => void;
  /** Set while Redis is away. */
  #stopAsking: (() => void) | null = null;
  #fastestMs = Number.POSITIVE_INFINITY;
  #answers = 0;
  #observedSince = performance.now();

  constructor(client: Redis, report: (error: Error) => void) {
    this.#client = client;
    this.#report = report;
    client.on('error', (error) => this.#lose(error));
  }

  /** Resolves when the connection is open, has failed, or has timed out. */
  async opened(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#client.once('ready', resolve);
      this.#client.once('error', () => resolve());
      setTimeout(resolve, patienceMs).unref();
    });
    if (this.#client.status !== 'ready') this.#lose(new Error(`Redis has not answered within ${patienceMs} ms`));
  }

  /** Resolves to null while Redis is not available. Throws errors that are not failures of Redis. */
  async ask<T extends object>(send: () => Promise<T>): Promise<T | null> {
    if (this.#stopAsking !== null) return null;
    const startedAt = performance.now();
    try {
      return await send();
    } catch (failure) {
      if (!(failure instanceof Error) || failure instanceof ServiceError) throw failure;
      this.#lose(failure);
      return null;
    } finally {
      this.#observe(startedAt);
    }
  }

  /** Judges by the fastest answer: a pause of this process, or a burst of requests, delays only some answers. */
  #observe(startedAt: number): void {
    const now = performance.now();
    this.#fastestMs = Math.min(this.#fastestMs, now - startedAt);
    this.#answers += 1;
    if (now - this.#observedSince < observed.ms || this.#answers < observed.answers) return;
    if (this.#fastestMs > slowMs) this.#lose(new Error(`Redis takes ${Math.round(this.#fastestMs)} ms to answer`));
    this.#observeAgain();
  }

  #observeAgain(): void {
    this.#fastestMs = Number.POSITIVE_INFINITY;
    this.#answers = 0;
    this.#observedSince = performance.now();
  }

  close(): void {
    this.#stopAsking?.();
    this.#client.disconnect();
  }

  #lose(error: Error): void {
    if (this.#stopAsking !== null) return;
    this.#report(error);
    const ask = async (): Promise<void> => {
      const startedAt = performance.now();
      await this.#client.ping();
      if (performance.now() - startedAt > slowMs) return;
      this.#stopAsking?.();
      this.#stopAsking = null;
      this.#observeAgain();
    };
    this.#stopAsking = repeatEvery(askEveryMs, ask, () => undefined);
  }
}

/** Resolves to what is left; throws REQUESTS_EXCEEDED when that is nothing. */
async function consume(limiter: RateLimiterRedis | undefined, limit: number, key: string): Promise<object> {
  if (limiter === undefined) return {};
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    throw requestsExceeded(limit, Date.now() + readWait(refusal));
  }
}

const readWait = (refusal: unknown): number =>
  typeof refusal === 'object' && refusal !== null && 'msBeforeNext' in refusal && typeof refusal.msBeforeNext === 'number'
    ? refusal.msBeforeNext
    : 1_000;
