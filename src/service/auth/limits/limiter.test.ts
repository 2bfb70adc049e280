import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leastTime } from '../../../../test/harness/least-time.js';
import { addressKey, createMemoryLimiter, type LimitName, limitsOf } from './limiter.js';

const limits = limitsOf(50);
const exceeded = expect.objectContaining({ code: 'REQUESTS_EXCEEDED' });

function attempt(take: () => unknown, times: number): void {
  for (let count = 0; count < times; count += 1) take();
}

describe('the limiter in memory', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it.each(Object.keys(limits) as LimitName[])('%s allows as many attempts as its figures and no more', (name) => {
    const limiter = createMemoryLimiter(limits);
    attempt(() => limiter.take(name, 'a'), limits[name]?.points ?? 0);
    expect(() => limiter.take(name, 'a')).toThrowError(exceeded);
    expect(limiter.take(name, 'b')).toBeUndefined();
  });

  it('states the limit and the end of the window', () => {
    const limiter = createMemoryLimiter(limits);
    attempt(() => limiter.take('login', 'a'), 10);
    expect(() => limiter.take('login', 'a')).toThrowError(
      expect.objectContaining({
        entries: [expect.objectContaining({ extensions: { limit: 10, reset: expect.stringMatching(/^\d{4}-.*Z$/) } })],
      }),
    );
  });

  it('tallies without refusing, by key', () => {
    const limiter = createMemoryLimiter(limits);
    const counts = Array.from({ length: 100 }, () => limiter.tally('account', 'a'));
    expect([counts.at(0), counts.at(-1), limiter.tally('account', 'b')]).toEqual([1, 100, 1]);
  });

  it('starts again when the window has ended', () => {
    const limiter = createMemoryLimiter(limits);
    attempt(() => limiter.take('request', 'a'), 50);
    expect(() => limiter.take('request', 'a')).toThrowError(exceeded);
    vi.setSystemTime(Date.now() + 999);
    expect(() => limiter.take('request', 'a')).toThrowError(exceeded);
    vi.setSystemTime(Date.now() + 1);
    expect(limiter.take('request', 'a')).toBeUndefined();
  });

  it('counts as many requests as RATE_LIMIT says', () => {
    const limiter = createMemoryLimiter(limitsOf(7));
    attempt(() => limiter.take('request', 'a'), 7);
    expect(() => limiter.take('request', 'a')).toThrowError(
      expect.objectContaining({ entries: [expect.objectContaining({ extensions: expect.objectContaining({ limit: 7 }) })] }),
    );
  });

  it('lifted limits are requests and logins, never codes, resets and registrations', () => {
    const limiter = createMemoryLimiter(limitsOf(null));
    attempt(() => limiter.take('request', 'a'), 500);
    attempt(() => limiter.take('login', 'a'), 500);
    for (const name of ['register', 'otp', 'otp-unknown-address', 'mail', 'password-request', 'password-reset'] as const) {
      expect(() => attempt(() => limiter.take(name, 'a'), 11)).toThrowError(exceeded);
    }
  });

  it('costs next to nothing', () => {
    const takeMany = (): void => {
      const limiter = createMemoryLimiter(limits);
      for (let count = 0; count < 100_000; count += 1) limiter.take('request', String(count % 5_000));
    };
    expect(leastTime(takeMany, 2_000)).toBeLessThan(2_000);
  });
});

describe('the key of an address', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
