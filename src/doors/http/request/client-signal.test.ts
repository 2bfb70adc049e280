import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ClientSignal } from './client-signal.js';

let server: Server;

afterEach(() => server.close());

/** The listeners that the signal has called by the end of the answer; the client disconnects in the middle or stays. */
async function callsWhen(leave: boolean): Promise<{ readonly signal: ClientSignal; readonly calls: readonly string[] }> {
  const calls: string[] = [];
  const closed = new Promise<ClientSignal>((resolve) => {
    server = createServer((_request, response) => {
      const signal = new ClientSignal(response);
      const forgotten = (): void => void calls.push('forgotten');
      signal.addEventListener('abort', () => calls.push('first'));
      signal.addEventListener('abort', forgotten);
      signal.addEventListener('abort', () => calls.push(`second, ${signal.aborted}`));
      signal.removeEventListener('abort', forgotten);
      response.on('close', () => resolve(signal));
      response.write('start');
      if (!leave) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, (answer) => {
    if (leave) sent.destroy();
    else answer.resume();
  });
  sent.on('error', () => undefined).end();
  return { signal: await closed, calls };
}

it('notifies all remaining listeners when the client has left', async () => {
  const { signal, calls } = await callsWhen(true);
  expect([signal.aborted, calls]).toEqual([true, ['first', 'second, true']]);
});

it('notifies no listener when the answer is complete', async () => {
  const { signal, calls } = await callsWhen(false);
  expect([signal.aborted, calls]).toEqual([false, []]);
});
