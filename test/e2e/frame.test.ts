// What is true of every request, on every vendor.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
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

  it('tells the way to nowhere', async () => {
    const answer = await service.as(null).get('/no/such/path');
    expect(answer.status).toBe(404);
    expect(answer.body.errors[0].extensions).toEqual({ code: 'ROUTE_NOT_FOUND', path: '/no/such/path' });
  });

  it('tells its health to administrators only', async () => {
    expect((await service.as(null).get('/server/health')).status).toBe(403);
    const answer = await service.api.get('/server/health');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/health+json');
    expect(answer.body.status).toMatch(/ok|warn/);
  });

  it('refuses a body that is no JSON, whatever the route', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await service.as(null).request('POST', '/items/x', { raw: '{', headers });
    expect([broken.status, broken.body.errors[0].extensions.code]).toEqual([400, 'INVALID_PAYLOAD']);
    const text = await service.as(null).request('POST', '/items/x', { raw: 'a=1', headers: { 'content-type': 'text/plain' } });
    expect([text.status, text.body.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('answers a URL that is too long with a way out', async () => {
    const answer = await service.as(null).get(`/items/x?filter=${'a'.repeat(40_000)}`);
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([413, 'CONTENT_TOO_LARGE']);
  });

  it('keeps its system tables beside the data', async () => {
    expect(await service.tables()).toContain('service_users');
    expect(Object.keys(await service.checksums(['service_sessions']))).not.toContain('service_sessions');
  });
});
