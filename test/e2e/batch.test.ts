// One transaction for several operations, one execution for several requests, one winner for several writers.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { makeUser } from '../harness/make-user.js';
import { codeOf } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const integerKey = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

describeEachVendor('batch, idempotency, preconditions', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'batch' });
    for (const collection of ['makers', 'things']) {
      const fields = [
        integerKey,
        { field: 'name', type: 'string', schema: { is_unique: collection === 'makers' } },
        { field: 'count', type: 'integer' },
      ];
      await service.api.post('/collections', { collection, schema: {}, meta: {}, fields });
    }
  });

  afterAll(() => service.stop());

  const total = async (collection: string): Promise<number> =>
    Number((await service.api.get(`/items/${collection}?aggregate[count]=*`)).body.data[0].count);

  describe('batch', () => {
    const maker = { id: 'a', method: 'POST', path: '/items/makers', body: { name: 'batch maker' } };
    const thing = { method: 'POST', path: '/items/things?fields=name,count', body: { name: 'thing', count: { $ref: 'a.data.id' } } };

    it('tries without keeping, then keeps, with references between operations', async () => {
      const before = await service.checksums();
      const tried = await service.api.post('/batch', { operations: [maker, thing], dry_run: true });
      expect(tried.status).toBe(200);
      expect(await service.checksums()).toEqual(before);
      const { body } = await service.api.post('/batch', {
        operations: [maker, thing, { method: 'GET', path: '/items/makers?fields=name&filter[name][_eq]=batch maker' }],
      });
      const [first, second, third] = body.data;
      expect(second).toEqual({ status: 200, body: { data: { name: 'thing', count: first.body.data.id } } });
      expect(third.body).toEqual({ data: [{ name: 'batch maker' }] });
      const gone = await service.api.post('/batch', { operations: [{ method: 'DELETE', path: `/items/makers/${first.body.data.id}` }] });
      expect(gone.body.data).toEqual([{ status: 204, body: null }]);
    });

    it('changes items only as they were seen, by tag or by values', async () => {
      const make = async (name: string): Promise<number> =>
        (await service.api.post('/items/things?fields=id', { name, count: 1 })).body.data.id;
      const [one, two, three] = [await make('one'), await make('two'), await make('three')];
      const patch = (condition: unknown, body: unknown, path = '/items/things?fields=id,count') =>
        service.api.post('/batch', { operations: [{ method: 'PATCH', path, body, if_match: condition }] });
      const tag = (await service.api.get(`/items/things/${one}`)).headers.get('etag');
      expect((await patch(tag, { count: 2 }, `/items/things/${one}`)).status).toBe(200);
      expect((await patch(tag, { count: 3 }, `/items/things/${one}`)).status).toBe(412);
      expect((await patch({ count: 2, name: 'one' }, { count: 3 }, `/items/things/${one}`)).status).toBe(200);
      const each = [
        { id: two, count: 10 },
        { id: three, count: 10 },
        { id: one, count: 10 },
      ];
      const before = await service.checksums();
      const refused = await patch([{ count: 1 }, { count: 1 }, { count: 2 }], each);
      expect([refused.status, refused.body.errors[0].extensions]).toEqual([
        412,
        { code: 'PRECONDITION_FAILED', collection: 'things', items: [{ id: one, count: 3 }], operation: 0 },
      ]);
      const missed = await patch({ count: 1 }, { keys: [one, two, three], data: { count: 4 } });
      expect(missed.body.errors[0].extensions.items).toEqual([{ id: one, count: 3 }]);
      expect(await service.checksums()).toEqual(before);
      expect((await patch([{ count: 1 }, null, { count: 3 }], each)).status).toBe(200);
      expect((await service.api.get(`/items/things?filter[id][_in]=${one},${two},${three}&fields=count`)).body.data).toEqual([
        { count: 10 },
        { count: 10 },
        { count: 10 },
      ]);
      const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => make(`many ${index}`)));
      /** Of changes that follow one another, each on the condition of the one before. */
      const statementsOf = (keys: readonly number[], first: number): Promise<number> => {
        let count = first;
        return leastStatements(service, async () => {
          const next = count + 1;
          const answer = await patch(
            { count },
            keys.map((id) => ({ id, count: next })),
          );
          expect(answer.status).toBe(200);
          count = next;
        });
      };
      const few = await statementsOf([one, two, three], 10);
      expect(await statementsOf(ids, 1)).toBeLessThanOrEqual(few + 1);
    });

    it.each([
      ['a list of another length', '/items/things', [{ id: 1, count: 2 }], [{ count: 1 }, { count: 2 }]],
      ['a tag for a list', '/items/things', [{ id: 1, count: 2 }], '"x"'],
      ['a number', '/items/things/1', { count: 2 }, 5],
      ['items that are found by a query', '/items/things', { query: {}, data: { count: 1 } }, { count: 1 }],
    ])('refuses %s as a condition', async (_name, path, body, condition) => {
      const { status } = await service.api.post('/batch', { operations: [{ method: 'PATCH', path, body, if_match: condition }] });
      expect(status).toBe(400);
    });

    it('takes all back when one operation fails, and answers its error', async () => {
      const before = await service.checksums();
      const { status, body } = await service.api.post('/batch', { operations: [maker, thing, maker] });
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_PAYLOAD']);
      const twice = await service.api.post('/batch', { operations: [maker, thing, { ...maker, id: 'b' }] });
      expect([twice.status, twice.body.errors[0].extensions.code]).toEqual([400, 'RECORD_NOT_UNIQUE']);
      expect(twice.body.errors[0].extensions.operation).toBe(2);
      expect(await service.checksums()).toEqual(before);
    });

    it.each([
      [{}],
      [{ operations: [{ method: 'PUT', path: '/items/makers' }] }],
      [{ operations: [{ method: 'POST', path: '/auth/login', body: {} }] }],
      [{ operations: [{ method: 'POST', path: '/items/service_users', body: {} }] }],
      [{ operations: [{ method: 'POST', path: '/activity', body: {} }] }],
      [{ operations: [{ method: 'POST', path: '/items/makers', body: { name: { $ref: 'nobody.data' } } }] }],
      [{ operations: [maker, { method: 'POST', path: '/items/makers', body: { name: { $ref: 'a.__proto__.x' } } }] }],
    ])('refuses %j', async (body) => {
      const before = await service.checksums();
      expect((await service.api.post('/batch', body)).status).toBeGreaterThanOrEqual(400);
      expect((await service.api.post('/batch', body)).status).toBeLessThan(500);
      expect(await service.checksums()).toEqual(before);
    });

    it('gives no caller more rights than single requests do', async () => {
      const { token } = await makeUser(service.api, 'batcher', [{ collection: 'makers', action: 'create' }]);
      const before = await service.checksums();
      expect((await service.as(token).post('/batch', { operations: [maker, { ...thing, body: { name: 'thing' } }] })).status).toBe(403);
      expect(await service.checksums()).toEqual(before);
      const { body } = await service.as(token).post('/batch', { operations: [{ ...maker, body: { name: 'blind' } }] });
      expect(body.data).toEqual([{ status: 204, body: null }]);
    });
  });

  describe('Idempotency-Key', () => {
    it('G08: one execution, the first answer again, another body refused', async () => {
      const before = await total('things');
      const send = (name: string) => service.api.post('/items/things', { name }, { 'idempotency-key': 'key-1' });
      const answers = await Promise.all(Array.from({ length: 10 }, () => send('once')));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length).toBe(9);
      expect(await total('things')).toBe(before + 1);
      const other = await send('twice');
      expect([other.status, other.body.errors[0].extensions.code]).toEqual([422, 'UNPROCESSABLE_CONTENT']);
    });

    it('belongs to its caller, and a refused request leaves the key free', async () => {
      const { token } = await makeUser(service.api, 'idempotent', [
        { collection: 'makers', action: 'create' },
        { collection: 'makers', action: 'read' },
      ]);
      const headers = { 'idempotency-key': 'key-2' };
      await service.api.post('/items/makers', { name: 'idempotent admin' }, headers);
      const refused = await service.as(token).post('/items/makers', { name: 'idempotent admin' }, headers);
      expect([refused.status, refused.headers.get('idempotent-replayed')]).toEqual([400, null]);
      const made = await service.as(token).post('/items/makers', { name: 'idempotent user' }, headers);
      const again = await service.as(token).post('/items/makers', { name: 'idempotent user' }, headers);
      expect(again.text).toBe(made.text);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    });

    it('holds for updates, deletions and batches', async () => {
      const { id } = (await service.api.post('/items/things', { name: 'short-lived' })).body.data;
      const remove = () => service.api.delete(`/items/things/${id}`, undefined, { 'idempotency-key': 'key-3' });
      expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
      const before = await total('things');
      const operations = [{ method: 'POST', path: '/items/things', body: { name: 'batched' } }];
      const batch = () => service.api.post('/batch', { operations }, { 'idempotency-key': 'key-4' });
      expect((await batch()).text).toBe((await batch()).text);
      expect(await total('things')).toBe(before + 1);
    });

    it('forgets after a day', async () => {
      const send = () => service.api.post('/items/things', { name: 'daily' }, { 'idempotency-key': 'key-5' });
      const first = await send();
      await service.sql("update service_idempotency set created = '2020-01-01 00:00:00'");
      expect((await send()).body.data.id).not.toBe(first.body.data.id);
    });
  });

  describe('If-Match', () => {
    it('G02: of 50 who saw the same item exactly one changes it', async () => {
      const { id } = (await service.api.post('/items/things', { name: 'contended', count: 0 })).body.data;
      const etag = (await service.api.get(`/items/things/${id}?fields=count`)).headers.get('etag') ?? '';
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => service.api.patch(`/items/things/${id}`, { count: index + 1 }, { 'if-match': etag })),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBe(1);
      expect(statuses.filter((status) => status === 412).length).toBe(49);
    });

    it('minds the fields that were seen, and only these', async () => {
      const { id } = (await service.api.post('/items/things', { name: 'seen', count: 1 })).body.data;
      const path = `/items/things/${id}`;
      const [name, whole] = [
        (await service.api.get(`${path}?fields=name`)).headers.get('etag') ?? '',
        (await service.api.get(path)).headers.get('etag') ?? '',
      ];
      const changed = await service.api.patch(path, { count: 2 });
      expect((await service.api.delete(path, undefined, { 'if-match': whole })).status).toBe(412);
      expect((await service.api.patch(path, { count: 3 }, { 'if-match': name })).status).toBe(200);
      expect((await service.api.patch(path, { count: 3 }, { 'if-match': `W/${whole}, "x", ${changed.headers.get('etag')}` })).status).toBe(
        412,
      );
      expect((await service.api.delete(path, undefined, { 'if-match': '*' })).status).toBe(204);
      expect((await service.api.delete(path, undefined, { 'if-match': '*' })).status).toBe(403);
    });

    it('H20: asks at most three queries, however many tags there are', async () => {
      const { id } = (await service.api.post('/items/things', { name: 'asked', count: 1 })).body.data;
      const path = `/items/things/${id}`;
      const tags = await Promise.all(
        ['', '?fields=id', '?fields=name', '?fields=count'].map(async (query) => (await service.api.get(path + query)).headers.get('etag')),
      );
      const stale = tags.map((tag) => tag?.replace(/^"../, '"xx'));
      const change = (...given: readonly unknown[]) => service.api.patch(path, { count: 1 }, { 'if-match': given.join(', ') });
      expect(codeOf(await change(...stale))).toBe('400 INVALID_PAYLOAD');
      expect(codeOf(await change(...stale.slice(1)))).toBe('412 PRECONDITION_FAILED');
      expect((await change(...stale.slice(1), ...tags.slice(1))).status).toBe(200);
    });

    it('answers 304 to a client that has the item already', async () => {
      const { id } = (await service.api.post('/items/things', { name: 'cached' })).body.data;
      const { headers } = await service.api.get(`/items/things/${id}`);
      expect((await service.api.get(`/items/things/${id}`, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
    });
  });
});
