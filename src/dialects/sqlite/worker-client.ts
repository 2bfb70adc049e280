// The main thread's side of one worker: starts it, numbers the requests under way, hands each reply to the one who asked.

import { Worker } from 'node:worker_threads';
import type { Statement } from '../../core/vendor/driver.js';
import type { ConnectionRole } from './connection.js';
import { ownCode } from './own-code.js';
import { type ExchangePart, sendLates } from './send-lates.js';
import { createStatementSlots } from './statement-slots.js';
import {
  ask,
  flag,
  type Place,
  type PlainRequest,
  type Reply,
  type Request,
  type SentPart,
  type StatementRequest,
  type StopFlag,
  say,
  type WorkerSettings,
} from './worker-messages.js';

export const maxInFlight = 64;
const statementsKept = 500;

export interface WorkerOptions {
  readonly file: string;
  readonly role: ConnectionRole;
  readonly mapBytes: number;
  readonly busyTimeoutMs: number;
}

export type OnReply = (reply: Reply) => void;

export interface WorkerClient {
  /** Resolves with the first message: ready, or the error that kept the database shut. */
  readonly opened: Promise<Reply>;
  isOpen(): boolean;
  inFlight(): number;
  /** When the request it works on was begun, as performance.now() tells; of use only while something is in flight. */
  busySince(): number;
  /** Both give the number of the request, for `stop`. */
  sendStatement(kind: StatementRequest[0], statement: Statement, onReply: OnReply): number;
  sendExchange(at: Place, parts: readonly ExchangePart[], onReply: OnReply): number;
  sendPlain(kind: PlainRequest[0], onReply: OnReply): number;
  /** Asks the running statement to stop at its next alive(); a request not yet begun is dropped. */
  stop(cell: number, reason: StopFlag): void;
  onEnd(listener: () => void): void;
  /** True when the thread has ended within the time. */
  close(graceMs: number): Promise<boolean>;
}

/** `beforeReply` is called before somebody who asked is told. */
export function startWorker(options: WorkerOptions, beforeReply: () => void): WorkerClient {
  const flags = new Int32Array(new SharedArrayBuffer(maxInFlight * Int32Array.BYTES_PER_ELEMENT));
  const worker = spawn({ ...options, flags });
  const pending = new Map<number, OnReply>();
  const free = Array.from({ length: maxInFlight }, (_, index) => index);
  const slots = createStatementSlots(statementsKept);
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let lost = false;
  let open = false;
  let busySince = 0;

  const inFlight = (): number => pending.size - (open ? 0 : 1);

  const opened = new Promise<Reply>((resolve) => pending.set(-1, resolve));
  worker.on('message', (reply: Reply) => settle(reply[1], reply));
  worker.on('error', loseAll);
  worker.on('exit', () => loseAll(new Error('the SQLite worker has ended')));

  function settle(cell: number, reply: Reply): void {
    const onReply = pending.get(cell);
    pending.delete(cell);
    if (cell >= 0) free.push(cell);
    else open = true;
    busySince = performance.now();
    if (pending.size === 0) worker.unref();
    if (cell >= 0) beforeReply();
    onReply?.(reply);
  }

  function loseAll(error: Error): void {
    lost = true;
    for (const cell of [...pending.keys()]) settle(cell, [say.error, cell, ownCode.lost, error.message]);
  }

  function post(make: (cell: number) => Request, onReply: OnReply): number {
    const cell = free.pop();
    if (cell === undefined) throw new Error('more requests than a worker takes');
    Atomics.store(flags, cell, flag.go);
    if (pending.size === 0) worker.ref();
    if (inFlight() === 0) busySince = performance.now();
    pending.set(cell, onReply);
    if (lost) queueMicrotask(() => settle(cell, [say.error, cell, ownCode.lost, 'the SQLite worker has ended']));
    else worker.postMessage(make(cell));
    return cell;
  }

  /** The text is null where the worker has it already. */
  function place({ text, prepare }: Statement, keeps: boolean): [slot: number, text: string | null] {
    if (prepare !== true || !keeps) return [-1, text];
    const { slot, known } = slots.find(text);
    return [slot, known ? null : text];
  }

  return {
    opened,
    isOpen: () => open,
    inFlight,
    busySince: () => busySince,
    sendStatement: (kind, statement, onReply) =>
      post((cell) => [kind, cell, [...place(statement, kind !== ask.open), statement.values]], onReply),
    sendExchange(at, parts, onReply) {
      const sent = parts.map(({ statement, wanted }): SentPart => {
        const { values, numbers, texts } = sendLates(parts, statement);
        return [...place(statement, true), values, wanted, numbers, texts];
      });
      return post((cell) => [ask.exchange, cell, at, sent], onReply);
    },
    sendPlain: (kind, onReply) => post((cell) => [kind, cell], onReply),
    stop: (cell, reason) => void Atomics.store(flags, cell, reason),
    onEnd: (listener) => void ended.then(listener),
    async close(graceMs) {
      if (lost) return true;
      worker.postMessage([ask.close]);
      for (let cell = 0; cell < flags.length; cell += 1) Atomics.store(flags, cell, flag.cancelled);
      return endsWithin(ended, graceMs);
    },
  };
}

function spawn(settings: WorkerSettings): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  return new Worker(new URL(fromSource ? './worker-from-source.mjs' : './worker.js', import.meta.url), {
    workerData: settings,
    // Rows pass through and are gone: a large nursery would only be resident memory.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
}

async function endsWithin(ended: Promise<void>, graceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, graceMs, false);
  });
  const inTime = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
