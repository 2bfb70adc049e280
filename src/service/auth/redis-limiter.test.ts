import { describe, expect, it } from 'vitest';
import { randomToken } from '../secrets/random-token.js';
import { limitsOf } from './limiter.js';
import { createRedisLimiter } from './redis-limiter.js';

const nowhere = 'redis://127.0.0.1:1';

describe('the counters in Redis', () => {
  it('without Redis every instance counts for itself, and the outage is told once', async () => {
    const told: string[] = [];
    const limiter = createRedisLimiter(nowhere, limitsOf(50), (error) => told.push(error.message));
    const key = randomToken(12);
    for (let count = 0; count < 5; count += 1) await limiter.take('otp', key);
    await expect(limiter.take('otp', key)).rejects.toMatchObject({ code: 'REQUESTS_EXCEEDED' });
    expect(told).toHaveLength(1);
    await limiter.close();
  });

  it('lifted limits ask nobody', () => {
    expect(createRedisLimiter(nowhere, limitsOf(null), () => undefined).take('request', 'a')).toBeUndefined();
  });
});
