import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionPool, type Tables } from './connection-pool.js';
import type { DatabaseError } from './database-error.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const max = 4;
const maxIdle = 2;
const maxWaitMs = 2_000;
const maxIdleMs = 5_000;
const silenceMs = 2_000;

interface Connection {
  closed: boolean;
}

interface Request {
  readonly tables: Tables;
  readonly since: number;
  readonly leave: AbortController;
  outcome: 'waiting' | 'holding' | 'done' | DatabaseError['kind'];
  connection: Connection | null;
}

/** A pool over connections that open when the test says so, and everything that was asked of it. */
class World {
  readonly opened: Connection[] = [];
  readonly openings: { readonly succeed: () => void; readonly fail: () => void }[] = [];
  readonly requests: Request[] = [];
  readonly silent = new Set<Connection>();
  /** Since when everybody who holds a connection waits for the server; null: the server has answered. */
  waitingSince: number | null = null;
  readonly probes: { readonly answer: () => void }[] = [];
  readonly pool = new ConnectionPool<Connection>({
    max,
    maxIdle,
    maxIdleMs,
    maxWaitMs,
    open: () => this.#open(),
    close: async (connection) => {
      connection.closed = true;
    },
    isStuck: (connection) => this.silent.has(connection),
    silence: {
      silenceMs,
      waitingSince: () => this.waitingSince,
      probe: () => new Promise<void>((resolve) => this.probes.push({ answer: resolve })),
    },
  });

  #open(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.openings.push({
        succeed: () => {
          const connection = { closed: false };
          this.opened.push(connection);
          resolve(connection);
        },
        fail: () => reject(new Error('refused')),
      });
    });
  }

  ask(tables: Tables): void {
    const request: Request = { tables, since: performance.now(), leave: new AbortController(), outcome: 'waiting', connection: null };
    this.requests.push(request);
    this.pool.take(tables, request.leave.signal).then(
      (connection) => {
        expect(connection.closed, 'a closed connection was handed out').toBe(false);
        Object.assign(request, { outcome: 'holding', connection });
      },
      (error: DatabaseError) => {
        request.outcome = error.kind;
      },
    );
  }

  holding = (): readonly Request[] => this.requests.filter(({ outcome }) => outcome === 'holding');
  waiting = (): readonly Request[] => this.requests.filter(({ outcome }) => outcome === 'waiting');
  open = (): readonly Connection[] => this.opened.filter(({ closed }) => !closed);

  end(request: Request | undefined, how: 'give' | 'drop'): void {
    if (request?.connection == null) return;
    request.outcome = 'done';
    this.pool[how](request.connection);
    // A caller that drops a connection still gives it back in the end.
    if (how === 'drop') this.pool.give(request.connection);
  }

  usersOf(table: string): number {
    return this.holding().filter(({ tables }) => tables.includes(table)).length;
  }

  /** What holds at any moment. */
  check(): void {
    const held = this.holding().map(({ connection }) => connection);
    expect(new Set(held).size, 'two hold the same connection').toBe(held.length);
    expect(this.open().length + this.openings.length).toBeLessThanOrEqual(max);
    for (const { since } of this.waiting()) expect(performance.now() - since).toBeLessThan(maxWaitMs);
    const holdingOpen = held.filter((connection) => connection?.closed === false).length;
    const idle = this.open().length - holdingOpen;
    expect(this.pool.state()).toEqual({ size: this.open().length, idle, waiting: this.waiting().length });
    expect(idle).toBeLessThanOrEqual(maxIdle);
    if (this.waiting().length > 0 && holdingOpen === 0) expect(this.openings.length, 'nobody works for who waits').toBeGreaterThan(0);
    const untouched = this.waiting().filter(({ tables }) => tables.every((table) => this.usersOf(table) === 0));
    if (untouched.length > 0) expect(idle, 'one waits beside an idle connection').toBe(0);
  }
}

type Step =
  | { readonly kind: 'ask'; readonly tables: Tables }
  | { readonly kind: 'give' | 'drop' | 'lose' | 'silence' | 'leave' | 'succeed' | 'fail'; readonly which: number }
  | { readonly kind: 'pass'; readonly ms: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), tables: fc.subarray(['a', 'b', 'c', 'd']) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('give', 'drop', 'lose', 'silence', 'leave', 'succeed', 'succeed', 'fail'),
        which: fc.nat(9),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 500, 1_999, 2_000, 9_000) }) },
  ),
  { maxLength: 60 },
);

