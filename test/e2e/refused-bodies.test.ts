// A client that is refused in the middle of a long body still sees why. Real sockets, many times each, since what
// goes wrong here goes wrong by chance. No vendor has a part in it: the database that needs no server will do.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGate, type Gate } from '../../src/doors/http/server/gate.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import { makeStorageFolder, type StorageFolder } from '../harness/upload.js';

const megabyte = 1024 * 1024;
const rounds = 25;
const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;

interface Body {
  readonly kind: 'form' | 'json';
  readonly bytes: number;
  readonly texts?: Readonly<Record<string, string>>;
}

interface Refusal extends Body {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: string;
}

const asAdmin = { authorization: `Bearer ${adminToken}` };
const json = { 'content-type': 'application/json' };
const upload = { kind: 'form', path: '/files', bytes: megabyte } as const;
const long = { kind: 'json', path: '/items/things', bytes: 4 * megabyte } as const;

const refusals: Readonly<Record<string, Refusal>> = {
  'an upload by somebody who may not': { ...upload, expected: '403 FORBIDDEN' },
  'a long upload by somebody who may not': { ...upload, bytes: 12 * megabyte, expected: '403 FORBIDDEN' },
  'an upload with an unknown token': { ...upload, headers: { authorization: 'Bearer nobody' }, expected: '401 INVALID_CREDENTIALS' },
  'a file over the limit': { ...upload, bytes: 5 * megabyte, headers: asAdmin, expected: '413 CONTENT_TOO_LARGE' },
  'a file far over the limit': { ...upload, bytes: 20 * megabyte, headers: asAdmin, expected: '413 CONTENT_TOO_LARGE' },
  'a storage that is none': { ...upload, texts: { storage: 'elsewhere' }, headers: asAdmin, expected: '400 INVALID_PAYLOAD' },
  'a form where JSON is taken': { ...upload, path: '/users', headers: asAdmin, expected: '415 UNSUPPORTED_MEDIA_TYPE' },
  'a form for nobody': { ...upload, path: '/no/such/path', headers: asAdmin, expected: '415 UNSUPPORTED_MEDIA_TYPE' },
  'an import by somebody who may not': { ...upload, path: '/utils/import/things', expected: '403 FORBIDDEN' },
  'an import of no known format': { ...upload, path: '/utils/import/things', headers: asAdmin, expected: '415 UNSUPPORTED_MEDIA_TYPE' },
  'JSON over the limit': { ...long, headers: { ...asAdmin, ...json }, expected: '413 CONTENT_TOO_LARGE' },
  'JSON in another charset': {
    ...long,
    headers: { ...asAdmin, 'content-type': 'application/json; charset=latin1' },
    expected: '415 UNSUPPORTED_MEDIA_TYPE',
  },
  'GraphQL over the limit': { ...long, path: '/graphql', headers: { ...asAdmin, ...json }, expected: '413 CONTENT_TOO_LARGE' },
};

describe('refused bodies', () => {
  let service: TestService;
  let folder: StorageFolder;
  beforeAll(async () => {
    folder = makeStorageFolder();
    const fixture = 'create table things (id integer primary key, name text);';
    service = await startService(sqlite, { area: 'refused', fixture, config: { storageRoot: folder.root, uploadLimit: 4 * megabyte } });
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it.each(Object.entries(refusals))(
    '%s: every client sees the answer',
    async (_, { path, headers = {}, texts = {}, expected, ...body }) => {
      const seen = await askOften({ ...body, url: `${service.url}${path}`, headers, texts, rounds });
      expect(seen).toEqual(new Array(rounds).fill(expected));
      expect(folder.list()).toEqual([]);
    },
  );

  it('shows the answer to a client that looks for it only when everything is sent', async () => {
    const head = `POST /files HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${8 * megabyte}\r\n\r\n`;
    for (let round = 0; round < rounds; round += 1) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write(head);
      for (let part = 0; part < 128; part += 1) if (!socket.write(Buffer.alloc(megabyte / 16))) await once(socket, 'drain');
      expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 403 [\s\S]*FORBIDDEN/);
    }
  });

  it('shows the answer behind an endless line of headers', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write(`GET /items/things?filter=${'x'.repeat(3 * megabyte)} HTTP/1.1\r\nhost: a\r\n\r\n`);
      expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 413 [\s\S]*CONTENT_TOO_LARGE/);
    }
  });

  it('does not listen for ever', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const started = performance.now();
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.write('POST /files HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 9999999999\r\n\r\n');
    const dripping = setInterval(() => socket.write('x'), 50);
    await once(socket, 'close');
    clearInterval(dripping);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(performance.now() - started).toBeLessThan(50_000);
  });

  it('a service under way to its database shows its refusal, too', async () => {
    const gate: Gate = createGate();
    const url = await gate.listen('127.0.0.1', 0);
    const seen = await askOften({ kind: 'form', url: `${url}/files`, bytes: 2 * megabyte, headers: {}, texts: {}, rounds });
    expect(seen).toEqual(new Array(rounds).fill('503 SERVICE_UNAVAILABLE'));
    await gate.close();
  });
});

describe('refused by a limit', () => {
  it('shows the refusal of an upload too many', async () => {
    const service = await startService(sqlite, { area: 'refused', config: { rateLimit: 1 } });
    try {
      const seen = await askOften({ kind: 'form', url: `${service.url}/files`, bytes: megabyte, headers: {}, texts: {}, rounds });
      expect(new Set(seen)).toEqual(new Set(['403 FORBIDDEN', '429 REQUESTS_EXCEEDED']));
    } finally {
      await service.stop();
    }
  });
});

async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

interface Asking {
  readonly url: string;
  readonly kind: Body['kind'];
  readonly bytes: number;
  readonly texts: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly rounds: number;
}

/**
 * Runs in a thread of its own, five requests at a time: beside the service in one thread a client would never write while the service closes.
 * Answers status and code of each round, or how the connection failed.
 */
const client = `
const { parentPort, workerData: { url, kind, bytes, texts, headers, rounds } } = require('node:worker_threads');
const makeBody = () => {
  if (kind === 'json') return '{"name":"' + 'x'.repeat(bytes) + '"}';
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.append(name, text);
  form.append('file', new Blob([new Uint8Array(bytes)]), 'a.bin');
  return form;
};
const ask = async () => {
  try {
    const answer = await fetch(url, { method: 'POST', body: makeBody(), headers });
    return answer.status + ' ' + (await answer.json()).errors[0].extensions.code;
  } catch (error) {
    return 'failed: ' + (error.cause?.code ?? error.cause?.message ?? error);
  }
};
(async () => {
  const seen = [];
  while (seen.length < rounds) seen.push(...(await Promise.all(Array.from({ length: 5 }, ask))));
  parentPort.postMessage(seen);
})();
`;

async function askOften(asking: Asking): Promise<readonly string[]> {
  const [seen] = await once(new Worker(client, { eval: true, workerData: asking }), 'message');
  return seen as readonly string[];
}
