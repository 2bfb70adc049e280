// What is true of every request, on every vendor.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

describeEachVendor('the frame', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'frame' });
  });
  afterAll(() => service.stop());

  it('answers a ping before anything else', async () => {
    const answer = await service.as('a token nobody has').get('/server/ping');
    expect([answer.status, answer.text]).toEqual([200, 'pong']);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-/);
  });

  it('answers an unknown path with ROUTE_NOT_FOUND', async () => {
    const answer = await service.as(null).get('/no/such/path');
    expect(answer.status).toBe(404);
    expect(answer.body.errors[0].extensions).toEqual({ code: 'ROUTE_NOT_FOUND', path: '/no/such/path' });
  });

  it('shows anonymous callers whether it is healthy, and nothing else, by both doors', async () => {
    const person = await makePerson(service, []);
    for (const api of [service.as(null), person.api]) {
      const { status, text, headers } = await api.get('/server/health');
      expect([status, text]).toEqual([200, '{"status":"ok"}']);
      expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['application/health+json; charset=utf-8', 'no-store']);
      const { body } = await api.graphql('{ server_health }', {}, '/graphql/system');
      expect(body).toEqual({ data: { server_health: { status: 'ok' } } });
    }
    expect((await service.as('a token nobody has').get('/server/health')).status).toBe(401);
  });

  it('shows administrators the details of its health', async () => {
    const answer = await service.api.get('/server/health');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/health+json');
    expect(answer.body).toMatchObject({ status: expect.stringMatching(/ok|warn/), checks: { 'memory:resident': expect.any(Array) } });
  });

  it('refuses a body that is not JSON on every route', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await service.as(null).request('POST', '/items/x', { raw: '{', headers });
    expect([broken.status, broken.body.errors[0].extensions.code]).toEqual([400, 'INVALID_PAYLOAD']);
    const text = await service.as(null).request('POST', '/items/x', { raw: 'a=1', headers: { 'content-type': 'text/plain' } });
    expect([text.status, text.body.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('answers a URL that is too long with advice', async () => {
    const answer = await service.as(null).get(`/items/x?filter=${'a'.repeat(40_000)}`);
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([413, 'CONTENT_TOO_LARGE']);
  });

  it('keeps its system tables beside the data', async () => {
    expect(await service.tables()).toContain('service_users');
    expect(Object.keys(await service.checksums(['service_sessions']))).not.toContain('service_sessions');
  });
});
