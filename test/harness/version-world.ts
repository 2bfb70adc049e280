// A library whose books have versions: with authors, reviews, tags over a junction, and a user as owner.

import type { Api } from './api.js';
import { startService, type TestService } from './start-service.js';
import type { Vendor } from './vendors.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50), secret varchar(50));
  create table books (id integer primary key, title varchar(50), status varchar(20), code varchar(50), pages integer, slug varchar(50) unique,
    author integer, foreign key (author) references authors (id));
  create table tags (id integer primary key, name varchar(50));
  insert into authors values (1, 'Ada', 'ada-secret'), (2, 'Bo', 'bo-secret');
  insert into books values (1, 'one', 'open', 'code-1', 100, 's1', 1), (2, 'two', 'open', 'code-2', 200, 's2', 1),
    (3, 'three', 'closed', 'code-3', 300, 's3', 2), (4, 'four', 'open', 'code-4', 400, 's4', 2);
  insert into tags values (1, 'red'), (2, 'blue');
`;

const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

/** Creates collections with generated keys, through the API, since the DDL for them differs between vendors. */
async function makeLists(api: Api): Promise<void> {
  const body = { field: 'body', type: 'string', schema: { is_nullable: false } };
  const whole = (field: string) => ({ field, type: 'integer' });
  await expectOk(api.post('/collections', { collection: 'reviews', schema: {}, fields: [key, body, whole('shown'), whole('book')] }));
  await expectOk(api.post('/collections', { collection: 'book_tags', schema: {}, fields: [key, whole('book'), whole('tag')] }));
  const points = (collection: string, field: string, related_collection: string, one_field: string | null) =>
    expectOk(api.post('/relations', { collection, field, related_collection, schema: {}, meta: { one_field } }));
  await points('reviews', 'book', 'books', 'reviews');
  await points('book_tags', 'book', 'books', 'book_tags');
  await points('book_tags', 'tag', 'tags', null);
  const reviews = [
    { body: 'fine', shown: 1, book: 1 },
    { body: 'hidden review', shown: 0, book: 1 },
    { body: 'elsewhere', shown: 1, book: 2 },
  ];
  await expectOk(api.post('/items/reviews', reviews));
  await expectOk(api.post('/items/book_tags', { book: 1, tag: 1 }));
}

export interface VersionWorld extends TestService {
  /** Creates a version and returns its id. */
  draft(item: number | string, key?: string): Promise<string>;
}

export async function startVersionWorld(vendor: Vendor, area: string): Promise<VersionWorld> {
  const service = await startService(vendor, { area, fixture });
  const { api } = service;
  await expectOk(api.patch('/collections/books', { meta: { versioning: true } }));
  await expectOk(api.post('/fields/books', { field: 'owner', type: 'uuid', schema: {}, meta: {} }));
  await expectOk(
    api.post('/relations', { collection: 'books', field: 'owner', related_collection: 'service_users', schema: {}, meta: {} }),
  );
  await makeLists(api);
  const draft = async (item: number | string, key = 'draft'): Promise<string> =>
    (await expectOk(api.post('/versions', { collection: 'books', item: String(item), key, name: key }))).body.data.id;
  return { ...service, draft };
}

export async function expectOk(asked: ReturnType<Api['post']>): ReturnType<Api['post']> {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}
