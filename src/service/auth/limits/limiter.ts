// Rate limits (specification 8): the figures, the port, and its implementations in memory and over the counters of another process. The
// doors count requests; the auth functions count their own attempts, so that no door offers a way around the limits.

import { serviceError } from '../../../core/errors/service-error.js';

interface Figures {
  readonly points: number;
  readonly windowMs: number;
}

const accountLimits = {
  /** Per account and address, and per address over all accounts. Never per account alone: attackers could lock its owner out. */
  login: { points: 10, windowMs: 60_000 },
  register: { points: 5, windowMs: 60_000 },
  /** One-time codes per account and address, and codes and passwords of a caller who is signed in already. */
  otp: { points: 5, windowMs: 60_000 },
  /** One-time codes of one account, from all addresses at which it has no session. */
  'otp-unknown-address': { points: 10, windowMs: 60_000 },
  'password-request': { points: 5, windowMs: 60_000 },
  /** Mails to one account, requests of one user to mail others the link of a share, test mails. */
  mail: { points: 5, windowMs: 60_000 },
  'password-reset': { points: 5, windowMs: 60_000 },
  /** Mails to one user about notifications. */
  'notification-mail': { points: 10, windowMs: 60_000 },
} as const satisfies Record<string, Figures>;

/** Events that are counted and never refused. `account`: login attempts on one account, from all addresses. */
const tallies = { account: { windowMs: 15 * 60_000 } } as const;

export type TallyName = keyof typeof tallies;

/** `request`: any request, per caller. */
export type LimitName = keyof typeof accountLimits | 'request';

/** null: no limit. */
export type Limits = Readonly<Record<LimitName, Figures | null>>;

/** For the setting `RATE_LIMIT`. null (off) lifts the limits of requests and logins; those that protect accounts from guessing stay. */
export const limitsOf = (requestsPerSecond: number | null): Limits =>
  requestsPerSecond === null
    ? { ...accountLimits, request: null, login: null }
    : { ...accountLimits, request: { points: requestsPerSecond, windowMs: 1_000 } };

export interface Limiter {
  /** Counts an attempt under the key; REQUESTS_EXCEEDED when there were too many. Returns no promise when it can decide at once. */
  take(name: LimitName, key: string): Promise<void> | undefined;
  /** Counts an event under the key and returns the number in the current window, this one included. */
  tally(name: TallyName, key: string): number | Promise<number>;
  close(): Promise<void>;
}

/** In memory, a tally is available without a promise. */
export interface MemoryLimiter extends Limiter {
  tally(name: TallyName, key: string): number;
}

export const tallyWindowMs = (name: TallyName): number => tallies[name].windowMs;

export function requestsExceeded(limit: number, resetsAt: number): Error {
  const seconds = Math.max(1, Math.ceil((resetsAt - Date.now()) / 1000));
  return serviceError('REQUESTS_EXCEEDED', `Too many requests, retry after ${seconds}s.`, {
    limit,
    reset: new Date(resetsAt).toISOString(),
  });
}

interface Window {
  count: number;
  resetsAt: number;
}

const sweepEveryMs = 10_000;

/** A window starts with the first attempt under its key. */
export function createMemoryLimiter(limits: Limits): MemoryLimiter {
  const windows = new Map<string, Window>();
  let sweepAt = Date.now() + sweepEveryMs;
  const sweep = (now: number): void => {
    sweepAt = now + sweepEveryMs;
    for (const [key, window] of windows) if (window.resetsAt <= now) windows.delete(key);
  };
  const countUp = (key: string, windowMs: number): Window => {
    const now = Date.now();
    if (now > sweepAt) sweep(now);
    const present = windows.get(key);
    if (present !== undefined && present.resetsAt > now) {
      present.count += 1;
      return present;
    }
    const fresh = { count: 1, resetsAt: now + windowMs };
    windows.set(key, fresh);
    return fresh;
  };
  return {
    take(name, key) {
      const figures = limits[name];
      if (figures === null) return undefined;
      const { count, resetsAt } = countUp(`${name} ${key}`, figures.windowMs);
      if (count > figures.points) throw requestsExceeded(figures.points, resetsAt);
      return undefined;
    },
    tally: (name, key) => countUp(`${name} ${key}`, tallyWindowMs(name)).count,
    async close() {
      windows.clear();
    },
  };
}

/** Counters of all worker processes, held by the primary process. */
export interface SharedCounters {
  /** Resolves to null when the attempt is allowed, otherwise to the end of its window. */
  countAttempt(name: LimitName, key: string): Promise<number | null>;
  tally(name: TallyName, key: string): Promise<number>;
}

export function createSharedLimiter(limits: Limits, counters: SharedCounters): Limiter {
  return {
    take(name, key) {
      const figures = limits[name];
      return figures === null ? undefined : refuseExceeded(figures.points, counters.countAttempt(name, key));
    },
    tally: (name, key) => counters.tally(name, key),
    close: async () => undefined,
  };
}

async function refuseExceeded(limit: number, counting: Promise<number | null>): Promise<void> {
  const resetsAt = await counting;
  if (resetsAt !== null) throw requestsExceeded(limit, resetsAt);
}

/** The key of a client address. Of an IPv6 address only the network half counts, because one client has 2^64 addresses in it. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? networkHalf(address);
}

function networkHalf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...new Array<string>(zeros).fill('0'), ...last].slice(0, 4).join(':').toLowerCase();
}
