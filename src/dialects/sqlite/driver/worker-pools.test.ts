import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import { errorCode } from './error-codes.js';
import { createLock } from './lock.js';
import { ReaderPool } from './reader-pool.js';
import { createStreamPool } from './stream-pool.js';
import { type Reply, replyKind, requestKind } from './worker/messages.js';
import type { OnReply, WorkerClient } from './worker-client.js';
import { createWriter } from './writer.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const statement: Statement = { kind: 'read', text: 'SELECT 1', values: [] };
const waitMs = 2_000;
const timeoutMs = 10_000;

interface Asked {
  readonly kind: number;
  readonly cell: number;
  readonly onReply: OnReply;
}

/** A worker whose thread takes its next step when the test calls it. */
class SteppedWorker implements WorkerClient {
  readonly opened = new Promise<Reply>(() => undefined);
  readonly #inbox: (Asked | 'close')[] = [];
  readonly #listeners: (() => void)[] = [];
  readonly #stopped = new Set<number>();
  readonly #ended: Promise<boolean>;
  #resolveEnd: (ended: boolean) => void = () => undefined;
  #cells = 0;
  state: 'open' | 'closing' | 'ended' = 'open';

  constructor() {
    this.#ended = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
  }

  isOpen = (): boolean => true;
  inFlight = (): number => this.#asked().length;
  busySince = (): number => performance.now();
  sendStatement = (kind: number, _statement: Statement, onReply: OnReply): number => this.#send(kind, onReply);
  sendExchange = (_at: unknown, _parts: unknown, onReply: OnReply): number => this.#send(requestKind.exchange, onReply);
  sendPlain = (kind: number, onReply: OnReply): number => this.#send(kind, onReply);
  stop = (cell: number): void => void this.#stopped.add(cell);
  onEnd = (listener: () => void): void => void this.#listeners.push(listener);

  close(): Promise<boolean> {
    if (this.state === 'open') {
      this.state = 'closing';
      this.#inbox.push('close');
    }
    return this.#ended;
  }

  /** The thread handles the oldest request. */
  step(): void {
    const next = this.#inbox.shift();
    if (next === 'close') this.end();
    else if (next !== undefined) next.onReply(this.#reply(next));
  }

  end(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    for (const listener of this.#listeners) listener();
    for (const { cell, onReply } of this.#asked()) onReply([replyKind.error, cell, errorCode.lost, 'ended']);
    this.#inbox.length = 0;
    this.#resolveEnd(true);
  }

  #asked = (): readonly Asked[] => this.#inbox.filter((entry) => entry !== 'close');

  #send(kind: number, onReply: OnReply): number {
    const cell = this.#cells++;
    const isFirst = kind === requestKind.open || kind === requestKind.rows;
    if (isFirst) expect(this.state, 'work was given to a worker that is closing or gone').toBe('open');
    if (this.state === 'ended') queueMicrotask(() => onReply([replyKind.error, cell, errorCode.lost, 'ended']));
    else this.#inbox.push({ kind, cell, onReply });
    return cell;
  }

  #reply({ kind, cell }: Asked): Reply {
    if (kind === requestKind.end) return [replyKind.last, cell, []];
    if (this.#stopped.has(cell)) return [replyKind.error, cell, errorCode.cancelled, 'stopped'];
    return [kind === requestKind.next ? replyKind.last : replyKind.rows, cell, [[cell]]];
  }
}

class Threads {
  readonly all: SteppedWorker[] = [];
  living = (): readonly SteppedWorker[] => this.all.filter(({ state }) => state !== 'ended');
  start = (): SteppedWorker => {
    const worker = new SteppedWorker();
    this.all.push(worker);
    return worker;
  };

  async stepAll(): Promise<void> {
    for (let round = 0; round < 60; round += 1) {
      for (const worker of this.living()) worker.step();
      await settle();
    }
  }
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

interface Task {
  readonly since: number;
  readonly leave: AbortController;
  outcome: 'pending' | 'done' | DatabaseError['kind'];
}

type Step =
  | { readonly kind: 'ask' }
  | { readonly kind: 'step' | 'crash' | 'abort' | 'use' | 'quit'; readonly which: number }
  | { readonly kind: 'pass'; readonly ms: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'ask' as const }) },
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constantFrom('step', 'step', 'step', 'crash', 'abort', 'use', 'use', 'quit'), which: fc.nat(9) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(3, 1_000, 1_999, 10_000, 31_000) }) },
  ),
  { maxLength: 80 },
);

