// TRACES=on: spans of OpenTelemetry for requests and the stages of the pipeline, collected by the SDK itself.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stages } from '../../src/core/engine/work/stage-clock.js';
import { createService } from '../../src/tain.js';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { build, makeFolder, runStart } from '../harness/run-command.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const traceId = (count: number): string => count.toString(16).padStart(32, '0');
const callerSpan = '00f067aa0ba902b7';

let asked = 0;

interface Traced {
  readonly status: number;
  readonly request: ReadableSpan;
  readonly below: readonly ReadableSpan[];
}

/** The spans of one request, by the trace in which its caller puts it. The span of the request ends after the client has its answer. */
async function traced(send: (headers: Readonly<Record<string, string>>) => Promise<{ readonly status: number }>): Promise<Traced> {
  asked += 1;
  const id = traceId(asked);
  const { status } = await send({ traceparent: `00-${id}-${callerSpan}-01` });
  const spansOf = (): readonly ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === id);
  const isRequest = (span: ReadableSpan): boolean => span.kind === SpanKind.SERVER;
  await expect.poll(() => spansOf().some(isRequest)).toBe(true);
  const request = spansOf().find(isRequest);
  if (request === undefined) throw new Error('the request has no span');
  return { status, request, below: spansOf().filter((span) => !isRequest(span)) };
}

const millisecondsOf = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1_000 + nanoseconds / 1e6;

beforeAll(() => provider.register());
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
});

describeEachVendor('traces', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'traces', demo: true, config: { traces: true } });
  });
  afterAll(() => service.stop());
  beforeEach(() => exporter.reset());

  it('show each stage of a request below it, in the trace of its caller', async () => {
    const { status, request, below } = await traced((headers) =>
      service.api.get(`/items/books?fields=id,title,author.name&filter[title][_neq]=hidden-${asked}&access_token=${adminToken}`, {
        ...headers,
        authorization: '',
      }),
    );
    expect(status).toBe(200);
    expect([request.name, request.parentSpanContext?.spanId]).toEqual(['GET /items/:collection', callerSpan]);
    expect(request.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/items/:collection',
      'http.response.status_code': 200,
      'url.path': '/items/books',
      'url.scheme': 'http',
    });
    expect(request.status.code).toBe(SpanStatusCode.UNSET);
    expect(new Set(below.map(({ name }) => name))).toEqual(new Set(stages));
    for (const span of below) {
      expect(span.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
      expect(millisecondsOf(span.startTime)).toBeGreaterThanOrEqual(millisecondsOf(request.startTime));
      expect(millisecondsOf(span.endTime)).toBeLessThanOrEqual(millisecondsOf(request.endTime));
    }
    const sent = JSON.stringify([request, ...below].map(({ name, attributes }) => [name, attributes]));
    expect(sent).toContain('SELECT');
    expect(sent).not.toContain('hidden-');
    expect(sent).not.toContain(adminToken);
  });

  it('show the stages of a write, and those of GraphQL', async () => {
    const written = await traced((headers) => service.api.post('/items/authors', { name: 'secret-name', books: [] }, headers));
    expect([written.status, written.request.name]).toEqual([200, 'POST /items/:collection']);
    expect(new Set(written.below.map(({ name }) => name))).toEqual(new Set(stages));
    expect(JSON.stringify(written.below.map(({ attributes }) => attributes))).not.toContain('secret-name');
    const query = { query: `{ books(limit: 3) { id a${asked}: title } }` };
    const asking = await traced((headers) => service.api.post('/graphql', query, headers));
    expect([asking.status, asking.request.name]).toEqual([200, 'POST /graphql']);
    expect(new Set(asking.below.map(({ name }) => name))).toEqual(new Set(stages));
  });

  it('mark the stage that failed; a mistake of the client does not make the request a failure of the service', async () => {
    const { status, request, below } = await traced((headers) => service.api.post('/items/authors', { id: 1, name: 'twice' }, headers));
    expect([status, request.status.code]).toEqual([400, SpanStatusCode.UNSET]);
    const failed = below.filter((span) => span.status.code === SpanStatusCode.ERROR);
    expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toContainEqual(['run', 'unique']);
    const unknown = await traced((headers) => service.api.get('/items/books?fields=nothing', headers));
    expect([unknown.status, unknown.request.attributes['http.response.status_code']]).toEqual([403, 403]);
    expect(unknown.below.filter((span) => span.status.code === SpanStatusCode.ERROR).map(({ attributes }) => attributes)).toEqual([
      { 'error.type': 'FORBIDDEN' },
    ]);
  });

  it('are not made for what the caller does not sample', async () => {
    asked += 1;
    const answer = await service.api.get('/items/books?limit=1', { traceparent: `00-${traceId(asked)}-${callerSpan}-00` });
    expect(answer.status).toBe(200);
    // Comes after it, so that nothing of it can still be on its way.
    await traced((headers) => service.api.get('/items/books?limit=1', headers));
    expect(exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId(asked - 1))).toEqual([]);
  });

  it('are off without the setting', async () => {
    const silent = await startService(vendor, { area: 'traces_off', demo: true });
    try {
      asked += 1;
      await silent.api.get('/items/books', { traceparent: `00-${traceId(asked)}-${callerSpan}-01` });
      const id = traceId(asked);
      await traced((headers) => service.api.get('/items/books?limit=1', headers));
      expect(exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === id)).toEqual([]);
    } finally {
      await silent.stop();
    }
  });
});

