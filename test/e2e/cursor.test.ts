// Paging by cursor: forwards and backwards through any order, the same on every vendor, whatever is added meanwhile.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table countries (id integer primary key, name varchar(50));
  create table books (id integer primary key, title varchar(50) not null, price decimal(20,4), weight double precision, sold bigint,
    released date, made timestamp(3) null, country integer, foreign key (country) references countries (id));
  insert into countries values (1, 'Norway'), (2, 'Austria'), (3, null);
  insert into books values
    (1, 'Fjord', 12.5, 0.1, 9007199254740993, '2020-01-01', '2024-01-01 10:00:00.001', 1),
    (2, 'alp', 12.5, 0.30000000000000004, 9007199254740992, null, '2024-01-01 10:00:00.002', 2),
    (3, 'Alp', null, 0.3, null, '2020-01-01', null, null),
    (4, '$NOW', 1234567890123456.7891, null, -5, '1999-12-31', '2024-01-01 10:00:00.002', 3),
    (5, 'Ärger', 1234567890123456.7892, -2.5e300, 0, '2020-06-30', null, 1),
    (6, 'it''s "7"', -0.0001, 1e-300, 9007199254740993, null, '1999-12-31 23:59:59', null),
    (7, 'Fjord', null, 0.1, 3, '2020-06-30', '2030-01-01 00:00:00', 2);
`;

const orders = [
  '',
  '-id',
  'title',
  '-title',
  'price',
  '-price,title',
  'weight',
  '-weight',
  'sold',
  '-sold,-title',
  'released,-title',
  '-released',
  'made',
  '-made,id',
  'country',
  'country.name',
  '-country.name,title',
  'year(released),-title',
  'country.count(books),title',
];

describeEachVendor('paging by cursor', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'cursor', fixture });
  });
  afterAll(() => service.stop());

  const read = (query: string): Promise<Answer> => service.api.get(`/items/books?fields=id&${query}`);
  const idsOf = (answer: Answer): readonly number[] => answer.body.data.map((book: { id: number }) => book.id);

  async function walk(query: string, way: 'next' | 'previous', from: string | null): Promise<readonly (readonly number[])[]> {
    const pages: (readonly number[])[] = [];
    let cursor = from;
    do {
      const answer = await read(`${query}&meta=cursor${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(answer.status, answer.text).toBe(200);
      pages.push(idsOf(answer));
      cursor = answer.body.meta.cursor[way];
    } while (cursor !== null && pages.length < 20);
    return pages;
  }

  it.each(orders)('gives every item once, there and back: sort=%s', async (order) => {
    const sort = order === '' ? '' : `sort=${order}`;
    const whole = idsOf(await read(sort));
    const pages = await walk(`${sort}&limit=2`, 'next', null);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1]);
    expect(pages.flat()).toEqual(whole);
    const last = await read(`${sort}&limit=6&meta=cursor`);
    const end = await read(`${sort}&limit=6&meta=cursor&cursor=${last.body.meta.cursor.next}`);
    expect([idsOf(end), end.body.meta.cursor.next]).toEqual([whole.slice(6), null]);
    const back = await walk(`${sort}&limit=4`, 'previous', end.body.meta.cursor.previous);
    expect([...back].reverse().flat()).toEqual(whole.slice(0, 6));
  });

  it('asks one statement for a page, and one more for counts', async () => {
    const { cursor } = (await read('sort=-price&limit=2&meta=cursor')).body.meta;
    expect(await leastStatements(service, () => read(`sort=-price&limit=2&meta=cursor&cursor=${cursor.next}`))).toBe(1);
    const counted = await read(`sort=-price&limit=2&meta=cursor,filter_count&cursor=${cursor.next}`);
    expect([counted.body.meta.filter_count, typeof counted.body.meta.cursor.next]).toEqual([7, 'string']);
  });

  it('stays where it is while items are added', async () => {
    const first = await read('sort=title&limit=3&meta=cursor&filter[id][_lt]=100');
    const rest = idsOf(await read('sort=title&filter[id][_lt]=100')).slice(3);
    await service.sql("insert into books (id, title) values (50, '!first'), (51, '~last')");
    const second = await read(`sort=title&limit=9&filter[id][_lt]=100&cursor=${first.body.meta.cursor.next}`);
    await service.sql('delete from books where id >= 50');
    const found = idsOf(second);
    expect(found.filter((id) => id < 50)).toEqual(rest);
    expect(found).not.toContain(50);
    expect(second.body.meta).toBeUndefined();
  });

  it('takes other fields and limits with it, and SEARCH as well', async () => {
    const { next } = (await read('sort=price&limit=2&meta=cursor&filter[id][_gt]=1')).body.meta.cursor;
    const query = { sort: ['price'], filter: { id: { _gt: 1 } }, fields: ['title'], limit: 1, cursor: next };
    const answer = await service.api.search('/items/books', { query });
    expect([answer.status, answer.body.data.length, Object.keys(answer.body.data[0])]).toEqual([200, 1, ['title']]);
  });

  it('is refused with another query, by another caller, or when it was changed', async () => {
    const { next } = (await read('sort=price&limit=2&meta=cursor&filter[id][_gt]=1')).body.meta.cursor;
    // Not the last letter: some of its bits may be beyond the last byte.
    const spoiled = `${next.slice(0, -2)}${next.at(-2) === 'A' ? 'B' : 'A'}${next.at(-1)}`;
    const others = [
      `sort=-price&filter[id][_gt]=1&cursor=${next}`,
      `sort=price&filter[id][_gt]=2&cursor=${next}`,
      `sort=price&cursor=${next}`,
      `sort=price&filter[id][_gt]=1&search=x&cursor=${next}`,
      `sort=price&filter[id][_gt]=1&offset=2&cursor=${next}`,
      `sort=price&filter[id][_gt]=1&cursor=${spoiled}`,
      'cursor=nonsense',
      'cursor=AAAA',
      'limit=-1&meta=cursor',
      'aggregate[count]=*&meta=cursor',
    ];
    for (const query of others) {
      const answer = await read(query);
      expect([query, answer.status, answer.body.errors?.[0].extensions.code]).toEqual([query, 400, 'INVALID_QUERY']);
    }
  });

  it('reveals nothing of the position to its holder', async () => {
    const { next } = (await read('sort=title&limit=1&meta=cursor')).body.meta.cursor;
    expect(Buffer.from(next, 'base64url').toString('latin1')).not.toMatch(/Fjord|alp|NOW/);
  });
});
