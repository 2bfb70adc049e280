// What a create answers: the new item itself, whatever else the same request makes before it. Keys are named before they are known, and
// their names must not be mixed up.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

let names = 0;
/** Slugs are unique. */
const nextName = (text: string): string => {
  names += 1;
  return `${text} ${names}`;
};

const book = (slug: string, more: object): object => ({ title: slug, slug, reviews: [{ reader: slug, rating: 1 }], ...more });

describeEachVendor('creating', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'creating', demo: true });
  });
  afterAll(() => service.stop());

  it.each(['on its own', 'behind its author', 'on its own', 'behind its author'])('answers the item that was made %s', async (how) => {
    const slug = nextName(`made ${how}`);
    const author = how === 'on its own' ? {} : { author: { name: slug } };
    const answer = await service.api.post('/items/books?fields=slug,author.name,reviews.reader', book(slug, author));
    expect(answer.body.data).toEqual({
      slug,
      author: how === 'on its own' ? null : { name: slug },
      reviews: [{ reader: slug }],
    });
  });

  it('records every item under its own key', async () => {
    const slug = nextName('100% "recorded"');
    const made = await service.api.post('/items/books?fields=id,author,reviews', book(slug, { author: { name: slug } }));
    const { id, author, reviews } = made.body.data;
    const recorded = await service.api.search('/revisions', {
      query: { fields: ['collection', 'item', 'data', 'parent.item', 'activity.item'], sort: ['-id'], limit: 3 },
    });
    const revision = (collection: string, key: unknown, data: object, parent: unknown) => ({
      collection,
      item: String(key),
      data: expect.objectContaining(data),
      parent: parent === null ? null : { item: String(parent) },
      activity: { item: String(key) },
    });
    expect(recorded.body.data).toHaveLength(3);
    expect(recorded.body.data).toEqual(
      expect.arrayContaining([
        revision('authors', author, { name: slug }, id),
        revision('books', id, { title: slug, author }, null),
        revision('reviews', reviews[0], { reader: slug, book: id }, id),
      ]),
    );
  });

  it('names the items that the database refuses, and leaves nothing of the others', async () => {
    const slug = nextName('twice');
    await service.api.post('/items/books', book(slug, {}));
    const before = await service.checksums();
    const refused = await service.api.post('/items/authors', { name: 'nobody', books: [book(`${slug}-2`, {}), book(slug, {})] });
    expect([refused.status, refused.body.errors[0].extensions]).toEqual([
      400,
      expect.objectContaining({ code: 'RECORD_NOT_UNIQUE', collection: 'books', field: 'slug' }),
    ]);
    expect(await service.checksums()).toEqual(before);
  });
});
