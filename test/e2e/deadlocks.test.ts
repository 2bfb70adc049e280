// Transactions that take the same locks in opposite order: the database ends one of each two, and the service tries the loser again
// until it succeeds. All of them at once, so that the losers meet each other again.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const requests = 72;
const queries = 12;

/** PostgreSQL looks for a deadlock after a second of waiting, and the service tries its losers for ten seconds. */
const lookSooner = `do $$ begin execute format('alter database %I set deadlock_timeout = ''50ms''', current_database()); end $$`;

describeEachVendor('batches in opposite order', (vendor) => {
  let service: TestService;
  let keys: readonly number[] = [];

  beforeAll(async () => {
    service = await startService(vendor, { area: 'deadlocks', ...(vendor.name === 'postgres' ? { fixture: lookSooner } : {}) });
    const fields = [
      { field: 'text', type: 'string' },
      { field: 'hits', type: 'integer' },
    ];
    await service.api.post('/collections', { collection: 'notes', schema: {}, fields });
    const made = await service.api.post('/items/notes', [
      { text: 'a', hits: 1 },
      { text: 'b', hits: 2 },
    ]);
    keys = made.body.data.map(({ id }: { readonly id: number }) => id);
  });
  afterAll(() => service.stop());

  it(`all ${requests} succeed, whole`, async () => {
    const change = (key: number | undefined, text: string) => ({ method: 'PATCH', path: `/items/notes/${key}`, body: { text } });
    const batch = (_: unknown, index: number) => {
      const [one, other] = index % 2 === 0 ? keys : keys.toReversed();
      return service.api.post('/batch', { operations: [change(one, `t${index}`), change(other, `t${index}`)] });
    };
    const answers = await Promise.all(Array.from({ length: requests }, batch));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    await expectWhole(requests * 2);
  });

  it('where queries choose what changes the losers queue, and all succeed', async () => {
    const change = (hits: number, text: string) => ({
      method: 'PATCH',
      path: '/items/notes',
      body: { query: { filter: { hits: { _eq: hits } } }, data: { text } },
    });
    const batch = (_: unknown, index: number) => {
      const [one, other] = index % 2 === 0 ? [1, 2] : [2, 1];
      return service.api.post('/batch', { operations: [change(one, `q${index}`), change(other, `q${index}`)] });
    };
    const answers = await Promise.all(Array.from({ length: queries }, batch));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    await expectWhole((requests + queries) * 2);
  });

  const expectWhole = async (updates: number): Promise<void> => {
    const { body } = await service.api.get('/items/notes?fields=text');
    expect(body.data[0]).toEqual(body.data[1]);
    const query = 'filter[collection][_eq]=notes&filter[activity][action][_eq]=update&aggregate[count]=*';
    expect(Number((await service.api.get(`/revisions?${query}`)).body.data[0].count)).toBe(updates);
  };
});
