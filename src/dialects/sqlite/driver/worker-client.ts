// The main thread's side of one worker: starts it, sends requests, and passes each reply to the callback of its request.

import { Worker } from 'node:worker_threads';
import type { Statement } from '../../../core/vendor/driver.js';
import { errorCode } from './error-codes.js';
import { type ExchangePart, sendPending } from './pending-keys.js';
import {
  flag,
  type Place,
  type PlainRequest,
  type Reply,
  type Request,
  replyKind,
  requestKind,
  type SentPart,
  type StatementRequest,
  type StopFlag,
  type WorkerSettings,
} from './worker/messages.js';
import { createStatementSlots } from './worker/statement-slots.js';

const maxInFlight = 64;
/** The number of prepared statements per worker. */
const maxStatements = 500;

type WorkerOptions = Omit<WorkerSettings, 'flags'>;

export type OnReply = (reply: Reply) => void;

export interface WorkerClient {
  /** Resolves with the first message: ready, or the error on opening the database. */
  readonly opened: Promise<Reply>;
  isOpen(): boolean;
  inFlight(): number;
  /** When the current request started, as performance.now(). Meaningful only while a request is in flight. */
  busySince(): number;
  /** The send methods return the id of the request, for `stop`. */
  sendStatement(kind: StatementRequest[0], statement: Statement, onReply: OnReply): number;
  sendExchange(at: Place, parts: readonly ExchangePart[], onReply: OnReply): number;
  sendPlain(kind: PlainRequest[0], onReply: OnReply): number;
  /** Makes the running statement stop at its next call of alive(). A request that has not started is dropped. */
  stop(requestId: number, reason: StopFlag): void;
  /** Called when the worker ends, before the requests in flight fail, so that a pool does not use the worker again. */
  onEnd(listener: () => void): void;
  /** Resolves with whether the thread has ended within the time, or is about to, since it runs no statement. */
  close(graceMs: number): Promise<boolean>;
}

/** `beforeReply` is called before the callback of each request. */
export function startWorker(options: WorkerOptions, beforeReply: () => void): WorkerClient {
  const flags = new Int32Array(new SharedArrayBuffer(maxInFlight * Int32Array.BYTES_PER_ELEMENT));
  const worker = spawn({ ...options, flags });
  const pending = new Map<number, OnReply>();
  const free = Array.from({ length: maxInFlight }, (_, index) => index);
  const place = createPlacing();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const endListeners: (() => void)[] = [];
  let lost = false;
  let open = false;
  let busySince = 0;

  const inFlight = (): number => pending.size - (open ? 0 : 1);

  const opened = new Promise<Reply>((resolve) => pending.set(-1, resolve));
  worker.on('message', (reply: Reply) => settle(reply[1], reply));
  worker.on('error', loseAll);
  worker.on('exit', () => loseAll(new Error('the SQLite worker has ended')));

  function settle(requestId: number, reply: Reply): void {
    const onReply = pending.get(requestId);
    pending.delete(requestId);
    if (requestId >= 0) free.push(requestId);
    else open = true;
    busySince = performance.now();
    if (pending.size === 0) worker.unref();
    if (requestId >= 0) beforeReply();
    onReply?.(reply);
  }

  function loseAll(error: Error): void {
    if (!lost) {
      lost = true;
      for (const listener of endListeners) listener();
    }
    for (const requestId of [...pending.keys()]) settle(requestId, [replyKind.error, requestId, errorCode.lost, error.message]);
  }

  function post(make: (requestId: number) => Request, onReply: OnReply): number {
    const requestId = free.pop();
    if (requestId === undefined) throw new Error('more requests than a worker takes');
    Atomics.store(flags, requestId, flag.go);
    if (pending.size === 0) worker.ref();
    if (inFlight() === 0) busySince = performance.now();
    pending.set(requestId, onReply);
    if (lost) queueMicrotask(() => settle(requestId, [replyKind.error, requestId, errorCode.lost, 'the SQLite worker has ended']));
    else worker.postMessage(make(requestId));
    return requestId;
  }

  return {
    opened,
    isOpen: () => open,
    inFlight,
    busySince: () => busySince,
    sendStatement: (kind, statement, onReply) =>
      post((requestId) => [kind, requestId, [...place(statement, kind !== requestKind.open), statement.values]], onReply),
    sendExchange(at, parts, onReply) {
      const sent = parts.map(({ statement, wanted }): SentPart => {
        const { values, numbers, texts } = sendPending(parts, statement);
        return [...place(statement, true), values, wanted, numbers, texts];
      });
      return post((requestId) => [requestKind.exchange, requestId, at, sent], onReply);
    },
    sendPlain: (kind, onReply) => post((requestId) => [kind, requestId], onReply),
    stop: (requestId, reason) => void Atomics.store(flags, requestId, reason),
    onEnd: (listener) => void endListeners.push(listener),
    async close(graceMs) {
      if (lost) return true;
      worker.postMessage([requestKind.close]);
      for (let requestId = 0; requestId < flags.length; requestId += 1) Atomics.store(flags, requestId, flag.cancelled);
      return (await endsWithin(ended, graceMs)) || inFlight() === 0;
    },
  };
}

/** The slot of a statement, and its text if the worker does not have it yet. */
function createPlacing(): (statement: Statement, keeps: boolean) => [slot: number, text: string | null] {
  const slots = createStatementSlots(maxStatements);
  return ({ text, prepare }, keeps) => {
    if (prepare !== true || !keeps) return [-1, text];
    const { slot, known } = slots.find(text);
    return [slot, known ? null : text];
  };
}

function spawn(settings: WorkerSettings): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  return new Worker(new URL(fromSource ? './worker/worker-from-source.mjs' : './worker.js', import.meta.url), {
    workerData: settings,
    // Rows are short-lived: a larger young generation would only increase resident memory.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
}

async function endsWithin(ended: Promise<void>, graceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const graceEnds = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, graceMs, false);
  });
  const inTime = await Promise.race([ended.then(() => true), graceEnds]);
  clearTimeout(timer);
  return inTime;
}
