// A server that tells what it was asked, for operations that call other addresses: JSON of method, path, query, headers and body.
// `/status/NNN` answers with that status, `/text` with plain text, `/empty` with nothing, `/json` with a document.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EchoServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startEchoServer(): Promise<EchoServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((done) => void server.close(() => done())),
  };
}

function answer({ url = '/', method, headers }: IncomingMessage, response: ServerResponse, text: string): void {
  const { pathname, searchParams } = new URL(url, 'http://echo');
  if (pathname === '/empty') response.writeHead(204).end();
  else if (pathname === '/text') response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('plain text');
  else {
    const status = Number(/^\/status\/(\d{3})$/.exec(pathname)?.[1] ?? 200);
    const told = { method, path: pathname, query: Object.fromEntries(searchParams), headers, body: parsed(text) };
    const body = pathname === '/json' ? { list: [1, 2], ok: true } : told;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
