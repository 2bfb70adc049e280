// Who has an item open: sent to callers who may read the item, with what they may read of the others.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createService } from '../../src/tain.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { patience, patientConfig } from '../harness/patience.js';
import { makePerson, type PermissionSpec, type Person } from '../harness/people.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table notes (id integer primary key, title varchar(50), owner varchar(50));
  create table pairs (a integer, b varchar(20), primary key (a, b));
  insert into notes values (1, 'one', 'all'), (2, 'two', 'nobody'); insert into pairs values (1, 'x')`;
const waiting = { timeout: patience, interval: 5 };
const own: PermissionSpec = { collection: 'notes', action: 'read', fields: ['id', 'title'], permissions: { owner: { _eq: 'all' } } };
const names: PermissionSpec = { collection: 'service_users', action: 'read', fields: ['id', 'first_name'] };

describeEachVendor('presence', (vendor) => {
  let service: TestService;
  let ada: Person;
  let bea: Person;
  /** Reads notes, and no users. */
  let cy: Person;
  /** Reads nothing. */
  let dan: Person;
  const open: SocketClient[] = [];

  const connect = async (token: string, url = service.url): Promise<SocketClient> => {
    const client = await openAs(url, token);
    open.push(client);
    return client;
  };
  const enter = async (token: string, item: unknown = 1, collection = 'notes', url = service.url): Promise<SocketClient> => {
    const client = await connect(token, url);
    await client.ask({ type: 'presence', collection, item, uid: 'p' });
    return client;
  };
  const present = (client: SocketClient): readonly unknown[] => {
    const { users, others } = client.messages.findLast(({ type, users }) => type === 'presence' && users !== undefined) ?? {};
    return [users?.map(({ first_name: name }: { first_name: string }) => name), others];
  };
  const expectPresent = (client: SocketClient, users: readonly string[], others = 0) =>
    expect.poll(() => present(client), waiting).toEqual([users, others]);

  beforeAll(async () => {
    service = await startService(vendor, { area: 'presence', fixture, config: { websocketsAuthTimeout: patience } });
    ada = await makePerson(service, [{ permissions: [own, names] }], { first_name: 'Ada', last_name: 'Secret' });
    bea = await makePerson(service, [{ permissions: [own, names] }], { first_name: 'Bea' });
    cy = await makePerson(service, [{ permissions: [own] }], { first_name: 'Cy' });
    dan = await makePerson(service, [{}], { first_name: 'Dan' });
  });
  afterEach(async () => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(() => service.stop());

  it('reports who else is there, and when they leave', async () => {
    const first = await enter(ada.token);
    expect(first.messages.at(-1)).toEqual({ type: 'presence', collection: 'notes', item: 1, users: [], others: 0, uid: 'p' });
    const second = await enter(bea.token, '1');
    await expectPresent(first, ['Bea']);
    await expectPresent(second, ['Ada']);
    expect(first.messages.at(-1).users).toEqual([{ id: bea.id, first_name: 'Bea' }]);
    // The same person elsewhere counts once, and is not reported to itself.
    const again = await enter(bea.token);
    await expectPresent(again, ['Ada']);
    again.close();
    expect(await second.ask({ type: 'presence', action: 'leave', uid: 'p' })).toEqual({ type: 'presence', action: 'leave', uid: 'p' });
    await expectPresent(first, []);
    await second.ask({ type: 'presence', collection: 'notes', item: 1, uid: 'p' });
    await expectPresent(first, ['Bea']);
    second.close();
    await expectPresent(first, []);
    const third = await enter(bea.token, [1, 'x'], 'pairs').catch(() => null);
    expect(third?.messages.at(-1)).toMatchObject({ type: 'presence', status: 'error', error: { code: 'FORBIDDEN' }, uid: 'p' });
    expect((await enter(adminToken, [1, 'x'], 'pairs')).messages.at(-1)).toMatchObject({ item: [1, 'x'], users: [], others: 0 });
  });

  it('subscriptions of any uid leave it alone', async () => {
    const [first, second] = [await enter(ada.token), await connect(bea.token)];
    await second.ask({ type: 'presence', collection: 'notes', item: 1, uid: '1' });
    await expectPresent(first, ['Bea']);
    for (const uid of ['presence 1', 'presence', '1']) {
      expect(await second.ask({ type: 'subscribe', collection: 'notes', uid })).toMatchObject({ event: 'init' });
      await second.ask({ type: 'unsubscribe', uid });
    }
    await second.ask({ type: 'presence', collection: 'notes', item: 1, uid: '2' });
    const counted = (await service.api.get('/server/health')).body.checks['realtime:subscriptions'][0].observedValue;
    expect(counted, 'one place of the first, two of the second').toBe(3);
  });

  it('does not name users the caller may not read', async () => {
    const first = await enter(cy.token);
    const second = await enter(ada.token);
    await expectPresent(first, [], 1);
    await expectPresent(second, ['Cy']);
    expect(JSON.stringify(first.messages)).not.toContain(ada.id);
  });

  it('reports nothing to callers who may not read the item, and does not show them', async () => {
    const first = await enter(ada.token);
    for (const [token, item] of [
      [dan.token, 1],
      [ada.token, 2],
      [ada.token, 99],
    ] as const) {
      const refused = await enter(token, item);
      expect(refused.messages.at(-1)).toMatchObject({ type: 'presence', status: 'error', error: { code: 'FORBIDDEN' }, uid: 'p' });
    }
    const admin = await enter(adminToken, 2);
    await expectPresent(admin, []);
    await expectPresent(first, []);
    for (const message of [
      { item: 1 },
      { collection: 'notes' },
      { collection: 'notes', item: { a: 1 } },
      { collection: 'notes', action: 'jump' },
    ])
      expect((await first.ask({ type: 'presence', ...message, uid: 'bad' })).error.code).toBe('INVALID_PAYLOAD');
    expect((await first.ask({ type: 'presence', collection: 'none', item: 1, uid: 'bad' })).error.code).toBe('FORBIDDEN');
  });

  it('ends with the right to read the item, and comes back with it', async () => {
    const first = await enter(ada.token);
    const second = await enter(bea.token);
    const admin = await enter(adminToken);
    await expectPresent(admin, ['Ada', 'Bea']);
    await service.sql("update notes set owner = 'nobody' where id = 1");
    await expectPresent(admin, []);
    expect(first.messages.at(-1)).toMatchObject({ item: null, users: [], others: 0 });
    const from = first.messages.length;
    second.close();
    await service.api.patch('/items/notes/1', { owner: 'all' });
    await expectPresent(admin, ['Ada']);
    expect(first.messages.slice(from).some(({ users }) => users?.some(({ id }: { id: string }) => id === bea.id))).toBe(false);
  });

  it('suspended users vanish at once, and receive nothing more', async () => {
    const eve = await makePerson(service, [{ permissions: [own, names] }], { first_name: 'Eve' });
    const first = await enter(ada.token);
    const second = await enter(eve.token);
    await expectPresent(first, ['Eve']);
    await service.api.patch(`/users/${eve.id}`, { status: 'suspended' });
    await expectPresent(first, []);
    const from = second.messages.length;
    await enter(bea.token);
    await expectPresent(first, ['Bea']);
    expect(second.messages.slice(from).filter(({ type }) => type === 'presence')).toEqual([]);
  });

  it('a person without names is shown when the permission comes', async () => {
    const first = await enter(cy.token);
    await enter(ada.token);
    await expectPresent(first, [], 1);
    const { id } = (await service.api.post('/permissions', { policy: cy.policies[0], ...names })).body.data;
    await expectPresent(first, ['Ada']);
    await service.api.delete(`/permissions/${id}`);
    await expectPresent(first, [], 1);
  });

  // Other vendors carry no messages by themselves; test/e2e/workers.test.ts has two processes of one service.
  if (vendor.name !== 'postgres') return;
  it('is shared between processes', async () => {
    const other = await createService({ databaseUrl: service.databaseUrl, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig });
    const url = await other.listen();
    await other.ready();
    const first = await enter(ada.token);
    const second = await enter(bea.token, 1, 'notes', url);
    await expectPresent(first, ['Bea']);
    await expectPresent(second, ['Ada']);
    await other.close();
    await expectPresent(first, []);
  });
});
