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

/** What a note looked like to a subscriber for a while: what its query selects of it, and all that it may read. null: out of sight. */
interface Look {
  readonly text: string | null;
  readonly read: string | null;
}

/** The looks of a note one after the other. */
interface Course {
  readonly looks: Look[];
  /** The first look that the subscriber may have been told of last: what it is told next is no earlier one. */
  at: number;
  /** The number of looks when the present round and the one before it began. */
  begun: number;
  begunBefore: number;
}

const outOfSight: Look = { text: null, read: null };

export class Subscriber {
  readonly name: string;
  sight: Sight;
  /** What it has received, by key. */
  readonly items = new Map<string, string>();
  /** The first message that it should not have received. */
  fault: string | null = null;
  /** The looks of each note so far, by key. */
  readonly #courses = new Map<string, Course>();
  /** What it has been told since `check`. */
  #told: { readonly event: string; readonly key: string; readonly text: string | null }[] = [];
  /** What it may read, which may be more than what its query selects: a change of it is told, and told once. */
  readonly #may: Sight | null;
  /** What it might read when it was last checked. */
  #read: Readonly<Record<string, string>> = {};
  readonly #stop: () => void;

  constructor(name: string, sight: Sight, open: (deliver: (received: Received) => void) => () => void, may: Sight | null = null) {
    this.name = name;
    this.sight = sight;
    this.#may = may;
    this.#stop = open((received) => this.#take(received));
  }

  /** The world as it is now is one that it may have seen. */
  note(world: SubscriptionWorld): void {
    const [selected, readable] = [this.expected(world), this.#readable(world)];
    for (const key of new Set([...Object.keys(selected), ...this.#courses.keys()])) {
      const { looks } = this.#courseOf(key);
      const look = { text: selected[key] ?? null, read: readable[key] ?? null };
      const last = looks.at(-1);
      if (last?.text !== look.text || last.read !== look.read) looks.push(look);
    }
  }

  #courseOf(key: string): Course {
    const course = this.#courses.get(key) ?? { looks: [outOfSight], at: 0, begun: 0, begunBefore: 0 };
    this.#courses.set(key, course);
    return course;
  }

  /** The items of which something that it may read has changed since `check`, and of which it has not been told. */
  untold(world: SubscriptionWorld): readonly string[] {
    const told = new Set(this.#told.map(({ key }) => key));
    return Object.entries(this.#readable(world)).flatMap(([key, text]) => {
      const before = this.#read[key];
      return before === undefined || before === text || told.has(key) ? [] : [key];
    });
  }

  #readable(world: SubscriptionWorld): Readonly<Record<string, string>> {
    return this.#select(this.#may ?? this.sight, world);
  }

  /** Call when it has caught up: whatever it was told was to be seen at some moment, each time a later one. */
  check(world: SubscriptionWorld): void {
    this.#read = this.#readable(world);
    for (const told of this.#told) this.#follow(told);
    this.#told = [];
  }

  /** An `init` may repeat what is known; every other event tells of a change. */
  #follow({ event, key, text }: { readonly event: string; readonly key: string; readonly text: string | null }): void {
    const course = this.#courseOf(key);
    const from = event === 'init' ? course.at : course.at + 1;
    const found = course.looks.findIndex((look, at) => at >= from && look.text === text);
    if (found < 0) this.#blame(`${event} of ${key} with what it could not see any more, or already has: ${text}`);
    else course.at = found;
  }

  /** A round begins. What came and went within the last one looks like having caught up, and may be told in this one, but nothing older. */
  forget(): void {
    for (const course of this.#courses.values()) {
      const { begun, looks } = course;
      course.begunBefore = begun;
      course.begun = looks.length - 1;
      course.at = Math.max(course.at, course.begunBefore);
    }
  }

  /** What it ought to see now. */
  expected(world: SubscriptionWorld): Readonly<Record<string, string>> {
    return this.#select(this.sight, world);
  }

  #select(sight: Sight, world: SubscriptionWorld): Readonly<Record<string, string>> {
    const seen = [...world.notes.values()].flatMap((note) => {
      const item = sight(note, world);
      return item === null ? [] : [[String(note.id), textOf(item)] as const];
    });
    return Object.fromEntries(seen);
  }

  stop(): void {
    this.#stop();
  }

  #take({ event, items, isReset = false }: Received): void {
    if (event === 'init') {
      const present = new Set(items.map(([key]) => key));
      if (isReset) for (const key of this.items.keys()) if (!present.has(key)) this.#tell('delete', key, null);
      for (const [key, text] of items) this.#tell(event, key, text);
      return;
    }
    for (const [key, text] of items) {
      const known = this.items.get(key);
      if (event === 'create' ? known !== undefined : known === undefined)
        this.#blame(`${event} of ${key}, which it ${known === undefined ? 'never saw' : 'has'}`);
      this.#tell(event, key, text);
    }
  }

  #tell(event: string, key: string, text: string | null): void {
    this.#told.push({ event, key, text });
    if (text === null) this.items.delete(key);
    else this.items.set(key, text);
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
  const bySocket = async (name: string, sight: Sight, { token }: Person, query: object, may: Sight | null = null): Promise<Subscriber> => {
    const client: SocketClient = await openAs(service.url, token);
    const listen = (deliver: (received: Received) => void) => {
      client.socket.on('message', (data) => {
        const message = JSON.parse(String(data));
        if (message.type === 'subscription') deliver(receivedBySocket(message));
      });
      return () => client.close();
    };
    const subscriber = new Subscriber(name, sight, listen, may);
    subscriber.note(world);
    await client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes', query: { limit: -1, ...query } });
    return subscriber;
  };
  const ann = await person(noteRule({ owner: { _eq: 'ann' } }, ['id', 'title']));
  const own = await bySocket('a reader of own notes', isOwnedBy('ann'), ann, {});
  const everything = await person(noteRule(null, ['id', 'title', 'mark']));
  const isLow = { fields: ['id', 'mark'], filter: { mark: { _lt: 5 } } };
  const low: Sight = ({ id, title, mark }) => (mark < 5 ? { id, title, mark } : null);
  const filtered = await bySocket('a reader with a filter', ({ id, mark }) => (mark < 5 ? { id, mark } : null), everything, isLow, low);
  const readable: Sight = ({ id, title, mark }) => ({ id, title, mark });
  const keys = await bySocket('a reader of keys', ({ id }) => ({ id }), everything, { fields: ['id'] }, readable);
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
    all: [own, filtered, keys, shared, graphql, moving],
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
  let pass: (received: Received) => void = () => undefined;
  const subscriber = new Subscriber('a GraphQL subscriber', isOwnedBy('bob'), (deliver) => {
    pass = deliver;
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
  // It begins without items.
  pass({ event: 'init', items: Object.entries(subscriber.expected(world)) });
  while ((await countOf(service)) === before) await new Promise((resolve) => setTimeout(resolve, 10));
  return subscriber;
}

async function countOf({ api }: TestService): Promise<number> {
  return (await api.get('/server/health')).body.checks['realtime:subscriptions'][0].observedValue;
}
