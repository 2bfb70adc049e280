import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ClientSignal } from './client-signal.js';

let server: Server;

afterEach(() => server.close());

/** What the signal has told by the end of the answer; the client leaves in the middle or stays. */
async function askAnd(leave: boolean): Promise<{ readonly signal: ClientSignal; readonly told: readonly string[] }> {
  const told: string[] = [];
  const closed = new Promise<ClientSignal>((resolve) => {
    server = createServer((_request, response) => {
      const signal = new ClientSignal(response);
      const forgotten = (): void => void told.push('forgotten');
      signal.addEventListener('abort', () => told.push('first'));
      signal.addEventListener('abort', forgotten);
      signal.addEventListener('abort', () => told.push(`second, ${signal.aborted}`));
      signal.removeEventListener('abort', forgotten);
      response.on('close', () => resolve(signal));
      response.write('begun');
      if (!leave) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const asking = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, (answer) => {
    if (leave) asking.destroy();
    else answer.resume();
  });
  asking.on('error', () => undefined).end();
  return { signal: await closed, told };
}

it('tells everybody who still listens when the client has left', async () => {
  const { signal, told } = await askAnd(true);
  expect([signal.aborted, told]).toEqual([true, ['first', 'second, true']]);
});

it('tells nobody when the answer is complete', async () => {
  const { signal, told } = await askAnd(false);
  expect([signal.aborted, told]).toEqual([false, []]);
});
