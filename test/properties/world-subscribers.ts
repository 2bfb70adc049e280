// Subscribers of the subscription world, by each door and with different rights. Each keeps what it has received, and fails when it receives what it
// could not have seen, what it already has, or the deletion of an item that it never saw.

import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type EventSourceClient, openEvents } from '../harness/event-source.js';
import { makePerson, type Person } from '../harness/people.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import type { TestService } from '../harness/start-service.js';
import type { Note, SubscriptionWorld } from './subscription-world.js';

/** What a subscriber may see of a note; null: nothing. */
type Sight = (note: Note, world: SubscriptionWorld) => object | null;

interface Received {
  readonly event: string;
  readonly isReset?: boolean;
  readonly items: readonly (readonly [key: string, text: string | null])[];
}

const textOf = (item: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => a.localeCompare(b))));

export class Subscriber {
  readonly name: string;
  sight: Sight;
  /** What it has received, by key. */
  readonly items = new Map<string, string>();
  /** The first message that it should not have received. */
  fault: string | null = null;
  /** What it might have seen since `forget`, and before that. */
  #possible = new Set<string>();
  #earlier = new Set<string>();
  /** What it has seen since `check`. */
  #seen: { readonly event: string; readonly key: string; readonly text: string }[] = [];
  readonly #stop: () => void;

  constructor(name: string, sight: Sight, open: (deliver: (received: Received) => void) => () => void) {
    this.name = name;
    this.sight = sight;
    this.#stop = open((received) => this.#take(received));
  }

  /** The world as it is now is one that it may have seen. */
  note(world: SubscriptionWorld): void {
    for (const [key, text] of Object.entries(this.expected(world))) this.#possible.add(`${key} ${text}`);
  }

  /** Call when it has caught up: whatever it has seen was to be seen at some moment. */
  check(): void {
    for (const { event, key, text } of this.#seen)
      if (!this.#possible.has(`${key} ${text}`) && !this.#earlier.has(`${key} ${text}`))
        this.#blame(`${event} of ${key} with what it could not see: ${text}`);
    this.#seen = [];
  }

  /** Keeps the last round: what came and went within it looks like having caught up, and may be reported in the next. */
  forget(): void {
    this.#earlier = this.#possible;
    this.#possible = new Set();
  }

  /** What it ought to see now. */
  expected(world: SubscriptionWorld): Readonly<Record<string, string>> {
    const seen = [...world.notes.values()].flatMap((note) => {
      const item = this.sight(note, world);
      return item === null ? [] : [[String(note.id), textOf(item)] as const];
    });
    return Object.fromEntries(seen);
  }

  stop(): void {
    this.#stop();
  }

  #take({ event, items, isReset = false }: Received): void {
    if (event === 'init') {
      if (isReset) this.items.clear();
      for (const [key, text] of items) this.#see(event, key, text ?? '');
      return;
    }
    for (const [key, text] of items) {
      const known = this.items.get(key);
      if (event === 'create' ? known !== undefined : known === undefined)
        this.#blame(`${event} of ${key}, which it ${known === undefined ? 'never saw' : 'has'}`);
      if (event === 'update' && known === text) this.#blame(`update of ${key} without a difference: ${text}`);
      if (event === 'delete') this.items.delete(key);
      else this.#see(event, key, text ?? '');
    }
  }

  #see(event: string, key: string, text: string): void {
    this.#seen.push({ event, key, text });
    this.items.set(key, text);
  }

  #blame(what: string): void {
    this.fault ??= `${this.name} received: ${what}`;
  }
}

const noteRule = (permissions: unknown, fields: readonly string[]) =>
  ({ collection: 'notes', action: 'read', fields, permissions }) as const;

const withKeys = (items: readonly Readonly<Record<string, unknown>>[]): Received['items'] =>
  items.map((item) => [String(item['id']), textOf(item)]);

/** A message of the socket in the common form. */
function receivedBySocket({ event, data, reset }: { event: string; data: unknown[]; reset?: boolean }): Received {
  const items =
    event === 'delete' ? data.map((key) => [String(key), null] as const) : withKeys(data as Readonly<Record<string, unknown>>[]);
  return { event, items, isReset: reset === true };
}

const isOwnedBy =
  (owner: string): Sight =>
  ({ id, title, owner: own }) =>
    own === owner ? { id, title } : null;

export interface MovingSubscriber {
  readonly subscriber: Subscriber;
  /** Changes what it may see, by changing its permission. */
  change(number: number): Promise<void>;
}

const scopes: readonly { readonly rule: unknown; readonly fields: readonly string[]; readonly sight: Sight }[] = [
  { rule: { owner: { _eq: 'ann' } }, fields: ['id', 'title'], sight: isOwnedBy('ann') },
  { rule: { owner: { _eq: 'bob' } }, fields: ['id', 'title'], sight: isOwnedBy('bob') },
  { rule: null, fields: ['id', 'title', 'mark'], sight: ({ id, title, mark }) => ({ id, title, mark }) },
  { rule: { id: { _lt: 0 } }, fields: ['id', 'title'], sight: () => null },
  {
    rule: { folder: { shared: { _eq: 1 } } },
    fields: ['id', 'mark'],
    sight: ({ id, mark, folder }, { folders }) => (folders.get(folder ?? 0)?.shared === 1 ? { id, mark } : null),
  },
];

