// The thread that holds one connection and answers the main thread's requests in their order.

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.js';
import { ownCode } from './own-code.js';
import { errorReply, RequestServer } from './request-server.js';
import { ask, type ExchangeRequest, flag, place, type Reply, type Request, say, type WorkerSettings } from './worker-messages.js';

if (parentPort === null) throw new Error('worker.ts runs as a worker only');
const port = parentPort;
const settings = workerData as WorkerSettings;
/** The first of them waits for the last. */
const mostTogether = 16;
let current = 0;

class Stopped extends Error {
  readonly code: string;

  constructor(reason: number) {
    super(reason === flag.timeout ? 'the statement took too long' : 'the statement was cancelled');
    this.code = reason === flag.timeout ? ownCode.timeout : ownCode.cancelled;
  }
}

const reply = (message: Reply): void => port.postMessage(message);

function begin(cell: number): void {
  current = cell;
}

function checkAlive(): void {
  const reason = Atomics.load(settings.flags, current);
  if (reason !== flag.go) throw new Stopped(reason);
}

/** Whether it is a transaction from beginning to end. */
const isWhole = (request: Request): request is ExchangeRequest => request[0] === ask.exchange && request[2] === place.only;

/** The request with those behind it that wait already and are whole transactions, too; `other`: the first that is not. */
function takeWhole(first: ExchangeRequest): { readonly requests: readonly ExchangeRequest[]; readonly other: Request | null } {
  const requests = [first];
  while (requests.length < mostTogether) {
    const waiting: { readonly message: Request } | undefined = receiveMessageOnPort(port);
    if (waiting === undefined) break;
    if (!isWhole(waiting.message)) return { requests, other: waiting.message };
    requests.push(waiting.message);
  }
  return { requests, other: null };
}

function serve(server: RequestServer, request: Request): Request | null {
  if (isWhole(request)) {
    const { requests, other } = takeWhole(request);
    for (const answer of server.serveTogether(requests)) reply(answer);
    return other;
  }
  if (request[0] === ask.close) {
    server.close();
    port.close();
  } else reply(server.serve(request));
  return null;
}

try {
  const server = new RequestServer(openConnection({ ...settings, checkAlive }), begin, checkAlive);
  port.on('message', (request: Request) => {
    for (let next: Request | null = request; next !== null; ) next = serve(server, next);
  });
  reply([say.ready, -1]);
} catch (error) {
  reply(errorReply(-1, error));
}
