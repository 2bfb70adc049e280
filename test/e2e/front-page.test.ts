// The pages for people, and what the service shows of itself to which caller.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/version.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = 'create table books (id integer primary key, title varchar(50) not null); create table secrets (id integer primary key)';

describeEachVendor('descriptions', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'describe', fixture, config: { admin: false } });
  });
  afterAll(() => service.stop());

  it('A34: the description holds what the caller may do', async () => {
    const reader = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read', fields: ['title'] }] }]);
    const { paths, components } = (await reader.api.get('/server/specs/oas')).body;
    expect(Object.keys(paths['/items/books'])).toEqual(['get', 'x-additionalOperations']);
    expect(components.schemas.ItemsBooks.properties).toEqual({ title: { type: 'string', maxLength: 50 } });
    expect(JSON.stringify(paths)).not.toContain('secrets');
    const all = (await service.api.get('/server/specs/oas')).body;
    expect(Object.keys(all.paths)).toEqual(
      expect.arrayContaining(['/items/secrets', '/items/books/{id}', '/users', '/files/import', '/assets/{id}']),
    );
    expect((await service.as(null).get('/server/specs/oas')).body.paths['/items/books']).toBeUndefined();
  });

  it('A35: strangers learn no version', async () => {
    expect((await service.api.get('/server/info')).body.data).toMatchObject({
      version,
      queryLimit: { default: 100, max: -1 },
      rateLimit: false,
    });
    const stranger = service.as(null);
    const info = (await stranger.get('/server/info')).body.data;
    expect(Object.keys(info)).toEqual(['project', 'setupCompleted']);
    expect(info.project).toMatchObject({ project_name: 'Tain', default_language: 'en-US', public_registration: false });
    for (const path of [
      '/server/info',
      '/server/specs/oas',
      '/server/health',
      '/',
      '/server/reference',
      '/server/page/home.js',
      '/no/such/path',
    ]) {
      const { text, headers } = await stranger.get(path, { accept: 'text/html' });
      expect([path, text.includes(version), JSON.stringify([...headers]).includes(version)]).toEqual([path, false, false]);
    }
  });
});

describe('pages', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ name: 'sqlite', server: '', label: 'SQLite' }, { area: 'pages', config: { admin: false } });
  });
  afterAll(() => service.stop());

  it('greets a browser, and shows programs the way', async () => {
    const page = await service.as(null).get('/', { accept: 'text/html,application/xhtml+xml' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    const program = await service.as(null).get('/', { accept: 'application/json' });
    expect(program.body.data).toMatchObject({ openapi: '/server/specs/oas', graphql: '/graphql' });
  });

  it('is there for a visitor whose session has ended', async () => {
    for (const path of ['/', '/server/reference', '/server/page/page.css', '/graphql', '/graphql/system']) {
      const answer = await service.as(null).get(path, { accept: 'text/html', cookie: 'service_session_token=gone' });
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  it('loads nothing from elsewhere nor from the root of its host, and everything it loads is there', async () => {
    for (const path of ['/', '/server/reference', '/graphql', '/graphql/system', '/graphql/']) {
      const { text } = await service.as(null).get(path, { accept: 'text/html' });
      const loaded = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url = '']) => url);
      expect(loaded.filter((url) => !/^\.\.?\//.test(url))).toEqual([]);
      expect(text).not.toMatch(/<script>|style="|onclick/);
      for (const name of loaded.filter((each) => /\.(?:js|css|svg)$/.test(each))) {
        const url = new URL(name, service.url + path).href.slice(service.url.length);
        const asset = await service.as(null).get(url);
        expect([url, asset.status]).toEqual([url, 200]);
        const again = await service.as(null).get(url, { 'if-none-match': asset.headers.get('etag') ?? '' });
        expect(again.status).toBe(304);
      }
    }
  });
});
