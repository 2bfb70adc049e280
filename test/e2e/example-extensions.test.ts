// The examples of extensions, as a reader would run them: beside the built command, over the bookshop.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, makeApi } from '../harness/api.js';
import { build, type Folder, makeFolder, type RunningCommand, runStart, runTain } from '../harness/run-command.js';

const examples = fileURLToPath(new URL('../../examples/extensions', import.meta.url));

interface Heard {
  readonly url: string;
  readonly body: unknown;
}

/** A search index that is away for the first request. */
async function openIndex(): Promise<{ readonly server: Server; readonly url: string; readonly heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    heard.push({ url: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(heard.length === 1 ? 503 : 202).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

let folder: Folder;
let service: RunningCommand;
let index: Awaited<ReturnType<typeof openIndex>>;
let api: Api;

beforeAll(async () => {
  await build();
  folder = makeFolder();
  index = await openIndex();
  expect(await runTain(folder, ['demo', 'sqlite:./shop.db', '--admin-token', 'a-token-for-tests']).ended).toBe(0);
  service = runStart(folder, ['sqlite:./shop.db'], { EXTENSIONS: examples, SEARCH_URL: index.url });
  api = makeApi(await service.address(), 'a-token-for-tests');
});

afterAll(async () => {
  service.process.kill('SIGTERM');
  await service.ended;
  index.server.close();
  folder.remove();
});

it('are loaded from their folder', async () => {
  await expect.poll(async () => (await api.get('/extensions')).status).toBe(200);
  const { data } = (await api.get('/extensions')).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['author-shelf', 'list-price', 'search-index']);
});

it('list-price: a book without a price gets one, and keeps the one it is given', async () => {
  const answer = await api.post('/items/books', [
    { title: 'Sanditon', slug: 'sanditon', pages: 120 },
    { title: 'The Watsons', slug: 'the-watsons', pages: 80, price: '3.50' },
  ]);
  expect(answer.body.data.map(({ price }: { price: string }) => Number(price))).toEqual([6.4, 3.5]);
});

it('search-index: the index hears of writes and deletions, although it was away at first', async () => {
  await expect.poll(() => index.heard.length, { timeout: 30_000 }).toBeGreaterThan(1);
  const [away, again] = index.heard as [Heard, Heard];
  expect(again).toEqual(away);
  expect(again.body).toMatchObject([{ title: 'Sanditon', author: null }, { title: 'The Watsons' }]);
  const keys = (again.body as readonly { readonly id: number }[]).map(({ id }) => id);
  await api.delete('/items/books', keys);
  await expect.poll(() => index.heard.at(-1)).toEqual({ url: '/indexes/books/documents/delete-batch', body: keys });
});

it('author-shelf: one answer by REST and GraphQL, described in OpenAPI', async () => {
  const { body } = await api.get('/x/author-shelf/authors/1');
  expect(body.data.name).toBe('Jane Austen');
  expect(body.data.books[0]).toEqual({ title: 'Pride and Prejudice', published: 1813, reviews: 2, rating: expect.any(Number) });
  const field = '{ x_author_shelf_authors_author(author: 1) { name books { title published reviews rating } } }';
  expect((await api.graphql(field, {}, '/graphql/system')).body.data.x_author_shelf_authors_author).toEqual(body.data);
  const { paths } = (await api.get('/server/specs/oas')).body;
  expect(paths['/x/author-shelf/authors/{author}'].get.summary).toBe('The books of an author, and how they are liked');
  expect((await api.get('/x/author-shelf/authors/999')).status).toBe(403);
});
