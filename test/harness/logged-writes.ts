// What the log of every vendor has to report: tests for a table `notes` (id, title, owner) with the items 1 of ann and 2 of bob.

import { expect, it } from 'vitest';
import { measureDelays } from './delivery-delays.js';
import { makePerson } from './people.js';
import type { SocketClient } from './socket-client.js';
import { adminToken, type TestService } from './start-service.js';

interface LogTests {
  readonly service: () => TestService;
  /** A client that follows the collection, as soon as the log is read. */
  readonly follow: (collection: string, token: string, fields?: readonly string[]) => Promise<SocketClient>;
  /** The numbers `n` from 1,000 to 26,000, as this vendor lists them: more than the log reports by key. */
  readonly thousands: string;
}

export function testLoggedWrites({ service, follow, thousands }: LogTests): void {
  it('reports what other programs write, by key, and nothing that is rolled back or hidden', async () => {
    const { sql } = service();
    const rule = { collection: 'notes', action: 'read', permissions: { owner: { _eq: 'ann' } } } as const;
    const ann = await makePerson(service(), [{ permissions: [rule] }]);
    const client = await follow('notes', ann.token);
    const from = client.messages.length;
    await sql("begin; insert into notes values (9, 'never', 'ann'); rollback");
    await sql("insert into notes values (10, 'hidden', 'bob'), (11, 'seen', 'ann')");
    expect(await client.next(({ event }) => event === 'create', from)).toMatchObject({ data: [{ id: 11, title: 'seen' }] });
    await sql("update notes set owner = 'bob' where id = 11");
    expect(await client.next(({ event }) => event === 'delete', from)).toMatchObject({ data: [11] });
    await sql("update notes set id = 12, title = 'moved', owner = 'ann' where id = 10");
    await client.next(({ data }) => data?.[0]?.id === 12, from);
    await sql('update notes set id = 13 where id = 12');
    expect(await client.next(({ data }) => data?.[0] === 12, from)).toMatchObject({ event: 'delete' });
    await sql('delete from notes where id = 13');
    await client.next(({ event, data }) => event === 'delete' && data.includes(13), from);
    await sql('truncate notes');
    await client.next(({ event, data }) => event === 'delete' && data.includes(1), from);
    await sql("insert into notes values (1, 'one', 'ann'), (2, 'two', 'bob')");
    await client.next(({ event, data }) => event === 'create' && data[0].id === 1, from);
    const received = client.messages.slice(from).map(({ data }) => JSON.stringify(data));
    expect(received.some((data) => data.includes('never') || data.includes('hidden'))).toBe(false);
  });

  it('reports a change of a field that was not asked for, if it may be read', async () => {
    const { sql, api } = service();
    const { token } = await makePerson(service(), [{ permissions: [{ collection: 'notes', action: 'read', fields: ['id', 'title'] }] }]);
    const client = await follow('notes', token, ['id']);
    const from = client.messages.length;
    await sql("update notes set owner = 'eve' where id = 1");
    await sql("update notes set title = 'new' where id = 2");
    expect(await client.next(({ event }) => event === 'update', from)).toMatchObject({ data: [{ id: 2 }] });
    await api.patch('/items/notes/1', { title: 'newer' });
    expect(await client.next(({ event, data }) => event === 'update' && data[0].id === 1, from)).toMatchObject({ data: [{ id: 1 }] });
    expect(client.messages.slice(from).map(({ data }) => data)).toEqual([[{ id: 2 }], [{ id: 1 }]]);
    await sql("update notes set owner = 'ann' where id = 1");
  });

  it('own writes are reported once, by key; too many at once are read again', async () => {
    const { api, sql } = service();
    const client = await follow('notes', adminToken);
    const from = client.messages.length;
    for (let number = 0; number < 20; number += 1) await api.patch('/items/notes/1', { title: `title ${number}` });
    await client.next(({ data }) => data?.[0]?.title === 'title 19', from);
    const titles = client.messages.slice(from).flatMap(({ data }) => (data ?? []).map(({ title }: { title: string }) => title));
    expect(titles).toEqual([...new Set(titles)]);
    await sql(`insert into notes select n, 'many', 'ann' from ${thousands}`);
    await client.next(({ event, reset }) => event === 'init' && reset === true, from);
    await sql('delete from notes where id >= 1000');
  });

  it('reports it within 300 ms', async () => {
    const client = await follow('notes', adminToken);
    const write = (title: string): Promise<unknown> => service().sql(`update notes set title = '${title}' where id = 1`);
    const delays = await measureDelays({ client, write, count: 30, everyMs: 100 });
    expect(delays.ownP95, JSON.stringify(delays)).toBeLessThan(300);
  });
}
