// A write that is refused, at whatever depth, leaves every table byte-equal; writes at the same moment leave whole items and no others.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const taken = 'Jane Austen';
const book = (slug: string, more: object = {}) => ({ title: `Title of ${slug}`, slug, ...more });
const tooLong = 'x'.repeat(101);

/** What is asked of the bookshop and refused; `slug` is that of a book that exists. */
const refused = (slug: string): readonly (readonly [string, string, (api: Api) => Promise<Answer>])[] => [
  ['the item itself', '400 RECORD_NOT_UNIQUE', (api) => api.post('/items/authors', { name: taken, books: [book('n1')] })],
  [
    'the last of many items',
    '400 RECORD_NOT_UNIQUE',
    (api) => api.post('/items/authors', [{ name: 'One', books: [book('n1')] }, { name: 'Two' }, { name: taken }]),
  ],
  ['an entry below', '400 RECORD_NOT_UNIQUE', (api) => api.post('/items/authors', { name: 'New', books: [book('n1'), book(slug)] })],
  ['a missing value below', '400 FAILED_VALIDATION', (api) => api.post('/items/authors', { name: 'New', books: [{ slug: 'n1' }] })],
  ['a long value below', '400 VALUE_TOO_LONG', (api) => api.post('/items/authors', { name: 'New', books: [book(tooLong)] })],
  [
    'an entry two levels below',
    '400 FAILED_VALIDATION',
    (api) => api.post('/items/authors', { name: 'New', books: [book('n1', { reviews: [{ reader: 'A', rating: 1 }, { reader: 'B' }] })] }),
  ],
  [
    'behind a junction',
    '400 RECORD_NOT_UNIQUE',
    (api) =>
      api.post('/items/authors', {
        name: 'New',
        books: [book('n1', { tags: [{ tag: { name: 'fresh' } }, { tag: { name: 'fresh' } }] })],
      }),
  ],
  [
    'behind two junctions',
    '400 RECORD_NOT_UNIQUE',
    (api) =>
      api.post('/items/books', book('n1', { tags: [{ tag: { name: 'fresh', books: [{ book: book('n2') }, { book: book(slug) }] } }] })),
  ],
  [
    'one of several changes of a list',
    '400 RECORD_NOT_UNIQUE',
    (api) =>
      api.patch('/items/authors/2', {
        name: 'Changed',
        books: { create: [book('n1', { reviews: [] }), book(slug)], update: [], delete: [] },
      }),
  ],
  [
    'a block of many kinds',
    '400 FAILED_VALIDATION',
    (api) =>
      api.patch('/items/pages/1', {
        title: 'Changed',
        blocks: {
          create: [
            { collection: 'block_texts', item: { heading: 'fine' } },
            { collection: 'block_quotes', item: { source: 'without a quote' } },
          ],
        },
      }),
  ],
  [
    'B06: a block of a kind that does not belong there',
    '400 INVALID_PAYLOAD',
    (api) =>
      api.patch('/items/pages/1', {
        title: 'Changed',
        blocks: { create: [{ collection: 'service_users', item: { email: 'new@example.com' } }] },
      }),
  ],
  ['an item that is not there', '400 INVALID_FOREIGN_KEY', (api) => api.post('/items/books', book('n1', { author: 99_999 }))],
  ['one of several keys', '403 FORBIDDEN', (api) => api.patch('/items/books', { keys: [1, 99_999], data: { pages: 7 } })],
  ['one of several deletions', '403 FORBIDDEN', (api) => api.delete('/items/books', [1, 99_999])],
  [
    'a later operation of a batch',
    '400 RECORD_NOT_UNIQUE',
    (api) =>
      api.post('/batch', {
        operations: [
          { method: 'POST', path: '/items/authors', body: { name: 'New', books: [book('n1')] } },
          { method: 'POST', path: '/items/authors', body: { name: taken } },
        ],
      }),
  ],
  ['a role with a policy that is not there', '400', (api) => api.post('/roles', { name: 'r', policies: [{ policy: 'no-such-policy' }] })],
  [
    'a user whose address is none',
    '400 FAILED_VALIDATION',
    (api) => api.post('/roles', { name: 'r', users: [{ email: 'fine@example.com' }, { email: 'none' }] }),
  ],
];

