import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseError } from './database-error.js';
import type { Connection, Driver, Row, Statement } from './driver.js';
import { openReplicatedDriver, type ReplicatedDriver } from './replicated-driver.js';
import type { Replication } from './replication.js';

/** A scripted server. Its rows contain its name. */
class FakeServer {
  readonly name: string;
  /** The number of its last commit. */
  at = 0;
  failure: Error | null = null;
  /** Fails after the first batch of a stream. */
  breaksStreams = false;
  silent = false;
  busy = 0;
  isClosed = false;
  asked = 0;

  constructor(name: string) {
    this.name = name;
  }

  driver(): Driver {
    const answer = async (): Promise<readonly Row[]> => {
      this.asked += 1;
      if (this.silent) await new Promise(() => undefined);
      if (this.failure !== null) throw this.failure;
      return [[this.name, this.at]];
    };
    const breaks = (): boolean => this.breaksStreams;
    const connection: Connection = { rows: answer, run: async () => (await answer()).length };
    return {
      ...connection,
      async *stream() {
        yield await answer();
        if (breaks()) throw new DatabaseError('unavailable', 'cut');
      },
      transaction: async (work) => {
        const result = await work(connection);
        this.at += 1;
        return result;
      },
      version: async () => this.name,
      pool: () => ({ size: this.busy, idle: 0, waiting: 0 }),
      statements: () => this.asked,
      close: async () => {
        this.isClosed = true;
      },
    };
  }
}

const replication: Replication = {
  position: async (primary) => String((await primary.rows(ask))[0]?.[1]),
  observe: async (replica) => ({ applied: String((await replica.rows(ask))[0]?.[1]) }),
  reaches: (applied, position) => Number(applied) >= Number(position),
};

const ask: Statement = { kind: 'read', text: 'position', values: [] };
const read = (readAfter?: string | null): Statement => ({
  kind: 'read',
  text: 'items',
  values: [],
  ...(readAfter === undefined ? {} : { readAfter }),
});

let primary: FakeServer;
let first: FakeServer;
let second: FakeServer;
let driver: ReplicatedDriver;

function open({ waitMs = 20, maxLagMs = 60_000 } = {}): void {
  const replicas = [first, second].map((server) => ({ name: server.name, driver: server.driver(), watch: server.driver() }));
  driver = openReplicatedDriver({ primary: primary.driver(), replicas, replication, waitMs, maxLagMs });
}

const answeredBy = async (statement: Statement): Promise<string> => String((await driver.rows(statement))[0]?.[0]);
const unused = (): readonly (string | null)[] => driver.replicas.states().map((state) => state.unused);

beforeEach(() => {
  [primary, first, second] = [new FakeServer('primary'), new FakeServer('first'), new FakeServer('second')];
  open();
});
afterEach(() => driver.close());

describe('what may run on a copy', () => {
  beforeEach(() => driver.replicas.begin(async () => null));

  it('is only a read that says so', async () => {
    expect(await answeredBy(read())).toBe('primary');
    expect(await answeredBy(read(null))).not.toBe('primary');
  });

  it('never is part of a transaction', async () => {
    const rows = await driver.transaction((connection) => connection.rows(read(null)));
    expect(rows[0]?.[0]).toBe('primary');
  });

  it('goes to the least busy copy', async () => {
    first.busy = 3;
    for (let count = 0; count < 4; count += 1) expect(await answeredBy(read(null))).toBe('second');
  });

  it('is spread over copies that are equally busy', async () => {
    const answers = [await answeredBy(read(null)), await answeredBy(read(null))];
    expect(answers.sort()).toEqual(['first', 'second']);
  });

  it('is streamed from a copy, too', async () => {
    const batches: (readonly Row[])[] = [];
    for await (const batch of driver.stream(read(null))) batches.push(batch);
    expect(batches.flat()[0]?.[0]).not.toBe('primary');
  });
});

