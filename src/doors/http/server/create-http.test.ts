import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invalidPayload, serviceError } from '../../../core/errors/service-error.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { streamText, writeJsonText } from '../answer/send.js';
import { openTraces } from '../request/traces.js';
import { createHttp, type HttpOptions, redactUrl } from './create-http.js';

const defaults: HttpOptions = { logLevel: 'silent', trustProxy: false, corsOrigins: [], bodyLimit: 1000, bodyTimeoutMs: 300 };
const opened: FastifyInstance[] = [];

async function makeApp(options: Partial<HttpOptions> = {}): Promise<FastifyInstance> {
  const app = await createHttp({ ...defaults, ...options });
  opened.push(app);
  app.route({ method: ['POST', 'SEARCH', 'QUERY'], url: '/echo', handler: async (request) => ({ body: request.body ?? 'none' }) });
  app.get('/items/:collection/:key', async (request) => request.params);
  app.get('/text', async (request, reply) => writeJsonText(request, reply, '{"data":[1]}', { etag: '"a"' }));
  app.get('/set', async (request, reply) =>
    writeJsonText(request, reply.header('set-cookie', 'a=1').header('set-cookie', 'b=2').header('referrer-policy', 'origin'), '"ä"'),
  );
  app.get('/odd', async (request, reply) => writeJsonText(request, reply.header('no-referrer', 'yes'), '1'));
  app.post('/made', async (request, reply) => writeJsonText(request, reply.code(500), '{"data":{"id":1}}', { status: 201 }));
  app.get('/broken', async () => {
    throw new Error('a detail nobody may see');
  });
  app.get('/refused', async () => {
    throw serviceError('REQUESTS_EXCEEDED', 'Too many requests.', { limit: 5 });
  });
  return app;
}

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

const codeOf = (answer: { json(): { errors: { extensions: { code: string } }[] } }): string | undefined =>
  answer.json().errors[0]?.extensions.code;

/** All that comes back until the connection ends. */
async function sendRaw(app: FastifyInstance, request: string): Promise<string> {
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
}

describe('bodies', () => {
  const send = async (payload: string | Buffer, headers: Record<string, string> = {}, options?: Partial<HttpOptions>) =>
    (await makeApp(options)).inject({ method: 'POST', url: '/echo', payload, headers: { 'content-type': 'application/json', ...headers } });

  it.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['an array', '[]', []],
    ['nothing', '', 'none'],
    ['the last of two equal keys', '{"a":1,"a":2}', { a: 2 }],
    ['an escaped backslash before u0000', '{"a":"\\\\u0000"}', { a: '\\u0000' }],
    ['brackets inside text', `{"a":"${'['.repeat(200)}"}`, { a: '['.repeat(200) }],
  ])('takes %s', async (_name, payload, body) => {
    const answer = await send(payload);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ body });
  });

  it.each([
    ['broken JSON', '{"a":'],
    ['a bare number', '1'],
    ['a bare null', 'null'],
    ['a bare text', '"x"'],
    ['a byte order mark', '\ufeff{}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['__proto__ as a key', '{"a":[{"__proto__":{"admin":true}}]}'],
    ['__proto__ written with escapes', '{"\\u005f_proto__":{}}'],
    ['NUL in text', '{"a":"x\\u0000y"}'],
    ['half a surrogate pair', '{"a":"\\ud800"}'],
    ['101 levels', '['.repeat(101) + ']'.repeat(101)],
  ])('refuses %s', async (_name, payload) => {
    const answer = await send(payload);
    expect(answer.statusCode).toBe(400);
    expect(codeOf(answer)).toBe('INVALID_PAYLOAD');
  });

  it.each([
    ['plain text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
    ['a content type that is none', { 'content-type': 'nonsense' }],
  ])('answers 415 to %s', async (_name, headers) => {
    const answer = await send('{"a":1}', headers);
    expect(answer.statusCode).toBe(415);
    expect(codeOf(answer)).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('takes a body of another type when it is empty', async () => {
    expect((await send('', { 'content-type': 'text/plain' })).statusCode).toBe(200);
  });

  it('accepts utf-8 in any spelling', async () => {
    expect((await send('{}', { 'content-type': 'application/json; charset=UTF-8' })).statusCode).toBe(200);
  });

  it('answers 413 over the limit, with or without a length', async () => {
    const app = await makeApp();
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const body = `"${'x'.repeat(2000)}"`;
    const headers = { 'content-type': 'application/json' };
    const withLength = await fetch(`${url}/echo`, { method: 'POST', headers, body });
    const chunked = await fetch(`${url}/echo`, { method: 'POST', headers, body: new Blob([body]).stream(), duplex: 'half' } as RequestInit);
    for (const answer of [withLength, chunked]) {
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'CONTENT_TOO_LARGE' } }] });
    }
  });

  it('ends a body that does not arrive', async () => {
    const app = await makeApp();
    const answer = await sendRaw(app, 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('did not arrive');
  });
});

