// The program of a worker thread: holds one connection and answers the requests of the main thread in their order. A worker that is started ahead
// of need opens the file with its first request, since only then the writer has created the file, or recovered it.

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openConnection } from '../connection.js';
import { errorCode } from '../error-codes.js';
import { type ExchangeRequest, flag, place, type Reply, type Request, replyKind, requestKind, type WorkerSettings } from './messages.js';
import { errorReply, RequestServer, type ServedRequest } from './request-server.js';

if (parentPort === null) throw new Error('worker.ts runs as a worker only');
const port = parentPort;
const settings = workerData as WorkerSettings;
/** How many transactions may share one commit. The first of them is answered only after the last. */
const maxTogether = 16;
let current = 0;

class Stopped extends Error {
  readonly code: string;

  constructor(reason: number) {
    super(reason === flag.timeout ? 'the statement took too long' : 'the statement was cancelled');
    this.code = reason === flag.timeout ? errorCode.timeout : errorCode.cancelled;
  }
}

const reply = (message: Reply): void => port.postMessage(message);

function begin(requestId: number): void {
  current = requestId;
}

function checkAlive(): void {
  const reason = Atomics.load(settings.flags, current);
  if (reason !== flag.go) throw new Stopped(reason);
}

/** Whether the request is a whole transaction. */
const isWhole = (request: Request): request is ExchangeRequest => request[0] === requestKind.exchange && request[2] === place.only;

/** Takes further waiting requests as long as they are whole transactions as well. `other`: the first that is not. */
function takeWhole(first: ExchangeRequest): { readonly requests: readonly ExchangeRequest[]; readonly other: Request | null } {
  const requests = [first];
  while (requests.length < maxTogether) {
    const waiting: { readonly message: Request } | undefined = receiveMessageOnPort(port);
    if (waiting === undefined) break;
    if (!isWhole(waiting.message)) return { requests, other: waiting.message };
    requests.push(waiting.message);
  }
  return { requests, other: null };
}

function serve(server: RequestServer, request: ServedRequest): Request | null {
  if (!isWhole(request)) {
    reply(server.serve(request));
    return null;
  }
  const { requests, other } = takeWhole(request);
  for (const answer of server.serveTogether(requests)) reply(answer);
  return other;
}

const open = (): RequestServer => new RequestServer(openConnection({ ...settings, checkAlive }), begin, checkAlive);

/** Calls `act`; an error is the answer to the request, and gives null. */
function orFail<T>(requestId: number, act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    reply(errorReply(requestId, error));
    return null;
  }
}

let server: RequestServer | null = null;

function handle(request: Request): Request | null {
  if (request[0] === requestKind.close) {
    server?.close();
    port.close();
    return null;
  }
  server ??= orFail(request[1], open);
  return server === null ? null : serve(server, request);
}

if (!settings.opensLater) server = orFail(-1, open);
if (settings.opensLater || server !== null) {
  port.on('message', (request: Request) => {
    for (let next: Request | null = request; next !== null; ) next = handle(next);
  });
  reply([replyKind.ready, -1]);
}