const pick = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)];
const pending = <T extends Task>(tasks: readonly T[]): readonly T[] => tasks.filter(({ outcome }) => outcome === 'pending');

async function runThreads(threads: Threads, tasks: readonly Task[], step: Step): Promise<void> {
  if (step.kind === 'step') pick(threads.living(), step.which)?.step();
  if (step.kind === 'crash') pick(threads.living(), step.which)?.end();
  if (step.kind === 'abort') pick(pending(tasks), step.which)?.leave.abort();
  if (step.kind === 'pass') await vi.advanceTimersByTimeAsync(step.ms);
  await settle();
}

describe('the readers of SQLite', () => {
  const maxReaders = 2;

  function read(pool: ReaderPool): Task {
    const task: Task = { since: performance.now(), leave: new AbortController(), outcome: 'pending' };
    pool.rows(statement, task.leave.signal).then(
      () => {
        task.outcome = 'done';
      },
      (error: DatabaseError) => {
        task.outcome = error.kind;
      },
    );
    return task;
  }

  it('H06: answer or reject every read in time, and stay usable', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const threads = new Threads();
        const pool = new ReaderPool({ start: threads.start, maxReaders, waitMs, timeoutMs });
        const reads: Task[] = [];
        for (const step of sequence) {
          if (step.kind === 'ask') reads.push(read(pool));
          await runThreads(threads, reads, step);
          for (const { since } of pending(reads)) expect(performance.now() - since).toBeLessThan(timeoutMs);
          expect(threads.living().filter(({ state }) => state === 'open').length).toBeLessThanOrEqual(maxReaders + 4);
          if (pool.state().waiting > 0) expect(threads.living().some((worker) => worker.inFlight() > 0)).toBe(true);
        }
        await threads.stepAll();
        expect(pending(reads)).toEqual([]);
        const last = Array.from({ length: 20 }, () => read(pool));
        await threads.stepAll();
        expect(last.map(({ outcome }) => outcome)).toEqual(last.map(() => 'done'));
        const closing = pool.close(0);
        await threads.stepAll();
        expect(await closing).toBe(true);
        expect(threads.living()).toEqual([]);
      }),
      { numRuns: 100 },
    );
  }, 120_000);

  it('reject a read that no reader takes in time', async () => {
    const threads = new Threads();
    const pool = new ReaderPool({ start: threads.start, maxReaders: 1, waitMs, timeoutMs });
    const reads = Array.from({ length: 10 }, () => read(pool));
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(reads.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('pending'), ...Array(6).fill('unavailable')]);
  });
});

