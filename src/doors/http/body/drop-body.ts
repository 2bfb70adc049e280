// Handles the bytes that a refused request still sends. Closing a socket with unread bytes resets the connection, and a reset discards the
// answer on its way to the client. So the answer goes out first, the rest of the body is read and dropped within bounds, and only then the
// connection ends.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client that sends more, or for longer, is not waiting for an answer. The time is shorter than the nine seconds of a shutdown. */
const mostBytes = 64 * 1024 * 1024;
const mostMs = 5_000;
/** A client that stops sending for this long waits for the end of the answer, or has received it. */
const silenceMs = 1_000;

export const carriesBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/** Whether more of the body may arrive. */
export const isSending = (message: IncomingMessage): boolean =>
  carriesBody(message.headers) && !message.complete && !message.readableEnded && !message.destroyed;

/** Resolves when the body ends, when it exceeds the bounds, or when the client disconnects. */
function dropBody(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!isSending(message)) {
      resolve();
      return;
    }
    let dropped = 0;
    const finish = (): void => {
      clearTimeout(deadline);
      clearTimeout(silence);
      message.off('data', count).off('end', finish).off('close', finish).off('error', finish);
      resolve();
    };
    const count = (chunk: Buffer): void => {
      dropped += chunk.length;
      if (dropped > mostBytes) finish();
      else silence.refresh();
    };
    const deadline = setTimeout(finish, mostMs);
    const silence = setTimeout(finish, silenceMs);
    message.unpipe();
    message.on('data', count).on('end', finish).on('close', finish).on('error', finish).resume();
  });
}

/** The answer as a stream that ends once the body is dropped. The caller must send `content-length`, so that the client need not wait. */
export async function* beforeDropping(text: string, message: IncomingMessage): AsyncGenerator<string> {
  yield text;
  await dropBody(message);
}

/** The same for a plain response whose head is already written. */
export function endAfterBody(message: IncomingMessage, response: ServerResponse, text: string): void {
  response.write(text);
  void dropBody(message).then(() => response.end());
}

const lingering = new WeakMap<Socket, number>();

/** Sends a final answer on a socket whose input cannot be parsed any further, and drops what follows within the same bounds. */
export function endSocket(socket: Socket, text: string): void {
  lingering.set(socket, socket.bytesRead);
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), mostMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Whether the socket already got its final answer: Node reports an error for each further piece of its input. */
export function isLingering(socket: Socket): boolean {
  const answeredAt = lingering.get(socket);
  if (answeredAt === undefined) return false;
  if (socket.bytesRead - answeredAt > mostBytes) socket.destroy();
  return true;
}
