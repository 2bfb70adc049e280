// A WebSocket client that keeps every message it gets, for tests that wait for messages.

import { WebSocket } from 'ws';
import { patience } from './patience.js';
import { waitFor } from './run-command.js';

// biome-ignore lint/suspicious/noExplicitAny: tests reach into messages of every shape
type Json = any;

export interface SocketClient {
  readonly socket: WebSocket;
  /** Every message so far. */
  readonly messages: readonly Json[];
  send(message: unknown): void;
  /** Sends a message and resolves to the first message after it that `matches`, by default with the same uid. */
  ask(message: Record<string, unknown>, matches?: (message: Json) => boolean): Promise<Json>;
  /** Resolves to the first message, from number `from` on, that matches. */
  next(matches: (message: Json) => boolean, from?: number): Promise<Json>;
  /** The code of the closing frame. */
  closed(): Promise<number>;
  close(): void;
}

export async function openSocket(url: string, path = '/websocket', headers: Readonly<Record<string, string>> = {}): Promise<SocketClient> {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + path, { headers });
  const messages: Json[] = [];
  let code: number | null = null;
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  socket.on('close', (given) => {
    code = given;
  });
  const failed = new Promise<never>((_, reject) => {
    socket.once('unexpected-response', (_request, response) => reject(new Error(`refused: ${response.statusCode}`)));
    socket.once('error', reject);
  });
  await Promise.race([new Promise((resolve) => socket.once('open', resolve)), failed]);
  socket.on('error', () => undefined);
  const describe = (): string => `; the last messages: ${JSON.stringify(messages.slice(-3))}`;
  const next = (matches: (message: Json) => boolean, from = 0): Promise<Json> =>
    waitFor(() => messages.slice(from).find(matches) ?? null, patience, describe, 5);
  let uids = 0;
  return {
    socket,
    messages,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async ask(message, matches) {
      uids += 1;
      const uid = message['uid'] ?? `ask ${uids}`;
      const from = messages.length;
      socket.send(JSON.stringify({ ...message, uid }));
      return next(matches ?? ((answer) => answer.uid === uid), from);
    },
    next,
    closed: () => waitFor(() => code, patience, describe, 5),
    close: () => socket.terminate(),
  };
}

/** A socket that has authenticated with this token. */
export async function openAs(url: string, token: string): Promise<SocketClient> {
  const client = await openSocket(url);
  await client.ask({ type: 'auth', access_token: token });
  return client;
}