async function run(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'ask':
      world.ask(step.tables);
      break;
    case 'give':
    case 'drop':
      world.end(pick(world.holding(), step.which), step.kind);
      break;
    case 'lose': {
      // The server closes a connection, whether or not it is in use.
      const lost = pick(world.open(), step.which);
      if (lost !== undefined) world.pool.drop(lost);
      break;
    }
    case 'silence': {
      const silent = pick(world.holding(), step.which)?.connection;
      if (silent != null) world.silent.add(silent);
      break;
    }
    case 'leave':
      pick(world.waiting(), step.which)?.leave.abort();
      break;
    case 'succeed':
    case 'fail':
      world.openings.splice(step.which % Math.max(1, world.openings.length), 1)[0]?.[step.kind]();
      break;
    case 'pass':
      await vi.advanceTimersByTimeAsync(step.ms);
      break;
  }
  await vi.advanceTimersByTimeAsync(0);
}

const pick = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)];

/** Everybody goes, and the pool has to be as good as new. */
async function expectRestored(world: World): Promise<void> {
  for (const request of world.requests) request.leave.abort();
  for (const request of world.holding()) world.end(request, 'give');
  for (const opening of world.openings.splice(0)) opening.succeed();
  await vi.advanceTimersByTimeAsync(0);
  const before = world.requests.length;
  for (let index = 0; index < max; index += 1) world.ask([`own ${index}`]);
  for (const opening of world.openings.splice(0)) opening.succeed();
  await vi.advanceTimersByTimeAsync(0);
  expect(world.requests.slice(before).map(({ outcome }) => outcome)).toEqual(Array.from({ length: max }, () => 'holding'));
  world.check();
  const closing = world.pool.close();
  for (const request of world.holding()) world.end(request, 'give');
  await closing;
  expect(world.open()).toEqual([]);
}

describe('a pool of connections', () => {
  it('H06: keeps its promises in any order of events', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const world = new World();
        for (const step of sequence) {
          await run(world, step);
          world.check();
        }
        await expectRestored(world);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves a place to others when the users of one table stay', async () => {
    const world = new World();
    for (let index = 0; index < 50; index += 1) world.ask(['locked', `own ${index}`]);
    for (const opening of world.openings.splice(0)) opening.succeed();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.holding()).toHaveLength(3);
    world.ask(['other']);
    for (const opening of world.openings.splice(0)) opening.succeed();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.requests.at(-1)?.outcome).toBe('holding');
    await vi.advanceTimersByTimeAsync(maxWaitMs);
    expect(world.waiting()).toEqual([]);
    expect(world.requests.filter(({ outcome }) => outcome === 'unavailable')).toHaveLength(47);
  });

  it('H16: rejects requests that wait for a server that answers nothing, and only them', async () => {
    const world = new World();
    for (const table of ['a', 'b', 'c']) world.ask([table]);
    for (const opening of world.openings.splice(0)) opening.succeed();
    await vi.advanceTimersByTimeAsync(0);
    world.end(world.holding()[0], 'give');
    world.waitingSince = performance.now();
    await vi.advanceTimersByTimeAsync(silenceMs / 2);
    expect(world.probes).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(250);
    world.probes.splice(0)[0]?.answer();
    await vi.advanceTimersByTimeAsync(silenceMs / 2);
    expect(world.open()).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(500 + silenceMs / 2);
    expect(world.probes).toHaveLength(1);
    expect(world.open()).toEqual([]);
    world.waitingSince = null;
    await expectRestored(world);
  });

  it('rejects waiting requests when it is closed, and closes what was being opened', async () => {
    const world = new World();
    world.ask(['a']);
    const closing = world.pool.close();
    world.openings.splice(0)[0]?.succeed();
    await closing;
    expect(world.requests[0]?.outcome).toBe('unavailable');
    expect(world.opened).toEqual([{ closed: true }]);
    world.ask([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(world.requests[1]?.outcome).toBe('unavailable');
  });
});
