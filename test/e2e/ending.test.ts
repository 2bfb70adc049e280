// The end of a service under its clients: the last answer over a connection that is kept alive says that it is the last one, whichever
// way the answer leaves.

import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { isListening } from '../harness/raw-http.js';
import { adminToken, startService } from '../harness/start-service.js';

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;

it.each([
  ['data, written past the framework', '/items/notes', { text: 'a' }, 200],
  ['an error', '/items/notes', { nothing: 'a' }, 403],
  ['what a route sends', '/auth/login', { email: 'a@example.com', password: 'b' }, 401],
  ['an answer of GraphQL', '/graphql', { query: '{ notes { id } }' }, 200],
])('%s', async (_name, path, body, status) => {
  const service = await startService(sqlite, { area: 'ending' });
  const { api, url } = service;
  await api.post('/collections', { collection: 'notes', schema: {}, fields: [{ field: 'text', type: 'string' }] });
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n`;
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));

  socket.write(`${head}\r\n${text}`);
  // The whole answer: the rest of it would be taken for that to the second request.
  await expect.poll(() => received).toMatch(/^HTTP\/1.1 \d+ [\s\S]*\r\n\r\n\{[\s\S]*\}$/);
  expect(received).not.toMatch(/connection: close/i);
  // The second request is under way when the service gets the signal to end, and gets its body afterwards.
  received = '';
  socket.write(`${head}Expect: 100-continue\r\n\r\n`);
  await expect.poll(() => received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  received = '';
  const stopped = service.stop();
  await expect.poll(() => isListening(url)).toBe(false);
  socket.write(text);
  await Promise.all([closed, stopped]);
  expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(received).toMatch(/\r\nconnection: close\r\n/i);
});