describe('an application around the service', () => {
  it('has the requests below its own spans', async () => {
    const folder = makeFolder();
    const service = await createService({ databaseUrl: `sqlite:${join(folder.path, 'host.db')}`, traces: true, logLevel: 'silent' });
    const host = createServer((request, response) => {
      const span = provider.getTracer('host').startSpan('host');
      response.once('close', () => span.end());
      context.with(trace.setSpan(context.active(), span), () => service.handler(request, response));
    });
    try {
      await service.ready();
      await once(host.listen(0, '127.0.0.1'), 'listening');
      exporter.reset();
      const { port } = host.address() as AddressInfo;
      const answer = await makeApi(`http://127.0.0.1:${port}`, null).post('/auth/login', { email: 'nobody@example.com', password: 'none' });
      expect(answer.status).toBe(401);
      const named = (name: string): ReadableSpan | undefined => exporter.getFinishedSpans().find((span) => span.name === name);
      await expect.poll(() => [named('host'), named('POST /auth/login')]).not.toContain(undefined);
      expect(named('POST /auth/login')?.parentSpanContext?.spanId).toBe(named('host')?.spanContext().spanId);
    } finally {
      host.closeAllConnections();
      host.close();
      await service.close();
      folder.remove();
    }
  });
});

describe('tain start', () => {
  beforeAll(build, 300_000);

  it.each(['1', '2'])('exports by an SDK that NODE_OPTIONS loads, with %s workers', async (workers) => {
    const folder = makeFolder();
    const spans = join(folder.path, 'spans');
    const bootstrap = join(folder.path, 'tracing.mjs');
    const sdk = pathToFileURL(createRequire(import.meta.url).resolve('@opentelemetry/sdk-trace-node')).href;
    writeFileSync(
      bootstrap,
      `import { appendFileSync } from 'node:fs';
       import sdk from '${sdk}';
       const write = (span) => appendFileSync('${spans}', span.name + '\\n');
       const exporter = { export: (batch, done) => { batch.forEach(write); done({ code: 0 }); }, shutdown: async () => undefined };
       new sdk.NodeTracerProvider({ spanProcessors: [new sdk.SimpleSpanProcessor(exporter)] }).register();`,
    );
    writeFileSync(spans, '');
    const running = runStart(folder, [], { TRACES: 'on', WORKERS: workers, NODE_OPTIONS: `--import ${pathToFileURL(bootstrap).href}` });
    try {
      const api = makeApi(await running.address(), null);
      await expect.poll(async () => (await api.get('/server/ready')).status).toBe(200);
      await api.get('/server/info');
      const read = (): readonly string[] => readFileSync(spans, 'utf8').split('\n');
      await expect.poll(read).toContain('GET /server/info');
      expect(read()).toContain('answer');
    } finally {
      running.process.kill('SIGTERM');
      await running.ended;
      folder.remove();
    }
  });

  it('says when nothing collects the spans', async () => {
    const folder = makeFolder();
    const running = runStart(folder, [], { TRACES: 'on', LOG_LEVEL: 'warn' });
    try {
      await running.printed(/no SDK of OpenTelemetry is loaded/);
    } finally {
      running.process.kill('SIGTERM');
      await running.ended;
      folder.remove();
    }
  });
});