describe('the streams of SQLite', () => {
  interface Stream extends Task {
    readonly batches: AsyncGenerator<readonly Row[]>;
  }

  function open(pool: ReturnType<typeof createStreamPool>): Stream {
    const leave = new AbortController();
    const stream: Stream = { since: performance.now(), leave, outcome: 'pending', batches: pool.stream(statement, leave.signal) };
    use(stream);
    return stream;
  }

  function use(stream: Stream | undefined): void {
    stream?.batches.next().then(
      ({ done }) => {
        if (done === true) stream.outcome = 'done';
      },
      (error: DatabaseError) => {
        stream.outcome = error.kind;
      },
    );
  }

  async function quit(stream: Stream | undefined): Promise<void> {
    if (stream === undefined) return;
    stream.outcome = 'done';
    void stream.batches.return(undefined);
    await settle();
  }

  it('H06: never use a reader that is closing, and release every place', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const threads = new Threads();
        const pool = createStreamPool({ start: threads.start, waitMs, timeoutMs });
        const streams: Stream[] = [];
        for (const step of sequence) {
          if (step.kind === 'ask') streams.push(open(pool));
          if (step.kind === 'use') use(pick(pending(streams), step.which));
          if (step.kind === 'quit') await quit(pick(pending(streams), step.which));
          await runThreads(threads, streams, step);
          expect(threads.living().length).toBeLessThanOrEqual(9);
        }
        for (const stream of pending(streams)) {
          stream.leave.abort();
          await quit(stream);
        }
        await threads.stepAll();
        const last = Array.from({ length: 4 }, () => open(pool));
        for (let round = 0; round < 4; round += 1) {
          await threads.stepAll();
          for (const stream of pending(last)) use(stream);
        }
        await threads.stepAll();
        expect(last.map(({ outcome }) => outcome)).toEqual(last.map(() => 'done'));
        const closing = pool.close(0);
        await threads.stepAll();
        expect(await closing).toBe(true);
        expect(threads.living()).toEqual([]);
      }),
      { numRuns: 100 },
    );
  }, 120_000);

  it('reject one that waits too long, and release the place of one whose reader never returns', async () => {
    const threads = new Threads();
    const pool = createStreamPool({ start: threads.start, waitMs, timeoutMs });
    const stuck = Array.from({ length: 4 }, () => open(pool));
    await settle();
    const late = open(pool);
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(late.outcome).toBe('unavailable');
    await vi.advanceTimersByTimeAsync(timeoutMs);
    expect(stuck.map(({ outcome }) => outcome)).toEqual(stuck.map(() => 'timeout'));
    expect(threads.all).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1_000);
    const next = open(pool);
    await settle();
    for (let round = 0; round < 3; round += 1) {
      threads.all[4]?.step();
      await settle();
      use(next);
      await settle();
    }
    expect(next.outcome).toBe('done');
  });
});

describe('the writer', () => {
  it('H06: is replaced if its thread ends: statements in flight fail, the next one writes', async () => {
    const threads = new Threads();
    const writer = await createWriter({
      start: async () => threads.start(),
      waitMs,
      timeoutMs,
      checkForeignKeys: async () => undefined,
      countStatement: () => undefined,
    });
    const write = (): Promise<unknown> => writer.run(statement).catch((error: DatabaseError) => error.kind);
    const [atWork, waiting] = [write(), write()];
    await settle();
    threads.all[0]?.end();
    expect(await atWork).toBe('unavailable');
    await threads.stepAll();
    expect(await waiting).toBe(0);
    expect(threads.all).toHaveLength(2);
    const closing = writer.close(0);
    await threads.stepAll();
    expect(await closing).toBe(true);
    expect(await write()).toBe('unavailable');
    expect(threads.all).toHaveLength(2);
  });
});

describe('the lock of the writer', () => {
  type Holder = Task & { release: (() => void) | null };

  it('H06: has one holder at a time, and every waiter gets it or is rejected in time', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const lock = createLock(waitMs);
        const tasks: Holder[] = [];
        const holders = (): readonly Holder[] => tasks.filter(({ release }) => release !== null);
        const free = (holder: Holder | undefined): void => {
          holder?.release?.();
          holder?.release?.();
          if (holder !== undefined) holder.release = null;
        };
        for (const step of sequence) {
          if (step.kind === 'ask') tasks.push(acquire(lock));
          if (step.kind === 'use' || step.kind === 'quit') free(holders()[0]);
          await runThreads(new Threads(), tasks, step);
          expect(holders().length).toBeLessThanOrEqual(1);
          expect(lock.isHeld()).toBe(holders().length === 1);
          expect(lock.waiting()).toBe(pending(tasks).length);
          if (pending(tasks).length > 0) expect(lock.isHeld()).toBe(true);
          for (const { since } of pending(tasks)) expect(performance.now() - since).toBeLessThan(waitMs);
        }
        while (holders().length > 0) {
          free(holders()[0]);
          await settle();
        }
        expect({ held: lock.isHeld(), waiting: lock.waiting() }).toEqual({ held: false, waiting: 0 });
      }),
      { numRuns: 100 },
    );
  });

  function acquire(lock: ReturnType<typeof createLock>): Holder {
    const task: Holder = { since: performance.now(), leave: new AbortController(), outcome: 'pending', release: null };
    lock.acquire(task.leave.signal).then(
      (release) => Object.assign(task, { outcome: 'done', release }),
      (error: DatabaseError) => {
        task.outcome = error.kind;
      },
    );
    return task;
  }
});