describe('routes', () => {
  it('keeps percent-encoded segments whole', async () => {
    const app = await makeApp();
    const answer = await app.inject('/items/books/a%2Fb%20c%252F');
    expect(answer.json()).toEqual({ collection: 'books', key: 'a/b c%2F' });
  });

  it('takes a trailing slash and keys of 2 KB', async () => {
    const app = await makeApp();
    expect((await app.inject('/text/')).statusCode).toBe(200);
    expect((await app.inject(`/items/books/${'k'.repeat(2048)}`)).statusCode).toBe(200);
  });

  it('answers a path that does not exist with its path', async () => {
    const app = await makeApp();
    const answer = await app.inject('/no/such?access_token=x');
    expect(answer.statusCode).toBe(404);
    expect(answer.json().errors[0].extensions).toEqual({ code: 'ROUTE_NOT_FOUND', path: '/no/such' });
    expect((await app.inject({ method: 'PUT', url: '/text' })).statusCode).toBe(404);
  });

  it('refuses a path that is not UTF-8', async () => {
    const answer = await (await makeApp()).inject('/items/books/%ff');
    expect(answer.statusCode).toBe(400);
    expect(codeOf(answer)).toBe('INVALID_QUERY');
  });

  it.each(['SEARCH', 'QUERY'] as const)('takes %s with a body', async (method) => {
    const app = await makeApp();
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${url}/echo`, { method, body: '{"query":{}}', headers: { 'content-type': 'application/json' } });
    expect(await answer.json()).toEqual({ body: { query: {} } });
  });

  it('answers HEAD and OPTIONS', async () => {
    const app = await makeApp();
    const head = await app.inject({ method: 'HEAD', url: '/text' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    const options = await app.inject({ method: 'OPTIONS', url: '/echo' });
    expect([options.statusCode, options.body]).toEqual([200, 'POST,SEARCH,QUERY']);
  });
});

describe('answers', () => {
  it('hides what was not foreseen', async () => {
    const answer = await (await makeApp()).inject('/broken');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      errors: [{ message: 'An unexpected error occurred.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
  });

  it('keeps the extensions of a ServiceError', async () => {
    const answer = await (await makeApp()).inject('/refused');
    expect(answer.statusCode).toBe(429);
    expect(answer.json()).toEqual({ errors: [{ message: 'Too many requests.', extensions: { code: 'REQUESTS_EXCEEDED', limit: 5 } }] });
  });

  it('lets lower floors translate their errors', async () => {
    const app = await makeApp({ translateError: () => serviceError('SERVICE_UNAVAILABLE', 'The database is away.') });
    expect((await app.inject('/broken')).statusCode).toBe(503);
  });

  it('sends text as it is and answers 304 to the tag it gave', async () => {
    const app = await makeApp();
    const answer = await app.inject('/text');
    expect(answer.body).toBe('{"data":[1]}');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      etag: '"a"',
      'x-content-type-options': 'nosniff',
    });
    expect((await app.inject({ url: '/text', headers: { 'if-none-match': 'W/"a", "b"' } })).statusCode).toBe(304);
  });

  it('puts the headers of every answer on each way out, once', async () => {
    const app = await makeApp();
    const every = { 'referrer-policy': 'no-referrer', 'x-frame-options': 'SAMEORIGIN', 'x-request-id': expect.stringMatching(/^\w+-\w+$/) };
    const answers = ['/text', '/broken', '/none'].map(async (url) => (await app.inject(url)).headers);
    for (const headers of await Promise.all(answers)) expect(headers).toMatchObject(every);
    const made = await app.inject({ method: 'POST', url: '/made' });
    expect([made.statusCode, made.body, made.headers]).toEqual([201, '{"data":{"id":1}}', expect.objectContaining(every)]);
    const raw = await sendRaw(app, 'GET /set HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect(raw.match(/referrer-policy: .*|set-cookie: .*|content-length: .*/g)).toEqual([
      'referrer-policy: origin',
      'set-cookie: a=1',
      'set-cookie: b=2',
      'content-length: 4',
    ]);
    expect(raw.endsWith('\r\n\r\n"ä"')).toBe(true);
  });

  it('does not take the value of a header for the name of another', async () => {
    const { headers } = await (await makeApp()).inject('/odd');
    expect(headers).toMatchObject({
      'no-referrer': 'yes',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringContaining('max-age'),
    });
  });

  it('answers HEAD with the headers of GET', async () => {
    const app = await makeApp();
    const [get, head] = [await app.inject('/text'), await app.inject({ method: 'HEAD', url: '/text' })];
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers));
    expect(head.headers['content-length']).toBe('12');
  });

  it('admits other origins only if configured', async () => {
    const closed = await (await makeApp()).inject({ url: '/text', headers: { origin: 'https://evil.example' } });
    expect(closed.headers['access-control-allow-origin']).toBeUndefined();
    const app = await makeApp({ corsOrigins: ['https://good.example'] });
    const good = await app.inject({ url: '/text', headers: { origin: 'https://good.example' } });
    expect(good.headers['access-control-allow-origin']).toBe('https://good.example');
    const evil = await app.inject({ url: '/text', headers: { origin: 'https://evil.example' } });
    expect(evil.headers['access-control-allow-origin']).not.toBe('https://evil.example');
  });
});

describe('order of the checks', () => {
  const refuse = (): never => {
    throw serviceError('INVALID_CREDENTIALS', 'Invalid user credentials.');
  };

  it('looks at the body before the token and at the token before the route', async () => {
    const app = await makeApp({ authenticate: refuse });
    const headers = { 'content-type': 'application/json' };
    expect(codeOf(await app.inject({ method: 'POST', url: '/echo', payload: '{', headers }))).toBe('INVALID_PAYLOAD');
    expect(codeOf(await app.inject({ method: 'POST', url: '/none', payload: '{', headers }))).toBe('INVALID_PAYLOAD');
    expect(codeOf(await app.inject({ method: 'POST', url: '/none', payload: '{}', headers }))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await app.inject('/none'))).toBe('INVALID_CREDENTIALS');
  });

  it('lets beforeBody refuse first', async () => {
    const app = await makeApp({
      beforeBody: () => {
        throw invalidPayload('first');
      },
      authenticate: refuse,
    });
    expect(codeOf(await app.inject('/text'))).toBe('INVALID_PAYLOAD');
  });
});

describe('streams', () => {
  it.each(['identity', 'br'])('stops the source when the client goes away (%s)', async (encoding) => {
    const app = await createHttp(defaults);
    opened.push(app);
    let ended: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => {
      ended = resolve;
    });
    let sent = 0;
    const tooMuch = 5_000;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) {
          sent += 1;
          // Nothing that can be compressed to nothing.
          yield randomBytes(48 * 1024).toString('base64');
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        ended();
      }
    }
    let signal: StopSignal | null = null;
    app.get('/endless', async (request, reply) => {
      signal = request.context.signal;
      return streamText(request, reply, endless());
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const controller = new AbortController();
    const answer = await fetch(`${url}/endless`, { signal: controller.signal, headers: { 'accept-encoding': encoding } });
    // How much fits between the two ends is for the system to say; then nothing more is asked of the source.
    for (let before = 0; sent > before && sent < tooMuch; await new Promise((resolve) => setTimeout(resolve, 200))) before = sent;
    expect(sent).toBeLessThan(tooMuch);
    controller.abort();
    await stopped;
    expect(answer.status).toBe(200);
    expect(signal).toMatchObject({ aborted: true });
  });

  it('answers an error that comes before the first chunk', async () => {
    const app = await createHttp(defaults);
    opened.push(app);
    // biome-ignore lint/correctness/useYield: fails before its first chunk
    async function* failing(): AsyncGenerator<string> {
      throw invalidPayload('too early');
    }
    app.get('/failing', async (request, reply) => streamText(request, reply, failing()));
    expect((await app.inject('/failing')).statusCode).toBe(400);
  });
});

describe('traces', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  beforeAll(() => provider.register());
  afterAll(async () => {
    await provider.shutdown();
    for (const part of [trace, context, propagation]) part.disable();
  });

  it('mark what the service could not answer, and what it could not send to its end', async () => {
    const app = await createHttp({ ...defaults, traces: await openTraces('0') });
    opened.push(app);
    app.get('/broken', async () => {
      throw new Error('a detail nobody may see');
    });
    app.get('/cut', async (request, reply) => {
      async function* failing(): AsyncGenerator<string> {
        for (let chunk = 0; chunk < 20; chunk += 1) yield 'x'.repeat(500_000);
        throw new Error('too late');
      }
      return streamText(request, reply, failing());
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    expect((await fetch(`${url}/broken`)).status).toBe(500);
    await expect(fetch(`${url}/cut`).then((answer) => answer.text())).rejects.toThrow();
    const find = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);
    await expect.poll(() => [find('GET /broken'), find('GET /cut')]).not.toContain(undefined);
    expect([find('GET /broken')?.attributes['error.type'], find('GET /broken')?.status]).toEqual(['500', { code: SpanStatusCode.ERROR }]);
    expect([find('GET /cut')?.attributes['error.type'], find('GET /cut')?.status]).toEqual(['cut_off', { code: SpanStatusCode.ERROR }]);
    expect(JSON.stringify(exporter.getFinishedSpans().map(({ attributes, events }) => [attributes, events]))).not.toContain('detail');
  });
});

it.each([
  ['/items/a?access_token=abc&limit=1', '/items/a?access_token=[redacted]&limit=1'],
  ['/users/register/verify-email?token=abc', '/users/register/verify-email?token=[redacted]'],
  ['/items/a?limit=1', '/items/a?limit=1'],
])('hides the secrets of %s', (url, logged) => {
  expect(redactUrl(url)).toBe(logged);
});