export async function openSubscribers(
  service: TestService,
  world: SubscriptionWorld,
): Promise<{ readonly all: readonly Subscriber[]; readonly moving: MovingSubscriber }> {
  const person = (...permissions: readonly object[]): Promise<Person> => makePerson(service, [{ permissions: permissions as never }]);
  const bySocket = async (name: string, sight: Sight, { token }: Person, query: object): Promise<Subscriber> => {
    const client: SocketClient = await openAs(service.url, token);
    const subscriber = new Subscriber(name, sight, (deliver) => {
      client.socket.on('message', (data) => {
        const message = JSON.parse(String(data));
        if (message.type === 'subscription') deliver(receivedBySocket(message));
      });
      return () => client.close();
    });
    subscriber.note(world);
    await client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes', query: { limit: -1, ...query } });
    return subscriber;
  };
  const ann = await person(noteRule({ owner: { _eq: 'ann' } }, ['id', 'title']));
  const own = await bySocket('a reader of own notes', isOwnedBy('ann'), ann, {});
  const everything = await person(noteRule(null, ['id', 'title', 'mark']));
  const filtered = await bySocket('a reader with a filter', ({ id, mark }) => (mark < 5 ? { id, mark } : null), everything, {
    fields: ['id', 'mark'],
    filter: { mark: { _lt: 5 } },
  });
  const sharer = await person(noteRule({ folder: { shared: { _eq: 1 } } }, ['id', 'folder']), {
    collection: 'folders',
    action: 'read',
    fields: ['id', 'name'],
    permissions: { shared: { _eq: 1 } },
  });
  const shared = await openStream(service, world, sharer);
  const bob = await person(noteRule({ owner: { _eq: 'bob' } }, ['id', 'title']));
  const graphql = await openGraphql(service, world, bob);
  const mover = await person(noteRule(scopes[0]?.rule, scopes[0]?.fields ?? []));
  const { body } = await service.api.get(`/permissions?filter[policy][_eq]=${mover.policies[0]}`);
  const moving = await bySocket('a reader whose rights change', isOwnedBy('ann'), mover, { fields: ['*'] });
  return {
    all: [own, filtered, shared, graphql, moving],
    moving: {
      subscriber: moving,
      async change(number) {
        const scope = scopes[number % scopes.length] as (typeof scopes)[number];
        const { status, text } = await service.api.patch(`/permissions/${body.data[0].id}`, {
          permissions: scope.rule,
          fields: scope.fields,
        });
        if (status !== 200) throw new Error(text);
        moving.sight = scope.sight;
      },
    },
  };
}

async function openStream(service: TestService, world: SubscriptionWorld, { token }: Person): Promise<Subscriber> {
  const url = `${service.url}/items/notes?fields=id,folder.name&limit=-1`;
  const sight: Sight = ({ id, folder }, { folders }) => {
    const at = folders.get(folder ?? 0);
    return at?.shared === 1 ? { id, folder: { name: at.name } } : null;
  };
  let pass: (received: Received) => void = () => undefined;
  const subscriber = new Subscriber('a reader of shared folders', sight, (deliver) => {
    pass = deliver;
    return () => stream.close();
  });
  subscriber.note(world);
  const stream: EventSourceClient = await openEvents(url, { authorization: `Bearer ${token}` }, ({ event, data }) => {
    if (event === 'reset') pass(receivedBySocket({ event: 'init', data: data.data, reset: true }));
    else pass(receivedBySocket({ event, data: data.data }));
  });
  await stream.next('init');
  return subscriber;
}

async function openGraphql(service: TestService, world: SubscriptionWorld, { token }: Person): Promise<Subscriber> {
  const client: Client = createClient({
    url: `${service.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { access_token: token },
  });
  const query = 'subscription { notes_mutated { key event data { id title } } }';
  const before = await countOf(service);
  const subscriber = new Subscriber('a GraphQL subscriber', isOwnedBy('bob'), (deliver) => {
    const fail = (error: unknown): void => {
      subscriber.fault ??= `a GraphQL subscriber ended: ${JSON.stringify(error)}`;
    };
    const next = ({ data }: { data?: Record<string, unknown> | null }): void => {
      const received = data?.['notes_mutated'] as { key: string; event: string; data: { id: string; title: string } | null };
      const text = received.data === null ? null : textOf({ id: Number(received.data.id), title: received.data.title });
      deliver({ event: received.event, items: [[received.key, text]] });
    };
    client.subscribe({ query }, { next, error: fail, complete: () => undefined });
    return () => void client.dispose();
  });
  subscriber.note(world);
  for (const [key, text] of Object.entries(subscriber.expected(world))) subscriber.items.set(key, text);
  while ((await countOf(service)) === before) await new Promise((resolve) => setTimeout(resolve, 10));
  return subscriber;
}

async function countOf({ api }: TestService): Promise<number> {
  return (await api.get('/server/health')).body.checks['realtime:subscriptions'][0].observedValue;
}
