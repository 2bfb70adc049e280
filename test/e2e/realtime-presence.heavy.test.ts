// The presence of users of a killed process is removed: the others forget who had an item open there.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patience } from '../harness/patience.js';
import { makePerson, type Person } from '../harness/people.js';
import { build, type Folder, makeFolder, type RunningCommand, runStart, waitFor } from '../harness/run-command.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = "create table notes (id integer primary key, title varchar(50)); insert into notes values (1, 'one')";
/** After so long without a word a process is forgotten (docs/realtime.md), and a busy machine may be late. */
const forgottenMs = 30_000 + patience;

// PostgreSQL carries messages between processes by itself.
const vendors = inject('vendors').filter(({ name }) => name === 'postgres');

describe.each(vendors)('presence in a process that is killed', (vendor) => {
  let service: TestService;
  let folder: Folder;
  let other: RunningCommand;
  let [ada, bea]: [Person | null, Person | null] = [null, null];
  const open: SocketClient[] = [];

  const enter = async (url: string, person: Person | null): Promise<SocketClient> => {
    const client = await openAs(url, person?.token ?? '');
    open.push(client);
    await client.ask({ type: 'presence', collection: 'notes', item: 1, uid: 'p' });
    return client;
  };
  const namesTo = ({ messages }: SocketClient): unknown =>
    messages.findLast(({ users }) => users !== undefined)?.users.map(({ first_name }: { first_name: string }) => first_name);

  beforeAll(async () => {
    await build();
    folder = makeFolder();
    service = await startService(vendor, { area: 'presence_kill', fixture });
    const permissions = [
      { collection: 'notes', action: 'read' },
      { collection: 'service_users', action: 'read', fields: ['id', 'first_name'] },
    ] as const;
    ada = await makePerson(service, [{ permissions }], { first_name: 'Ada' });
    bea = await makePerson(service, [{ permissions }], { first_name: 'Bea' });
    other = runStart(folder, [], { DATABASE_URL: service.databaseUrl, RATE_LIMIT: 'off' });
  }, 300_000);
  afterAll(async () => {
    for (const client of open) client.close();
    other.process.kill('SIGKILL');
    await service.stop();
    folder.remove();
  });

  it('ends', async () => {
    const url = await other.address();
    await waitFor(async () => ((await fetch(`${url}/server/ping`).catch(() => null))?.status === 200 ? true : null), 60_000, other.output);
    const first = await enter(service.url, ada);
    const second = await enter(url, bea);
    await expect.poll(() => [namesTo(first), namesTo(second)], { timeout: patience, interval: 20 }).toEqual([['Bea'], ['Ada']]);
    other.process.kill('SIGKILL');
    await expect.poll(() => namesTo(first), { timeout: forgottenMs, interval: 100 }).toEqual([]);
  });
});
