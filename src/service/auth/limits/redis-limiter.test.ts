import { describe, expect, it } from 'vitest';
import { randomToken } from '../../secrets/token.js';
import { limitsOf } from './limiter.js';
import { createRedisLimiter } from './redis-limiter.js';

const nowhere = 'redis://127.0.0.1:1';

describe('the limiter in Redis', () => {
  it('counts in memory while Redis is away and reports the outage once', async () => {
    const reported: string[] = [];
    const limiter = createRedisLimiter(nowhere, limitsOf(50), (error) => reported.push(error.message));
    const key = randomToken(12);
    for (let count = 0; count < 5; count += 1) await limiter.take('otp', key);
    await expect(limiter.take('otp', key)).rejects.toMatchObject({ code: 'REQUESTS_EXCEEDED' });
    expect([await limiter.tally('account', key), await limiter.tally('account', key)]).toEqual([1, 2]);
    expect(reported).toHaveLength(1);
    await limiter.close();
  });

  it('a lifted limit does not connect', () => {
    expect(createRedisLimiter(nowhere, limitsOf(null), () => undefined).take('request', 'a')).toBeUndefined();
  });
});
