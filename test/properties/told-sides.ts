// Random subscriptions by every door, the same on two services, and what each of them has been told, in lines that can be compared.

import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openEvents } from '../harness/event-source.js';
import { asUrl } from '../harness/list-readers.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import type { TestService } from '../harness/start-service.js';
import type { Random } from './random.js';

type Query = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly door: 'socket' | 'stream' | 'graphql';
  readonly query: Query;
  /** One item instead of a list. */
  readonly item: number | null;
}

interface Told {
  readonly asked: Asked;
  /** What it was told, one line per item and event. */
  readonly lines: string[];
}

const words = ['amber', 'birch', 'cedar', 'delta', 'team'] as const;
const selections = [
  ['id'],
  ['id', 'name'],
  ['*'],
  ['id', 'team_id.name'],
  ['id', 'name', 'team_id.id'],
  ['name', 'team_id'],
  ['id', 'team_id.*'],
];

export function makeAsked(random: Random): Asked {
  const door = random.pick(['socket', 'socket', 'stream', 'graphql'] as const);
  if (door === 'graphql') return { door, item: null, query: { fields: ['id', 'name'], ...filterOf(random) } };
  if (door === 'socket' && random.chance(0.15)) return { door, item: 1 + random.int(20), query: { fields: random.pick(selections) } };
  const limit = random.pick([null, null, -1, 3, 5, 30]);
  return {
    door,
    item: null,
    query: {
      fields: random.pick(selections),
      ...filterOf(random),
      ...(limit === null ? {} : { limit }),
      ...(random.chance(0.3) ? { sort: [random.pick(['name', '-id', 'team_id.name', '-name'])] } : { sort: ['id'] }),
      ...(random.chance(0.2) ? { offset: random.pick([1, 4, 1_000]) } : random.chance(0.2) ? { page: random.pick([2, 9]) } : {}),
      ...(random.chance(0.1) ? { search: random.pick(words) } : {}),
      ...(random.chance(0.15) ? { meta: ['total_count', 'filter_count'] } : {}),
    },
  };
}

function filterOf(random: Random): Query {
  if (random.chance(0.4)) return {};
  return {
    filter: random.pick<Query>([
      { id: { _lte: 6 } },
      { id: { _in: [1, 2, 3, 5, 8, 13, 1_000, 1_001] } },
      { name: { _starts_with: random.pick(words) } },
      { team_id: { name: { _contains: '1' } } },
      { team_id: { _eq: 1 + random.int(4) } },
      { _or: [{ id: { _gt: 90 } }, { name: { _contains: 'a' } }] },
    ]),
  };
}

export interface Listening {
  readonly all: readonly Told[];
  /** Resolves when what the service has sent so far has arrived. */
  arrived(): Promise<void>;
  close(): void;
}

/** Subscribes one after the other, with the tokens in turn. `count`: how many subscriptions the service has. */
export async function listen(
  service: TestService,
  collection: string,
  tokens: readonly string[],
  asked: readonly Asked[],
  count: () => Promise<number>,
): Promise<Listening> {
  const users = await Promise.all(
    tokens.map(async (token) => ({ token, socket: await openAs(service.url, token), graphql: openGraphql(service, token) })),
  );
  const streams: (() => void)[] = [];
  const all: Told[] = [];
  for (const [index, one] of asked.entries()) {
    const told = { asked: one, lines: [] as string[] };
    const user = users[index % users.length];
    if (user === undefined) throw new Error('there are tokens');
    all.push(told);
    if (one.door === 'socket') await bySocket(user.socket, collection, one, `s${index}`, told.lines);
    else if (one.door === 'stream') streams.push(await byStream(service, collection, user.token, one, told.lines));
    else {
      const before = await count();
      byGraphql(user.graphql, collection, one, told.lines);
      while ((await count()) === before && told.lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  return {
    all,
    arrived: async () => {
      await Promise.all(users.map(({ socket }) => socket.ask({ type: 'ping' })));
    },
    close: () => {
      for (const stop of streams) stop();
      for (const { socket, graphql } of users) {
        socket.close();
        void graphql.dispose();
      }
    },
  };
}

const openGraphql = ({ url }: TestService, token: string): Client =>
  createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { access_token: token },
  });

function byGraphql(client: Client, collection: string, { query }: Asked, lines: string[]): void {
  const field = `${collection}_mutated`;
  client.subscribe<Readonly<Record<string, { readonly event: string; readonly key: string; readonly data: unknown }>>>(
    { query: `subscription { ${field}${argumentsOf(query)} { event key data { id name } } }` },
    {
      next: ({ data, errors }) => {
        const told = data?.[field];
        lines.push(told === undefined ? codesOf(errors) : `${told.event} ${told.key} ${JSON.stringify(told.data)}`);
      },
      error: (error) => lines.push(codesOf(error)),
      complete: () => undefined,
    },
  );
}

const argumentsOf = ({ filter }: Query): string =>
  filter === undefined ? '' : `(filter: ${JSON.stringify(filter).replaceAll(/"(\w+)":/g, '$1:')})`;

async function bySocket(socket: SocketClient, collection: string, { query, item }: Asked, uid: string, lines: string[]): Promise<void> {
  socket.socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.uid !== uid) return;
    const { type, event, error, meta, reset } = message;
    if (error !== undefined) lines.push(`${type} ${error.code}`);
    else note(lines, reset === true ? 'reset' : event, [message.data ?? []].flat(), meta);
  });
  await socket.ask({ type: 'subscribe', collection, query, uid, ...(item === null ? {} : { item }) });
}

async function byStream(service: TestService, collection: string, token: string, { query }: Asked, lines: string[]): Promise<() => void> {
  const url = `${service.url}/items/${collection}?${asUrl(query)}`;
  const stream = await openEvents(url, { authorization: `Bearer ${token}` }, ({ event, data }) => {
    if (event === 'error') lines.push(`stream ${data.code}`);
    else note(lines, event, data.data, data.meta);
  });
  if (stream.status === 200) await stream.next('init');
  else lines.push(`stream ${stream.status}`);
  return () => stream.close();
}

function note(lines: string[], event: string, items: readonly unknown[], meta: unknown): void {
  for (const item of items) lines.push(`${event} ${JSON.stringify(item)}`);
  if (items.length === 0) lines.push(`${event} nothing`);
  if (meta !== undefined) lines.push(`${event} meta ${JSON.stringify(meta)}`);
}

const codesOf = (error: unknown): string => {
  const codes = [error].flat().map((one) => (one as { readonly extensions?: { readonly code?: string } }).extensions?.code);
  return `graphql ${codes.join()}`;
};
