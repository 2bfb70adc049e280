// What every database log has to tell, whichever vendor's it is: tests for a table `notes` (id, title, owner) with the items 1 of ann and 2 of bob.

import { expect, it } from 'vitest';
import { makePerson } from './people.js';
import type { SocketClient } from './socket-client.js';
import { adminToken, type TestService } from './start-service.js';
import { measureDelays } from './told-delays.js';

interface LogTests {
  readonly service: () => TestService;
  /** A client that follows the collection, as soon as the log is read. */
  readonly follow: (collection: string, token: string) => Promise<SocketClient>;
}

export function testLoggedWrites({ service, follow }: LogTests): void {
  it('tells what other programs write, by key, and nothing that is rolled back or hidden', async () => {
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
    const told = client.messages.slice(from).map(({ data }) => JSON.stringify(data));
    expect(told.some((data) => data.includes('never') || data.includes('hidden'))).toBe(false);
  });

  it('tells it within 300 ms', async () => {
    const client = await follow('notes', adminToken);
    const write = (title: string): Promise<unknown> => service().sql(`update notes set title = '${title}' where id = 1`);
    const delays = await measureDelays({ client, write, count: 30, everyMs: 100 });
    expect(delays.ownP95, JSON.stringify(delays)).toBeLessThan(300);
  });
}
