// A long list in one request goes through the service in parts. The client must not notice: one order, one answer, one transaction,
// and every failure reported together, whatever part it is in.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { codeOf, makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

/** Two whole parts and a bit, and a body that is not parsed at once. */
const length = 2_345;

type Item = Record<string, unknown>;

const books = (series: string): Item[] =>
  Array.from({ length }, (_, index) => ({ title: `Title ${index} of ${series}`, slug: `${series}-${index}`, pages: index }));

/** With other values in some places. */
const booksWith = (series: string, others: Readonly<Record<number, Item>>): Item[] =>
  books(series).map((book, index) => ({ ...book, ...others[index] }));

const messages = ({ body }: Answer): string[] => body.errors.map((error: { message: string }) => error.message);

describeEachVendor('a long list', (vendor) => {
  let service: TestService;
  let author: Person;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'bulk', demo: true });
    author = await makePerson(service, [
      {
        permissions: [
          { collection: 'books', action: 'create', fields: ['title', 'slug'] },
          { collection: 'books', action: 'read' },
        ],
      },
    ]);
  });

  afterAll(() => service.stop());

  it('is created and answered in its order', async () => {
    const made = await service.api.post('/items/books?fields=id,slug', books('order'));
    expect(made.body.data.map((book: Item) => book.slug)).toEqual(books('order').map((book) => book.slug));
    const stored = await service.api.get('/items/books?filter[slug][_starts_with]=order-&sort=id&limit=-1&fields=id,slug');
    expect(stored.body.data).toEqual(made.body.data);
  });

  it('is recorded whole in the history, each item under its own key', async () => {
    const made = await service.api.post('/items/books?fields=id,slug', books('recorded'));
    const ids = made.body.data.map((book: Item) => String(book['id']));
    const { data: revisions } = (
      await service.api.search('/revisions', {
        query: {
          fields: ['id', 'activity', 'item', 'data'],
          filter: { collection: { _eq: 'books' }, item: { _in: ids } },
          sort: ['id'],
          limit: -1,
        },
      })
    ).body;
    expect(revisions.map((revision: Item) => revision['item'])).toEqual(ids);
    expect(revisions.map(({ data }: { data: Item }) => data['slug'])).toEqual(books('recorded').map((book) => book['slug']));
    const { data: activity } = (
      await service.api.search('/activity', {
        query: {
          fields: ['id'],
          filter: { collection: { _eq: 'books' }, action: { _eq: 'create' }, item: { _in: ids } },
          sort: ['id'],
          limit: -1,
        },
      })
    ).body;
    expect(activity.map((entry: Item) => entry['id'])).toEqual(revisions.map((revision: Item) => revision['activity']));
  });

  it('is answered in its order where its items have to be read again', async () => {
    const reviewed = { reviews: [{ reader: 'A', rating: 1 }] };
    const nested = booksWith('read', { 3: reviewed, 1500: reviewed, 1501: reviewed, 2340: reviewed });
    const made = await service.api.post('/items/books?fields=slug,reviews.reader', nested);
    expect(made.body.data.map((book: Item) => book.slug)).toEqual(nested.map((book) => book.slug));
    const found = made.body.data.flatMap((book: { reviews: Item[] }, index: number) => (book.reviews.length > 0 ? [index] : []));
    expect(found).toEqual([3, 1500, 1501, 2340]);
  });

  it('does not depend on how its text is written', async () => {
    const [before, between, after] = ['\n [ ', ' ,\n\t', ' ]\n '];
    const text =
      before +
      books('blanks')
        .map((book) => JSON.stringify(book))
        .join(between) +
      after;
    const made = await service.api.request('POST', '/items/books?fields=pages', {
      raw: text,
      headers: { 'content-type': 'application/json' },
    });
    expect(made.body.data.map((book: Item) => book.pages)).toEqual(books('').map((book) => book.pages));
  });

  it('makes the same in GraphQL', async () => {
    const made = await service.api.graphql(
      'mutation ($data: [create_books_input!]) { create_books_items(data: $data, limit: -1) { slug } }',
      {
        data: books('graphql'),
      },
    );
    expect(made.body.data.create_books_items.map((book: Item) => book.slug)).toEqual(books('graphql').map((book) => book.slug));
  });

  it('reports all failing fields at once, and writes nothing', async () => {
    const items = booksWith('failing', { 3: { pages: 'many' }, 1200: { title: null }, 2340: { pages: 'few' } });
    await expectUnchanged(service, async () => {
      const answer = await service.api.post('/items/books', items);
      expect(answer.status).toBe(400);
      expect(messages(answer)).toHaveLength(3);
    });
  });

  it('reports invalid values before what the database refuses', async () => {
    const items = booksWith('both', { 5: { slug: 'both-4' }, 2340: { pages: 'few' } });
    await expectUnchanged(service, async () => expect(codeOf(await service.api.post('/items/books', items))).toBe('400 INVALID_PAYLOAD'));
  });

  it.each([3, 1_500, 2_340])('is undone when the database refuses item %i', async (place) => {
    const items = booksWith('refused', { [place]: { slug: 'refused-2' } });
    await expectUnchanged(service, async () => expect(codeOf(await service.api.post('/items/books', items))).toBe('400 RECORD_NOT_UNIQUE'));
  });

  it.each([
    ['ends too soon', (text: string) => text.slice(0, -1)],
    ['goes on behind its end', (text: string) => `${text},`],
    ['has something else in it', (text: string) => text.replace('"refused-2300"', 'refused')],
    ['has a forbidden key in it', (text: string) => text.replace('"slug":"refused-2300"', '"__proto__":{}')],
  ])('is undone when its text %s', async (_, spoil) => {
    const raw = spoil(JSON.stringify(books('refused')));
    await expectUnchanged(service, async () => {
      const answer = await service.api.request('POST', '/items/books', { raw, headers: { 'content-type': 'application/json' } });
      expect(codeOf(answer)).toBe('400 INVALID_PAYLOAD');
    });
  });

  it('is refused as a whole for one field that may not be written', async () => {
    const allowed = books('allowed').map(({ title, slug }): Item => ({ title, slug }));
    const others: Readonly<Record<number, Item>> = { 1: { title: null }, 2300: { pages: 1 } };
    const both = allowed.map((book, index): Item => ({ ...book, ...others[index] }));
    await expectUnchanged(service, async () => expect(codeOf(await author.api.post('/items/books', both))).toBe('403 FORBIDDEN'));
    const one = allowed.map((book, index) => (index === 2_300 ? { ...book, slug: 'one', pages: 1 } : { ...book, slug: `not ${index}` }));
    await expectUnchanged(service, async () => expect(codeOf(await author.api.post('/items/books', one))).toBe('403 FORBIDDEN'));
    expect(codeOf(await author.api.post('/items/books?fields=id', allowed))).toBe('200');
  });

  it('is written once under an idempotency key', async () => {
    const send = () => service.api.post('/items/books?fields=id', books('once'), { 'idempotency-key': 'a long list' });
    expect((await send()).text).toBe((await send()).text);
    const found = await service.api.get('/items/books?aggregate[count]=*&filter[slug][_starts_with]=once-');
    expect(Number(found.body.data[0].count)).toBe(length);
  });
});
