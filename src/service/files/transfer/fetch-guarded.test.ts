import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { makeAddressCheck } from '../../outbound/public-address.js';
import { fetchGuarded } from './fetch-guarded.js';

const running: Server[] = [];

afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const serve = async (listener: RequestListener, host = '127.0.0.1'): Promise<number> => {
  const server = createServer(listener);
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
};

/** The first loopback address stands for the public internet. */
const isAllowed = makeAddressCheck(['127.0.0.1']);

const get = async (url: string, resolve?: (host: string) => Promise<readonly { address: string; family: number }[]>, timeoutMs = 2000) => {
  const fetched = await fetchGuarded(new URL(url), { isAllowed, timeoutMs, ...(resolve === undefined ? {} : { resolve }) });
  const chunks: Uint8Array[] = [];
  for await (const chunk of fetched.bytes) chunks.push(chunk);
  return { ...fetched, text: Buffer.concat(chunks).toString() };
};

const refused = async (...parameters: Parameters<typeof get>): Promise<string> =>
  get(...parameters).then(
    () => 'fetched',
    (error: Error) => error.message,
  );

it('fetches from allowed addresses, through redirects', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/file') response.writeHead(200, { 'content-type': 'text/plain' }).end('hello');
    else response.writeHead(302, { location: '/file' }).end();
  });
  expect(await get(`http://127.0.0.1:${port}/`)).toMatchObject({
    text: 'hello',
    type: 'text/plain',
    url: new URL(`http://127.0.0.1:${port}/file`),
  });
});

it('F01: every spelling of an internal address is refused with the same message', async () => {
  const port = await serve((_request, response) => response.end('secret'), '127.0.0.2');
  const hosts = [
    '127.0.0.2',
    '2130706434',
    '0x7f.2',
    '0177.0.0.2',
    '127.2',
    '[::ffff:127.0.0.2]',
    '[::ffff:7f00:2]',
    '0',
    '[::]',
    '[64:ff9b::7f00:2]',
  ];
  for (const host of hosts)
    expect(await refused(`http://${host}:${port}/`)).toBe(`Could not fetch a file from "${new URL(`http://${host}:${port}`).origin}".`);
  const closed = await serve(() => undefined);
  running.pop()?.close();
  expect(await refused(`http://127.0.0.1:${closed}/`)).toBe(`Could not fetch a file from "http://127.0.0.1:${closed}".`);
  expect(await refused('http://no-such-host.invalid/')).toBe('Could not fetch a file from "http://no-such-host.invalid".');
});

it('F02: redirects are followed three times, each hop checked', async () => {
  const inner = await serve((_request, response) => response.end('secret'), '127.0.0.2');
  const port = await serve((request, response) => {
    const left = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    const targets: Readonly<Record<string, string>> = {
      '/inner': `http://127.0.0.2:${inner}/`,
      '/file': 'file:///etc/passwd',
      '/gopher': 'gopher://127.0.0.1/',
    };
    const location = targets[request.url ?? ''] ?? (left > 0 ? `/hops${left - 1}` : null);
    if (location === null) response.end('there');
    else response.writeHead(301, { location }).end();
  });
  const base = `http://127.0.0.1:${port}`;
  expect((await get(`${base}/hops3`)).text).toBe('there');
  for (const path of ['/hops4', '/hops20', '/inner', '/file', '/gopher']) expect(await refused(base + path)).toContain('Could not fetch');
});

it('F03: a name is looked up once, its address pinned, and mixed answers are refused', async () => {
  const port = await serve((_request, response) => response.end('there'));
  let asked = 0;
  const rebinding = async () => {
    asked += 1;
    return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  };
  expect((await get(`http://example.test:${port}/`, rebinding)).text).toBe('there');
  expect(asked).toBe(1);
  const mixed = async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  expect(await refused(`http://example.test:${port}/`, mixed)).toContain('Could not fetch');
  expect(await refused(`http://example.test:${port}/`, async () => [])).toContain('Could not fetch');
});

it('F05: a body that breaks off, is compressed or never ends is refused', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/short') {
      response.writeHead(200, { 'content-length': '100' }).write('only this');
      setTimeout(() => response.destroy(), 20);
    } else if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    else if (request.url === '/error') response.writeHead(500).end('x');
    else {
      response.writeHead(200).write('x');
      const timer = setInterval(() => response.write('x'), 50);
      response.once('close', () => clearInterval(timer));
    }
  });
  for (const path of ['/short', '/gzip', '/error', '/slow'])
    expect(await refused(`http://127.0.0.1:${port}${path}`, undefined, 300)).toContain('Could not fetch');
});
