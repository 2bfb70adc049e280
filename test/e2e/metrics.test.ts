// Measurements and readiness: what /metrics counts, who may read it, and when a balancer should use another instance.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createService } from '../../src/tain.js';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { patientConfig } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { createDatabase } from '../harness/vendors.js';

/** The value of a sample, by its name and labels as they are written. */
const sampleOf = (text: string, sample: string): number | null => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `));
  return line === undefined ? null : Number(line.slice(sample.length + 1));
};

describeEachVendor('/metrics', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'metrics', demo: true, config: { metrics: true } });
  });
  afterAll(() => service.stop());

  const read = async (): Promise<string> => {
    const answer = await service.api.get('/metrics');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    return answer.text;
  };

  it('counts requests by route and status, and what their stages took', async () => {
    const before = sampleOf(await read(), 'tain_requests_total{method="GET",route="/items/:collection",status="200"}') ?? 0;
    await service.api.get('/items/books?limit=1');
    await service.api.get('/items/books?limit=1&fields=title');
    await service.api.get('/items/nothing');
    await service.api.get('/no/such/path');
    const sample = 'tain_requests_total{method="GET",route="/items/:collection",status="200"}';
    await expect.poll(async () => sampleOf(await read(), sample)).toBe(before + 2);
    const text = await read();
    expect(sampleOf(text, 'tain_requests_total{method="GET",route="/items/:collection",status="403"}')).toBe(1);
    expect(sampleOf(text, 'tain_requests_total{method="GET",route="unknown",status="404"}')).toBe(1);
    expect(sampleOf(text, 'tain_request_seconds_count{method="GET",route="/items/:collection"}')).toBe(before + 3);
    expect(sampleOf(text, 'tain_request_seconds_bucket{method="GET",route="/items/:collection",le="+Inf"}')).toBe(before + 3);
    for (const stage of ['parse', 'plan', 'run', 'answer'])
      expect(sampleOf(text, `tain_stage_seconds_total{stage="${stage}"}`)).toBeGreaterThan(0);
    expect(sampleOf(text, 'tain_statements_total')).toBeGreaterThan(0);
    expect(sampleOf(text, 'tain_pool_waiting')).toBe(0);
    expect(sampleOf(text, 'tain_cache_misses_total{cache="reads"}')).toBeGreaterThan(0);
  });

  it('is text that Prometheus reads', async () => {
    const lines = (await read()).trimEnd().split('\n');
    const sample = /^[a-z_]+(?:\{(?:[a-z]+="(?:[^"\\]|\\.)*",?)+\})? (?:\d+(?:\.\d+)?(?:e-?\d+)?)$/;
    expect(lines.filter((line) => !/^# (?:HELP|TYPE) [a-z_]+ /.test(line) && !sample.test(line))).toEqual([]);
  });

  it('is for administrators', async () => {
    const reader = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read' }] }]);
    expect([(await reader.api.get('/metrics')).status, (await service.as(null).get('/metrics')).status]).toEqual([403, 403]);
  });

  it('sends no times of stages to clients', async () => {
    expect((await service.api.get('/items/books?limit=1')).headers.has('server-timing')).toBe(false);
  });
});

describe('readiness', () => {
  const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;

  it('ends before the service does, which answers meanwhile', async () => {
    const database = await createDatabase(sqlite, 'ready');
    const service = await createService({ databaseUrl: database.url, port: 0, logLevel: 'silent', drainTime: 5_000, ...patientConfig });
    const api = makeApi(await service.listen(), null);
    await service.ready();
    expect([(await api.get('/server/ready')).status, (await api.get('/server/ready')).body]).toEqual([200, { status: 'ok' }]);
    const closed = service.close();
    await expect.poll(async () => (await api.get('/server/ready')).status).toBe(503);
    expect([(await api.get('/server/ping')).status, (await api.get('/server/health')).status]).toEqual([200, 200]);
    await closed;
    await database.drop();
  });
});
