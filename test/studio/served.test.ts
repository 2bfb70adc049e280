// How Studio is served: one page for every address, compressed files that browsers keep, a strict content policy, nothing else.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;

describe.runIf(inject('browser') !== null)('the files of Studio', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(sqlite, { area: 'studio' });
  });
  afterAll(() => service.stop());
  const get = (path: string, headers = {}) => service.as(null).get(path, headers);

  it('are one page for every address, whose relative addresses begin at /admin/', async () => {
    for (const [path, base] of [
      ['/admin/', './'],
      ['/admin/c/books', '../'],
      ['/admin/c/books/1?search=a/b', '../../'],
    ] as const) {
      const { status, text, headers } = await get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      expect(text).toContain(`<base href="${base}"`);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
  });

  it('may frame pages of their own origin, of which only the reference and GraphiQL let themselves be framed', async () => {
    const policyOf = async (path: string) => (await get(path, { accept: 'text/html' })).headers.get('content-security-policy') ?? '';
    expect(await policyOf('/admin/')).toContain("frame-src 'self'; ");
    for (const path of ['/server/reference', '/graphql', '/graphql/system'])
      expect(await policyOf(path)).toMatch(/; frame-ancestors 'self'$/);
    for (const path of ['/admin/', '/server/page/home.js', '/items/none', '/server/info'])
      expect([path, await policyOf(path)]).toEqual([path, expect.stringMatching(/; frame-ancestors 'none'$/)]);
  });

  it('lead browsers there from the root, and programs to the API', async () => {
    const browser = await get('/', { accept: 'text/html' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, 'admin/']);
    expect((await get('/', { accept: 'application/json' })).status).toBe(200);
    expect((await get('/admin')).headers.get('location')).toBe('admin/');
  });

  it('are kept for ever and come in the encoding the client takes', async () => {
    const name = /assets\/index-[\w-]+\.js/.exec((await get('/admin/')).text)?.[0];
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, headers } = await get(`/admin/${name}`, { 'accept-encoding': accepted });
      expect([accepted, status, headers.get('content-encoding')]).toEqual([accepted, 200, encoding]);
      expect(headers.get('cache-control')).toContain('immutable');
      expect(headers.get('vary')).toContain('Accept-Encoding');
    }
  });

  it('are the only files that can be read', async () => {
    for (const path of ['/admin/assets/nothing.js', '/admin/assets/..%2f..%2fmain.js', '/admin/assets/%2e%2e%2findex.html'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('are not there with ADMIN=off', async () => {
    const without = await startService(sqlite, { area: 'studio_off', config: { admin: false } });
    expect((await without.as(null).get('/admin/', { accept: 'text/html' })).status).toBe(404);
    expect((await without.as(null).get('/', { accept: 'text/html' })).status).toBe(200);
    await without.stop();
  });
});
