// What a write tells to subscribers who may not read everything: a change of any field that they may read, and nothing about the others.

import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openEvents } from '../harness/event-source.js';
import { patience } from '../harness/patience.js';
import { makePerson, type Person } from '../harness/people.js';
import { openAs } from '../harness/socket-client.js';
import { startService, type TestService } from '../harness/start-service.js';

const rows = Array.from({ length: 40 }, (_, index) => `(${index + 1}, 'n${index + 1}', 'c', 100)`);
const fixture = `
  create table staff (id integer primary key, name varchar(50), city varchar(50), salary integer);
  insert into staff values ${rows.join(', ')}`;

/** Lists of more items are long ones. */
const remembered = 20;
const short = { id: { _lte: 10 } };

describeEachVendor('what subscribers are told of writes', (vendor) => {
  let service: TestService;
  let reader: Person;
  const close: (() => unknown)[] = [];

  beforeAll(async () => {
    service = await startService(vendor, {
      area: 'realtime_hidden',
      fixture,
      config: { realtimeItems: remembered, realtimeUserLists: 12 },
    });
    reader = await makePerson(service, [{ permissions: [{ collection: 'staff', action: 'read', fields: ['id', 'name', 'city'] }] }]);
  });
  afterEach(() => {
    for (const act of close.splice(0)) act();
  });
  afterAll(() => service.stop());

  const write = async (id: number, data: object): Promise<void> => {
    expect((await service.api.patch(`/items/staff/${id}`, data)).status).toBe(200);
  };

  /** The events after the first page, as "event key". */
  const bySocket = async (query: object, { token } = reader): Promise<string[]> => {
    const client = await openAs(service.url, token);
    close.push(() => client.close());
    const told: string[] = [];
    expect((await client.ask({ type: 'subscribe', collection: 'staff', query })).event).toBe('init');
    client.socket.on('message', (data) => {
      const { type, event, data: items, reset } = JSON.parse(String(data));
      // A long list of which nothing is remembered is sent again when another program may have written something after a change that was told.
      const isSentAgain = reset === true && 'limit' in query && query.limit === -1;
      if (type === 'subscription' && !isSentAgain) told.push(...items.map((item: { id: number }) => `${event} ${item.id}`));
    });
    return told;
  };

  const byStream = async (query: object, { token } = reader): Promise<string[]> => {
    const told: string[] = [];
    const parameters = Object.entries(query).map(
      ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : value)}`,
    );
    const stream = await openEvents(
      `${service.url}/items/staff?${parameters.join('&')}`,
      { authorization: `Bearer ${token}` },
      ({ event, data }) => {
        if (event !== 'init') told.push(...data.data.map((item: { id: number }) => `${event} ${item.id}`));
      },
    );
    close.push(() => stream.close());
    await stream.next('init');
    return told;
  };

  const byGraphql = async (filter: string, data: string, { token } = reader): Promise<string[]> => {
    const told: string[] = [];
    const client = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { access_token: token },
    });
    close.push(() => client.dispose());
    const count = async () => (await service.api.get('/server/health')).body.checks['realtime:subscriptions'][0].observedValue;
    const before = await count();
    client.subscribe<{ staff_mutated: { event: string; key: string } }>(
      { query: `subscription { staff_mutated${filter} { key event ${data} } }` },
      {
        next: (value) => told.push(`${value.data?.staff_mutated.event} ${value.data?.staff_mutated.key}`),
        error: (error) => told.push(JSON.stringify(error)),
        complete: () => undefined,
      },
    );
    await expect.poll(count, { timeout: patience, interval: 5 }).toBe(before + 1);
    return told;
  };

  /** Everybody is told in the order of commits, so whatever came before this write is known when it has been told. */
  const expectTold = async (id: number, lists: readonly string[][], expected: readonly string[]): Promise<void> => {
    await write(id, { name: `seen ${Math.random()}` });
    for (const told of lists) {
      await expect.poll(() => told, { timeout: patience, interval: 5 }).toContain(`update ${id}`);
      expect(told.splice(0)).toEqual([...expected, `update ${id}`]);
    }
  };

  it('H21: a hidden field is not told, whichever page the subscriber asked for', async () => {
    const fields = ['id', 'name'];
    const lists = [
      await bySocket({ fields, filter: short, offset: 1_000 }),
      await bySocket({ fields, filter: short, page: 9, limit: 3 }),
      await bySocket({ fields, filter: short, limit: -1 }),
      await byStream({ fields: 'id,name', filter: short, offset: 1_000 }),
      await byGraphql('(filter: { id: { _lte: 10 } })', 'data { id name }'),
    ];
    await write(3, { salary: 1 });
    await write(4, { salary: 2 });
    await expectTold(5, lists, []);
  });

  it('H21: a hidden field of an item of a long list is not told, another one is', async () => {
    const fields = ['id', 'name'];
    const lists = [
      await bySocket({ fields, limit: 3 }),
      await bySocket({ fields, offset: 1_000 }),
      await bySocket({ fields, limit: -1 }),
      await byStream({ fields: 'id,name', limit: 3 }),
      await byGraphql('', 'data { id name }'),
    ];
    await write(31, { salary: 3 });
    await write(1, { salary: 4 });
    await expectTold(32, lists, []);
    await write(33, { salary: 5, name: 'n' });
    await expectTold(34, lists, ['update 33']);
  });

  it('a field that the subscriber may read is told, selected or not, whoever writes it', async () => {
    const fields = ['id'];
    const lists = [
      await bySocket({ fields, filter: short }),
      await bySocket({ fields, filter: short, limit: -1, alias: { called: 'name' } }),
      await bySocket({ fields: ['id', 'name'], filter: short, limit: 2, page: 4 }),
      await byStream({ fields: 'id', filter: short }),
      await byGraphql('(filter: { id: { _lte: 10 } })', 'data { id }'),
      await byGraphql('(filter: { id: { _lte: 10 } })', ''),
    ];
    await write(6, { city: 'Oslo' });
    await write(7, { salary: 6 });
    await expectTold(8, lists, ['update 6']);
    // Other programs: hidden fields first, so that what follows is known to come after them.
    await service.sql('update staff set salary = 7 where id = 2');
    await service.sql("update staff set city = 'Rome' where id = 9");
    for (const told of lists) {
      await expect.poll(() => told, { timeout: patience, interval: 5 }).toContain('update 9');
      expect(told.splice(0)).toEqual(['update 9']);
    }
  });

  it('a field that the subscriber may read of some items is told of these', async () => {
    const own = { id: { _in: [1, 2] } };
    const partly = await makePerson(service, [
      { permissions: [{ collection: 'staff', action: 'read', fields: ['id', 'name'] }] },
      { permissions: [{ collection: 'staff', action: 'read', fields: ['id', 'name', 'city', 'salary'], permissions: own }] },
    ]);
    const lists = [
      await bySocket({ fields: ['id'], filter: short }, partly),
      await bySocket({ fields: ['id', 'city'], filter: short }, partly),
      await byStream({ fields: 'id,name', filter: short }, partly),
      await byGraphql('(filter: { id: { _lte: 10 } })', 'data { id }', partly),
    ];
    await write(1, { salary: 8 });
    await write(3, { salary: 9, city: 'Bern' });
    await write(2, { city: 'Bern' });
    await service.sql("update staff set salary = 10, city = 'Graz' where id = 4");
    await expectTold(5, lists, ['update 1', 'update 2']);
  });

  it('H22: a user has a share of what is remembered and of the lists, and leaves the rest to others', async () => {
    const greedy = await makePerson(service, [{ permissions: [{ collection: 'staff', action: 'read', fields: ['id', 'name'] }] }]);
    const client = await openAs(service.url, greedy.token);
    const items = async () => (await service.api.get('/server/health')).body.checks['realtime:items'][0].observedValue;
    const ofOthers = await items();
    const answers: { readonly event?: string }[] = [];
    for (let index = 0; index < 13; index += 1)
      answers.push(
        await client.ask({ type: 'subscribe', collection: 'staff', query: { filter: { id: { _lt: 20, _neq: 1_000 + index } } } }),
      );
    expect(answers.slice(0, 12).map(({ event }) => event)).toEqual(Array(12).fill('init'));
    expect(answers[12]).toMatchObject({ type: 'subscribe', error: { code: 'REQUESTS_EXCEEDED' } });
    const before = await items();
    expect(before - ofOthers).toBeLessThanOrEqual(5 * remembered);
    await bySocket({ fields: ['id'], filter: { id: { _lt: 11 } } }, await makePerson(service, [{ admin_access: true }]));
    expect(await items()).toBe(before + 10);
    // One that is left makes room, although it is kept for a while.
    client.send({ type: 'unsubscribe', uid: 'ask 2' });
    expect((await client.ask({ type: 'subscribe', collection: 'staff', query: { filter: { id: { _lt: 9 } } } })).event).toBe('init');
    client.close();
  });
});
