import { describe, expect, it } from 'vitest';
import { addressKey, createMemoryLimiter, type LimitName, limitsOf } from './limiter.js';

const limits = limitsOf(50);
const exceeded = expect.objectContaining({ code: 'REQUESTS_EXCEEDED' });

function attempt(take: () => unknown, times: number): void {
  for (let count = 0; count < times; count += 1) take();
}

describe('the counter in memory', () => {
  it.each(Object.keys(limits) as LimitName[])('%s: as many as the figures say, then no more', (name) => {
    const limiter = createMemoryLimiter(limits);
    attempt(() => limiter.take(name, 'a'), limits[name]?.points ?? 0);
    expect(() => limiter.take(name, 'a')).toThrowError(exceeded);
    expect(limiter.take(name, 'b')).toBeUndefined();
  });

  it('says how many and until when', () => {
    const limiter = createMemoryLimiter(limits);
    attempt(() => limiter.take('login', 'a'), 10);
    expect(() => limiter.take('login', 'a')).toThrowError(
      expect.objectContaining({
        entries: [expect.objectContaining({ extensions: { limit: 10, reset: expect.stringMatching(/^\d{4}-.*Z$/) } })],
      }),
    );
  });

  it('begins again when the window is over', async () => {
    const limiter = createMemoryLimiter(limits);
    attempt(() => limiter.take('request', 'a'), 50);
    expect(() => limiter.take('request', 'a')).toThrowError(exceeded);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(limiter.take('request', 'a')).toBeUndefined();
  });

  it('counts as many requests as it is told', () => {
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
    for (const name of ['register', 'otp', 'password-request', 'password-reset'] as const) {
      expect(() => attempt(() => limiter.take(name, 'a'), 6)).toThrowError(exceeded);
    }
  });

  it('costs next to nothing', () => {
    const limiter = createMemoryLimiter(limits);
    const started = performance.now();
    for (let count = 0; count < 100_000; count += 1) limiter.take('request', String(count % 5_000));
    expect((performance.now() - started) / 100_000).toBeLessThan(0.02);
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
