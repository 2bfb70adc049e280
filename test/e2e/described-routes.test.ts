// The OpenAPI description against the routes there are: everything is described or left out on purpose, and what is not described to
// somebody is refused to them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../harness/api.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { watchRoutes } from '../harness/watch-routes.js';

const fixture = "create table books (id integer primary key, title varchar(50)); insert into books values (1, 'one')";

/** What no description holds, and why. */
const leftOut: readonly (readonly [RegExp, string])[] = [
  [/^get \/(?:server\/(?:page|graphiql)\/.*|server\/reference|reset-password|accept-invite|login-failed)?$/, 'a page, or a file of one'],
  [/^get \/admin(?:\/.*)?$/, 'Studio: its page and files'],
  [/^post \/mcp$/, 'speaks JSON-RPC, and describes itself'],
  [/^query /, 'another name of SEARCH'],
  [/^get \/assets\/\{id\}\/\{name\}$/, 'the same content, with a name for people'],
  [/^get \/server\/specs\/graphql\/items$/, 'another name of /server/specs/graphql'],
  [/^post \/auth\/login\/\{provider\}\/callback$/, 'leads to the GET, which is described'],
  [/^(?:get|post|delete) \/directus-extension-sync\//, 'for a tool, on the other wire'],
  [/^(?:get|patch|delete) \/settings\/\{key\}$|^(?:post|delete|search) \/settings$/, 'there is one item'],
];

interface PathItem {
  readonly 'x-additionalOperations'?: Readonly<Record<string, unknown>>;
}

async function describedTo(api: Api): Promise<ReadonlySet<string>> {
  const { paths } = (await api.get('/server/specs/oas')).body as { readonly paths: Readonly<Record<string, PathItem>> };
  const named = Object.entries(paths).flatMap(([path, { 'x-additionalOperations': more = {}, ...known }]) =>
    [...Object.keys(known), ...Object.keys(more)].map((method) => `${method.toLowerCase()} ${path}`),
  );
  return new Set(named.filter((name) => !name.startsWith('parameters ')).map(plain));
}

/** The same route, whatever its variables are called. */
const plain = (route: string): string => route.replace(/\{\w+\}/g, '{}').replace(/\/items\/[^/]+/, '/items/{}');

/** Bodies that could be meant, where an empty one would be refused before the right to send it is looked at. */
const bodies: Readonly<Record<string, unknown>> = {
  'post /comments': { collection: 'books', item: '1', comment: 'x' },
  'post /batch': { operations: [{ method: 'GET', path: '/items/books' }] },
  'post /files': { type: 'text/plain', storage: 'local', filename_download: 'x' },
  'post /utils/import': [{ collection: 'books', items: [{ title: 'x' }] }],
  'post /utils/export/{collection}': { query: {}, format: 'csv' },
};

function bodyOf(route: string): unknown {
  if (route in bodies) return bodies[route];
  if (/^delete [^{]*(?:\/items\/\{collection\})?$/.test(route)) return [1];
  return /^patch [^{]*(?:\/items\/\{collection\})?$/.test(route) ? { keys: [1], data: { title: 'x' } } : {};
}

describe('the description and the routes', () => {
  let service: TestService;
  let routes: readonly string[];

  beforeAll(async () => {
    const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;
    ({ result: service, routes } = await watchRoutes(() =>
      startService(sqlite, { area: 'routes', fixture, config: { allowedUrls: ['http://localhost'] } }),
    ));
    await service.api.patch('/settings', { public_registration: true });
  });
  afterAll(() => service.stop());

  it('describes every route to an administrator, and no others', async () => {
    const described = await describedTo(service.api);
    const expected = routes.filter((route) => !leftOut.some(([pattern]) => pattern.test(route))).map(plain);
    expect([...described].sort()).toEqual([...new Set(expected)].sort());
  });

  it('leaves out nothing that is not there', () => {
    for (const [pattern, reason] of leftOut) expect([reason, routes.some((route) => pattern.test(route))]).toEqual([reason, true]);
  });

  it('A34: a route that is not described to a caller is refused to that caller', async () => {
    const reader = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read' }] }]);
    await service.api.patch('/settings', { public_registration: false });
    for (const api of [service.as(null), reader.api]) {
      const described = await describedTo(api);
      const closed = routes.filter((route) => !described.has(plain(route)) && !leftOut.some(([pattern]) => pattern.test(route)));
      expect(closed.length).toBeGreaterThan(100);
      const answers: (readonly [string, number])[] = [];
      for (const route of closed) {
        const [method = '', path = ''] = route.split(' ');
        const url = path.replace('{collection}', 'books').replace(/\{\w+\}/g, '1');
        const { status } = await api.request(method.toUpperCase(), url, method === 'get' ? {} : { body: bodyOf(route) });
        answers.push([route, status]);
      }
      expect(answers.filter(([, status]) => status !== 401 && status !== 403)).toEqual([]);
    }
  });
});
