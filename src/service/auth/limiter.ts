// How often things may be tried (specification 8): the figures, the port, and the counter in memory. Doors count requests, the account
// functions count their own attempts, so no second door can be a way around.

import { serviceError } from '../../core/errors/service-error.js';

interface Figures {
  readonly points: number;
  readonly windowMs: number;
}

const accountLimits = {
  /** Per address, and per account. */
  login: { points: 10, windowMs: 60_000 },
  register: { points: 5, windowMs: 60_000 },
  /** One-time codes and passwords asked of somebody who is logged in already. */
  otp: { points: 5, windowMs: 60_000 },
  'password-request': { points: 5, windowMs: 60_000 },
  'password-reset': { points: 5, windowMs: 60_000 },
} as const satisfies Record<string, Figures>;

/** `request`: any request, per caller. */
export type LimitName = keyof typeof accountLimits | 'request';

/** null: not limited. */
export type Limits = Readonly<Record<LimitName, Figures | null>>;

/** `RATE_LIMIT`; off lifts requests and logins and no others: what guards accounts against guessing stays. */
export const limitsOf = (requestsPerSecond: number | null): Limits =>
  requestsPerSecond === null
    ? { ...accountLimits, request: null, login: null }
    : { ...accountLimits, request: { points: requestsPerSecond, windowMs: 1_000 } };

export interface Limiter {
  /** Counts one attempt under the key; throws REQUESTS_EXCEEDED when there were too many. Without a promise when nothing has to be asked. */
  take(name: LimitName, key: string): Promise<void> | undefined;
  close(): Promise<void>;
}

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

/** A window begins with the first attempt under its key. */
export function createMemoryLimiter(limits: Limits): Limiter {
  const windows = new Map<string, Window>();
  let sweepAt = Date.now() + sweepEveryMs;
  const sweep = (now: number): void => {
    sweepAt = now + sweepEveryMs;
    for (const [key, window] of windows) if (window.resetsAt <= now) windows.delete(key);
  };
  return {
    take(name, key) {
      const figures = limits[name];
      if (figures === null) return undefined;
      const now = Date.now();
      if (now > sweepAt) sweep(now);
      const place = `${name} ${key}`;
      const window = windows.get(place);
      if (window === undefined || window.resetsAt <= now) windows.set(place, { count: 1, resetsAt: now + figures.windowMs });
      else {
        window.count += 1;
        if (window.count > figures.points) throw requestsExceeded(figures.points, window.resetsAt);
      }
      return undefined;
    },
    async close() {
      windows.clear();
    },
  };
}

/** One household is one address: of IPv6 the network half counts, or everybody would have 2^64 tries. */
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
