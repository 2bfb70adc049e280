// Security cases C08 and C09: how long an answer takes reveals nothing. One vendor after the other, since the tests compare times.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastOf } from '../harness/least-time.js';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import { makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

/**
 * Tries of each kind, as many at once as are hashed while a refusal is stalled. How an account is looked up differs between vendors, what
 * follows does not: on the others fewer are enough.
 */
const triesOfC08 = { sqlite: 60, postgres: 20, mysql: 20 } as const;
const atOnceOfC08 = 4;

describeEachVendor('times of sign-in', (vendor) => {
  let service: TestService;
  let mailBox: MailBox;

  beforeAll(async () => {
    mailBox = await openMailBox();
    const config = { mailUrl: mailBox.url, publicUrl: 'https://data.example.com', trustProxy: true };
    service = await startService(vendor, { area: 'auth_times', config });
  });
  afterAll(async () => {
    await service.stop();
    await mailBox.close();
  });

  it('C08: unknown, wrong, suspended, unverified and foreign accounts get the same answer in the same time', {
    timeout: 300_000,
  }, async () => {
    const login = ({ email, password }: Pick<Person, 'email' | 'password'>) => service.as(null).post('/auth/login', { email, password });
    const known = await makePerson(service, []);
    const others = [
      await makePerson(service, [], { status: 'suspended' }),
      await makePerson(service, [], { status: 'unverified' }),
      await makePerson(service, [], { provider: 'elsewhere' }),
    ];
    const attempts = [{ email: 'nobody@example.com', password: 'x' }, { ...known, password: 'x' }, ...others];
    const answers = new Set<string>();
    const spread = async (): Promise<number> => {
      const times = attempts.map((): number[] => []);
      // Each round begins with another of them, so that none of them bears the waiting alone.
      for (let round = 0; round < triesOfC08[vendor.name] / atOnceOfC08; round += 1) {
        await Promise.all(
          Array.from({ length: attempts.length * atOnceOfC08 }, async (_, place) => {
            const at = (place + round) % attempts.length;
            const started = performance.now();
            const answer = await login(attempts[at] ?? known);
            times[at]?.push(performance.now() - started);
            answers.add(`${answer.status} ${answer.text}`);
          }),
        );
      }
      const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0);
      return Math.max(...medians) / Math.min(...medians);
    };
    await service.api.patch('/settings', { auth_login_attempts: null });
    expect(await leastOf(spread, 1.25)).toBeLessThan(1.25);
    await service.api.patch('/settings', { auth_login_attempts: 25 });
    expect((await login(known)).status, 'not suspended by then').toBe(200);
    expect([...answers]).toEqual([expect.stringMatching(/^401 .*INVALID_CREDENTIALS/)]);
  });

  it('C09: neither the answer to a mail request nor its time reveals anything', async () => {
    const { email } = await makePerson(service, []);
    let address = 0;
    const timeOf = async (asked: string): Promise<number> => {
      address += 1;
      const started = performance.now();
      const answer = await service.as(null).post('/auth/password/request', { email: asked }, { 'x-forwarded-for': `192.0.2.${address}` });
      expect([answer.status, answer.text]).toEqual([204, '']);
      return performance.now() - started;
    };
    const ratio = async (): Promise<number> => {
      const [known, unknown] = [await timeOf(email), await timeOf('nobody@example.com')];
      return Math.max(known, unknown) / Math.min(known, unknown);
    };
    expect(await leastOf(ratio, 1.25)).toBeLessThan(1.25);
  });
});