describeEachVendor('all or nothing', (vendor) => {
  let service: TestService;
  let slug = '';

  beforeAll(async () => {
    service = await startService(vendor, { area: 'whole', demo: true });
    slug = (await service.api.get('/items/books/1?fields=slug')).body.data.slug;
  });

  afterAll(() => service.stop());

  const number = async (statement: string): Promise<number> => Number(Object.values((await service.sql(statement))[0] ?? {})[0]);

  it.each(refused('').map(([name], index) => [name, index] as const))(
    'refused because of %s: nothing changes anywhere',
    async (_, index) => {
      const [, code, act] = refused(slug)[index] ?? [];
      if (act === undefined || code === undefined) throw new Error('no such write');
      const before = await service.checksums();
      const answer = await act(service.api);
      expect(codeOf(answer), answer.text).toContain(code);
      expect(await service.checksums()).toEqual(before);
    },
  );

  it('B04: an entry of another list cannot be deleted from this one', async () => {
    const [one, other] = [book('b04-1'), book('b04-2')];
    const [first] = (
      await service.api.post('/items/authors?fields=id,books.id', [
        { name: 'B04 a', books: [one] },
        { name: 'B04 b', books: [other] },
      ])
    ).body.data;
    const [foreign] = (await service.api.get(`/items/books?filter[slug][_eq]=b04-2&fields=id`)).body.data;
    const before = await service.checksums();
    const answer = await service.api.patch(`/items/authors/${first.id}`, {
      name: 'Changed',
      books: { create: [], update: [], delete: [foreign.id] },
    });
    expect(codeOf(answer)).toBe('403 FORBIDDEN');
    expect(await service.checksums()).toEqual(before);
  });

  describe('at the same moment', () => {
    const times = <T>(count: number, act: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, index) => act(index)));

    it('G01: fifty who want one unique value: one gets it', async () => {
      const codes = (await times(50, () => service.api.post('/items/tags', { name: 'only one' }))).map(codeOf);
      expect(codes.filter((code) => code === '200')).toHaveLength(1);
      expect(codes.filter((code) => code === '400 RECORD_NOT_UNIQUE')).toHaveLength(49);
    });

    it('twenty first writes of a singleton make one item', async () => {
      for (let round = 0; round < 3; round += 1) {
        await service.sql('delete from shop');
        const answers = await times(20, (index) => service.api.patch('/items/shop?fields=name', { name: `shop ${index}` }));
        expect(answers.map(codeOf)).toEqual(new Array(20).fill('200'));
        expect(await number('select count(*) from shop')).toBe(1);
      }
    });

    it('G03: nested updates of the same items in opposite order all succeed', async () => {
      const books = (await service.api.get('/items/books?filter[author][_nnull]=true&limit=6&sort=id&fields=id,author')).body.data;
      const payload = (index: number) => {
        const entries = books.map((entry: { id: number; author: number }) => ({
          id: entry.id,
          author: { id: entry.author, born: 1800 + index },
          pages: index,
        }));
        return index % 2 === 0 ? entries : entries.toReversed();
      };
      const answers = await times(20, (index) => service.api.patch('/items/books?fields=id', payload(index)));
      expect(answers.map(codeOf)).toEqual(new Array(20).fill('200'));
    });

    it('G04: a parent deleted while children are made: one wins, no child is left alone', async () => {
      const made = (
        await service.api.post(
          '/items/books?fields=id',
          Array.from({ length: 10 }, (_, index) => book(`g04-${index}`)),
        )
      ).body.data;
      const answers = await times(20, (index) => {
        const path = `/items/books/${made[index >> 1].id}`;
        const reviews = { create: [{ reader: 'G04', rating: 1 }], update: [], delete: [] };
        return index % 2 === 0 ? service.api.delete(path) : service.api.patch(path, { pages: 1, reviews });
      });
      for (const answer of answers) expect(answer.status, answer.text).toBeLessThan(500);
      expect(
        await number("select count(*) from reviews where reader = 'G04' and (book is null or book not in (select id from books))"),
      ).toBe(0);
    });

    it('G07: a field deleted while it is read and written: an answer or a refusal, never a failure', async () => {
      const statuses = new Set<number>();
      let running = true;
      const load = async (act: () => Promise<Answer>): Promise<void> => {
        while (running) statuses.add((await act()).status);
      };
      const loads = [
        load(() => service.api.get('/items/tags?fields=id,passing&filter[passing][_null]=true')),
        load(() => service.api.patch('/items/tags/1', { passing: 'x' })),
      ];
      for (let round = 0; round < 3; round += 1) {
        expect((await service.api.post('/fields/tags', { field: 'passing', type: 'string' })).status).toBe(200);
        expect((await service.api.delete('/fields/tags/passing')).status).toBe(204);
      }
      running = false;
      await Promise.all(loads);
      expect([...statuses].filter((status) => ![200, 204, 400, 403].includes(status))).toEqual([]);
    });

    it('G09: a client that hangs up during a write leaves all of it or nothing', async () => {
      const size = 40;
      await times(12, async (index) => {
        const books = Array.from({ length: size }, (_, at) => book(`g09-${index}-${at}`, { reviews: [{ reader: 'G09', rating: 1 }] }));
        await fetch(`${service.url}/items/authors`, {
          method: 'POST',
          headers: { authorization: 'Bearer tain-test-admin-token', 'content-type': 'application/json' },
          body: JSON.stringify({ name: `G09 ${index}`, books }),
          signal: AbortSignal.timeout(index * 15),
        }).catch(() => null);
      });
      // Started requests end in their own time; then the three numbers have to agree.
      const counts = async () => {
        const books = await number("select count(*) from books where slug like 'g09-%'");
        const reviews = await number("select count(*) from reviews where reader = 'G09'");
        return [await number("select count(*) from authors where name like 'G09 %'"), books / size, reviews / size];
      };
      await expect.poll(async () => new Set(await counts()).size).toBe(1);
    });
  });
});
