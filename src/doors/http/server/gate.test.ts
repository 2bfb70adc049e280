import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { createGate, type Gate } from './gate.js';

let gate: Gate;
afterEach(() => gate.close());

/** The port of an open gate that answers after `delayMs`, at once if it is 0. `work` is done before. */
async function openGate(delayMs: number, work = () => {}): Promise<number> {
  gate = createGate();
  gate.attach((_, response) => {
    work();
    if (delayMs === 0) response.end('done');
    else setTimeout(() => response.end('done'), delayMs);
  });
  gate.open();
  return Number(new URL(await gate.listen('127.0.0.1', 0)).port);
}

it('does not wait for a connection that never said anything', async () => {
  const socket = connect(await openGate(0), '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await gate.close();
  await closed;
});

it('lets a request that has begun finish, also one whose head is not complete', async () => {
  const port = await openGate(200);
  const asked = request({ port, host: '127.0.0.1' }).end();
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n');
  await once(socket, 'connect');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const answers = Promise.all([once(asked, 'response'), once(socket, 'data')]);
  const closing = gate.close();
  socket.write('connection: close\r\n\r\n');
  const [[response], [data]] = await answers;
  expect([response.statusCode, String(data).slice(0, 15)]).toEqual([200, 'HTTP/1.1 200 OK']);
  response.resume();
  await closing;
});

/** Runs in a thread of its own: thirty clients that ask at once. Raises the flag when all have sent, and tells at the end how many were answered. */
const hastyClients = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, flag } } = require('node:worker_threads');
  let [sent, ended, answered] = [0, 0, 0];
  for (let count = 0; count < 30; count += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.write('GET / HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n', () => { if ((sent += 1) === 30) { Atomics.store(flag, 0, 1); Atomics.notify(flag, 0); } });
    });
    socket.on('data', () => { answered += 1; }).on('error', () => undefined);
    socket.on('close', () => { if ((ended += 1) === 30) parentPort.postMessage(answered); });
  }
`;

it('answers what waits in the queue of the listener when it closes', async () => {
  const port = await openGate(0);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const clients = new Worker(hastyClients, { eval: true, workerData: { port, flag } });
  const answered = once(clients, 'message');
  await once(clients, 'online');
  // The event loop stands still while the clients connect and send: the system keeps them in the queue.
  expect(Atomics.wait(flag, 0, 0, 60_000)).not.toBe('timed-out');
  await gate.close();
  expect(await answered).toEqual([30]);
});

it('answers on the same connection again and again, also after a body that is not read', async () => {
  const socket = connect(await openGate(0), '127.0.0.1');
  socket.setEncoding('utf8');
  const body = 'x'.repeat(300_000);
  const asked = ['', `content-length: ${body.length}\r\n`, '', 'transfer-encoding: chunked\r\n', ''];
  for (const head of asked) {
    const sent = head === '' ? '' : head.startsWith('content') ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    socket.write(`GET / HTTP/1.1\r\nhost: a\r\n${head}\r\n${sent}`);
    let answer = '';
    while (!answer.endsWith('done')) answer += (await once(socket, 'data')).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  }
  socket.destroy();
});

/** Runs in a thread of its own: asks again as soon as it has an answer, on 100 connections. */
const busyClients = `
  const { connect } = require('node:net');
  const { workerData: port } = require('node:worker_threads');
  for (let count = 0; count < 100; count += 1) {
    const socket = connect(port, '127.0.0.1');
    const ask = () => socket.write('GET / HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n');
    socket.on('connect', ask).on('data', ask).on('error', () => undefined);
  }
`;

it('answers new connections while others are always busy', async () => {
  let answered = 0;
  const port = await openGate(0, () => {
    answered += 1;
    for (const until = performance.now() + 0.3; performance.now() < until; );
  });
  const clients = new Worker(busyClients, { eval: true, workerData: port });
  await expect.poll(() => answered).toBeGreaterThan(1000);
  const before = answered;
  const others = Array.from({ length: 20 }, async () => {
    const socket = connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    await once(socket.resume(), 'close');
  });
  await Promise.all(others);
  // A turn accepts one connection: with all the busy connections in each turn there would be 2,000 other answers.
  expect(answered - before).toBeLessThan(800);
  await clients.terminate();
});
