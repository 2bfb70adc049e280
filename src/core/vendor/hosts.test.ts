import { expect, it } from 'vitest';
import { DatabaseError } from './database-error.js';
import { Hosts, nameOfHost, splitHosts } from './hosts.js';

it.each([
  ['postgres://h1/db', ['postgres://h1/db']],
  ['postgres://h1,h2:5433/db?ssl=true', ['postgres://h1/db?ssl=true', 'postgres://h2:5433/db?ssl=true']],
  ['mysql://u:a%2Cb@h1:1,[::1]:2/db', ['mysql://u:a%2Cb@h1:1/db', 'mysql://u:a%2Cb@[::1]:2/db']],
  ['postgres://u:p@h/db?application_name=a,b', ['postgres://u:p@h/db?application_name=a,b']],
])('splits %s', (url, hosts) => {
  expect(splitHosts(url)).toEqual(hosts);
});

it('names a host without the user and the password', () => {
  expect(nameOfHost('postgres://u:secret@h2:5433/db')).toBe('h2:5433');
});

type Behaviour = 'writable' | 'read-only' | 'refuses' | 'hangs';

/** Scripted hosts, and the connections that they gave. */
function makeHosts(...behaviours: Behaviour[]) {
  const closed: string[] = [];
  let moves = 0;
  const hosts = new Hosts<{ readonly host: string; readonly behaviour: Behaviour }>(
    behaviours.map((_behaviour, index) => ({
      name: `h${index + 1}`,
      open: async () => {
        const behaviour = behaviours[index] ?? 'refuses';
        if (behaviour === 'refuses') throw new DatabaseError('unavailable', `no answer from h${index + 1}`);
        if (behaviour === 'hangs') return new Promise(() => undefined);
        return { host: `h${index + 1}`, behaviour };
      },
    })),
    {
      inspect: async ({ behaviour }) => ({ writable: behaviour === 'writable', shared: false, identity: null }),
      close: ({ host }) => closed.push(host),
      readOnly: false,
      onMove: () => {
        moves += 1;
      },
    },
  );
  return { hosts, behaviours, closed, moves: () => moves };
}

it.each([
  ['the only one that accepts writes', ['read-only', 'refuses', 'writable'], 'h3'],
  ['the one that answers, beside one that hangs', ['hangs', 'writable'], 'h2'],
  ['one that can be read, if none accepts writes', ['refuses', 'read-only'], 'h2'],
] as const)('opens a connection to %s', async (_name, behaviours, expected) => {
  const { hosts } = makeHosts(...behaviours);
  expect((await hosts.open()).host).toBe(expected);
});

it('closes the connections that it did not choose', async () => {
  const { hosts, closed } = makeHosts('read-only', 'writable');
  await hosts.open();
  await expect.poll(() => closed).toEqual(['h1']);
});

it('follows a failover, and keeps no connection to the host before', async () => {
  const { hosts, behaviours, moves } = makeHosts('writable', 'read-only');
  const before = await hosts.open();
  expect([hosts.isCurrent(before), moves()]).toEqual([true, 0]);
  behaviours.splice(0, 2, 'read-only', 'writable');
  hosts.suspect();
  expect(hosts.isCurrent(before)).toBe(false);
  const after = await hosts.open();
  expect([after.host, hosts.isCurrent(after), hosts.isCurrent(before), moves()]).toEqual(['h2', true, false, 1]);
  expect((await hosts.openBeside(before)).host).toBe('h1');
});

it('says what each host answered when none can be reached', async () => {
  const { hosts } = makeHosts('refuses', 'refuses');
  await expect(hosts.open()).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/h1: .*h1.*; h2: .*h2/) });
});

it('refuses two hosts that accept writes, and is silent about those that are away', async () => {
  await expect(makeHosts('writable', 'read-only', 'refuses').hosts.requireOneDatabase()).resolves.toBeUndefined();
  await expect(makeHosts('writable', 'writable').hosts.requireOneDatabase()).rejects.toThrow('h1 and h2 both accept writes');
});
