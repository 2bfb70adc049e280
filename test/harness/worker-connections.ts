// Connections to each process behind one address. A connection stays with the process that accepted it, and the prefix of the request ids
// identifies the process.

import { Agent, request } from 'node:http';
import { patience } from './patience.js';

export interface WorkerConnection {
  readonly worker: string;
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<WorkerAnswer>;
  close(): void;
}

interface WorkerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Opens one connection to each of `count` processes, once they are ready: one of them may be so long after another. */
export async function connectToWorkers(url: string, count: number, token: string): Promise<readonly WorkerConnection[]> {
  const found = new Map<string, WorkerConnection>();
  for (const until = Date.now() + patience; found.size < count && Date.now() < until; ) {
    const connection = await connect(url, token);
    if (connection === null) await new Promise((resolve) => setTimeout(resolve, 20));
    else if (found.has(connection.worker)) connection.close();
    else found.set(connection.worker, connection);
  }
  return [...found.values()];
}

/** null: the process that accepted it does not serve yet. */
async function connect(url: string, token: string): Promise<WorkerConnection | null> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send: WorkerConnection['send'] = (method, path, body, headers = {}) =>
    sendOver(agent, new URL(path, url), method, body, { authorization: `Bearer ${token}`, ...headers });
  const { headers } = await send('GET', '/server/ping');
  // Before it serves, a process answers this too, without an id.
  if (headers['x-request-id'] === undefined) {
    agent.destroy();
    return null;
  }
  return { worker: String(headers['x-request-id']).split('-')[0] ?? '', send, close: () => agent.destroy() };
}

function sendOver(agent: Agent, url: URL, method: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<WorkerAnswer> {
  const text = body === undefined ? null : JSON.stringify(body);
  const length = text === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { ...length, ...headers } }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer }));
    });
    sent.on('error', reject).end(text ?? undefined);
  });
}