describe('a write', () => {
  beforeEach(() => driver.replicas.begin(async () => null));

  it('has a position once its transaction resolves', async () => {
    expect(driver.replicas.written()).toBeNull();
    await driver.transaction(async () => undefined);
    expect(driver.replicas.written()).toBe('1');
  });

  it('has none when its transaction was rolled back', async () => {
    await expect(driver.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(driver.replicas.written()).toBeNull();
  });

  it('succeeds when the primary dies behind it, with an unknown position', async () => {
    await driver.transaction(async () => {
      primary.failure = new DatabaseError('unavailable', 'gone');
    });
    expect(driver.replicas.written()).toBe('unknown');
  });

  it('is seen by the reads that come after it: at a copy that has it, or at the primary', async () => {
    await driver.transaction(async () => undefined);
    expect(await answeredBy(read('1'))).toBe('primary');
    first.at = 1;
    await expect.poll(() => answeredBy(read('1'))).toBe('first');
    expect(await answeredBy(read('1'))).toBe('first');
  });
});

describe('a read that has to see a write', () => {
  it('waits for the copy that gets it', async () => {
    open({ waitMs: 30_000 });
    await driver.replicas.begin(async () => null);
    const reading = answeredBy(read('1'));
    second.at = 1;
    expect(await reading).toBe('second');
  });

  it('does not wait again for a suspended copy', async () => {
    open({ waitMs: 200 });
    await driver.replicas.begin(async () => null);
    // Waits one after the other would take minutes, which the limit of the test does not allow.
    for (let count = 0; count < 1_000; count += 1) expect(await answeredBy(read('1'))).toBe('primary');
  });

  it('does not wait at all where REPLICA_WAIT is 0', async () => {
    open({ waitMs: 0 });
    await driver.replicas.begin(async () => null);
    expect(await answeredBy(read('1'))).toBe('primary');
  });
});

describe('a copy', () => {
  it('is not read from before it has been found to be one', async () => {
    expect(await answeredBy(read(null))).toBe('primary');
  });

  it('of another database ends the start in one line', async () => {
    const prove = async (connection: Connection): Promise<string | null> =>
      (await connection.rows(ask))[0]?.[0] === 'second' ? 'is not a copy of the database' : null;
    await expect(driver.replicas.begin(prove)).rejects.toThrow('DATABASE_READ_URLS: second is not a copy of the database');
  }, 30_000);

  it('that is away at the start is used when it comes back, and only if it is one', async () => {
    first.failure = new DatabaseError('unavailable', 'refused');
    second.failure = new DatabaseError('unavailable', 'refused');
    await driver.replicas.begin(async (connection) => ((await connection.rows(ask))[0]?.[0] === 'second' ? 'is another one' : null));
    expect(await answeredBy(read(null))).toBe('primary');
    [first.failure, second.failure] = [null, null];
    await expect.poll(() => answeredBy(read(null))).toBe('first');
    expect(unused()).toEqual([null, 'is another one']);
  });

  it('that dies is noticed by the first read, which the primary answers', async () => {
    await driver.replicas.begin(async () => null);
    first.failure = new DatabaseError('unavailable', 'gone');
    second.failure = new DatabaseError('unavailable', 'gone');
    expect(await answeredBy(read(null))).toBe('primary');
    await expect.poll(() => unused().every((reason) => reason?.includes('gone'))).toBe(true);
  });

  it('that falls silent is not read from', async () => {
    await driver.replicas.begin(async () => null);
    first.silent = true;
    await expect.poll(() => unused()[0]).toBe('does not answer');
    expect(await answeredBy(read(null))).toBe('second');
  });

  it('that lags beyond the bound is not read from until it has caught up', async () => {
    open({ maxLagMs: 300 });
    await driver.replicas.begin(async () => null);
    const changes: string[] = [];
    driver.replicas.onChange(({ name, unused: reason }) => changes.push(`${name} ${reason === null ? 'used' : 'unused'}`));
    [primary.at, second.at] = [5, 5];
    await expect.poll(() => unused()[0]).toContain('behind');
    expect(await answeredBy(read(null))).toBe('second');
    first.at = 5;
    await expect.poll(() => unused()[0]).toBeNull();
    await expect.poll(() => changes.filter((text) => text.startsWith('first'))).toEqual(['first used', 'first unused', 'first used']);
  });

  it('that cannot answer for a reason of its own leaves the read to the primary', async () => {
    await driver.replicas.begin(async () => null);
    for (const kind of ['stale-schema', 'denied', 'deadlock'] as const) {
      const failing = openReplicatedDriver({
        primary: primary.driver(),
        replicas: [{ name: 'first', driver: failingDriver(first, new DatabaseError(kind, kind)), watch: first.driver() }],
        replication,
        waitMs: 0,
        maxLagMs: 60_000,
      });
      await failing.replicas.begin(async () => null);
      expect((await failing.rows(read(null)))[0]?.[0]).toBe('primary');
      const batches: (readonly Row[])[] = [];
      for await (const batch of failing.stream(read(null))) batches.push(batch);
      expect(batches.flat()[0]?.[0]).toBe('primary');
      await failing.close();
    }
  });

  it('passes on what is wrong with the read itself', async () => {
    const failing = openReplicatedDriver({
      primary: primary.driver(),
      replicas: [{ name: 'first', driver: failingDriver(first, new DatabaseError('invalid-value', 'no number')), watch: first.driver() }],
      replication,
      waitMs: 0,
      maxLagMs: 60_000,
    });
    await failing.replicas.begin(async () => null);
    await expect(failing.rows(read(null))).rejects.toThrow('no number');
    await failing.close();
  });

  it('that breaks in the middle of a stream ends it: what was sent cannot be taken back', async () => {
    await driver.replicas.begin(async () => null);
    [first.breaksStreams, second.breaksStreams] = [true, true];
    const take = async (): Promise<void> => {
      for await (const batch of driver.stream(read(null))) expect(batch).toHaveLength(1);
    };
    await expect(take()).rejects.toThrow('cut');
  });
});

const failingDriver = (server: FakeServer, error: DatabaseError): Driver => ({
  ...server.driver(),
  rows: () => Promise.reject(error),
  // biome-ignore lint/correctness/useYield: it fails before its first batch
  async *stream() {
    throw error;
  },
});

it('closes everything', async () => {
  await driver.close();
  expect([primary, first, second].map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
});
