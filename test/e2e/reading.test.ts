// Reading as a whole, on the music shop: one statement whatever the depth, one answer whatever the spelling, and what administrators are
// shown about how it is done.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

/** Written as the body of SEARCH; brackets and JSON text are made from it. */
const queries: readonly Readonly<Record<string, unknown>>[] = [
  { fields: ['*'] },
  { fields: ['*.*.*'], limit: 3 },
  { fields: ['name', 'album_id.title', 'album_id.artist_id.name'], sort: ['-unit_price', 'name'] },
  {
    fields: ['name'],
    filter: { _or: [{ album_id: { artist_id: { name: { _eq: 'Nina Simone' } } } }, { unit_price: { _between: ['1.5', '2'] } }] },
  },
  { fields: ['name'], filter: { composer: { _null: true }, explicit: { _eq: false } }, sort: ['name'] },
  { fields: ['name', 'count(tags)'], filter: { 'year(album_id)': { _eq: 1 } } },
  { fields: ['name'], search: 'an', limit: 2, page: 2 },
  { aggregate: { count: ['*'], avg: ['unit_price'], sum: ['bytes'] }, groupBy: ['genre_id.name'], sort: ['-count'] },
  { aggregate: { max: ['milliseconds'] }, having: { max: { milliseconds: { _gt: 5 } } }, groupBy: ['album_id.artist_id'] },
  { fields: ['track', 'track_id'], alias: { track: 'name' }, sort: ['-track_id'], offset: 1 },
  { fields: ['name', 'bytes'], filter: { bytes: { _in: ['9007199254740993', '6100000'] } } },
  { fields: ['name'], filter: { name: { _contains: '%' } } },
];

const nested: Readonly<Record<string, unknown>> = {
  fields: ['name', 'albums.title', 'albums.tracks.name', 'albums.tracks.invoice_lines.quantity', 'albums_aggregated'],
  deep: {
    albums: { _sort: ['-title'], tracks: { _limit: 1, _filter: { unit_price: { _gt: 0 } } } },
    albums_aggregated: { _aggregate: { count: '*' } },
  },
};

describeEachVendor('reading', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    const fixture = readFileSync(new URL(`../fixtures/shop.${vendor.name}.sql`, import.meta.url), 'utf8');
    service = await startService(vendor, { area: 'reading', fixture });
  });
  afterAll(() => service.stop());

  it('computes totals over all items whatever page and order the list is shown in', async () => {
    const count = async (rest: string) => {
      const { status, body, text } = await service.api.get(`/items/tracks?aggregate[countDistinct]=track_id${rest}`);
      expect(status, text).toBe(200);
      return body.data;
    };
    const all = await count('');
    expect(Number(all[0].countDistinct.track_id)).toBeGreaterThan(2);
    for (const rest of ['&sort=name', '&sort=-album_id.title', '&sort=count', '&limit=1&page=2', '&sort=-name&limit=2&offset=1'])
      expect(await count(rest)).toEqual(all);
    expect((await service.api.get('/items/tracks?aggregate[count]=*&sort=nothing_of_the_kind')).status).toBe(403);
  });

  it('leaves out what contains a text in any case', async () => {
    const names = async (filter: object): Promise<readonly string[]> =>
      (await service.api.search('/items/tracks', { query: { fields: ['name'], filter, limit: -1 } })).body.data.map(
        (row: { name: string }) => row.name,
      );
    const [all, without] = [await names({}), await names({ name: { _nicontains: 'AN' } })];
    expect(without).toEqual(all.filter((name) => !name.toLowerCase().includes('an')));
    expect(without.length).toBeLessThan(all.length);
    const { body } = await service.api.graphql(
      '{ items(collection: "tracks", query: { fields: ["name"], filter: { name: { _nicontains: "AN" } }, limit: -1 }) }',
      {},
      '/graphql/system',
    );
    expect(body.data.items.data.map((row: { name: string }) => row.name)).toEqual(without);
  });

  describe('one answer for every spelling', () => {
    it.each([...queries.map((query) => ['tracks', query] as const), ['artists', nested] as const])('%s %j', async (collection, query) => {
      const texts = Object.entries(query).map(([name, value]): [string, string] => [name, spell(value)]);
      const path = `/items/${collection}`;
      const body = await service.api.search(path, { query });
      const spellings = [
        await service.api.get(`${path}?${new URLSearchParams(brackets('', query, true))}`),
        await service.api.get(`${path}?${new URLSearchParams(brackets('', query, false))}`),
        await service.api.get(`${path}?${new URLSearchParams(texts)}`),
        await service.api.search(path, {
          query: { ...query, filter: query['filter'] === undefined ? undefined : JSON.stringify(query['filter']) },
        }),
        await service.api.request('QUERY', path, { body: { query } }),
      ];
      for (const spelling of spellings) expect(`${spelling.status} ${spelling.text}`).toBe(`${body.status} ${body.text}`);
    });
  });

  it.each([
    '/items/tracks',
    '/items/tracks/1',
    '/items/tracks?fields=*.*.*.*',
    '/items/artists?fields=albums.tracks.invoice_lines.invoice_id.customer.SupportRep.reports_to.last_name',
    '/items/tracks?filter[album_id][artist_id][albums][_some][title][_contains]=a&sort=album_id.artist_id.name,-count(invoice_lines)',
    '/items/tracks?aggregate[count]=*&groupBy[]=album_id.artist_id.name',
    '/items/artists?fields=name,albums_aggregated&deep={"albums_aggregated":{"_aggregate":{"count":"*"},"_groupBy":["year(released)"]}}',
    '/items/tracks?limit=-1',
    '/items/tracks?limit=-1&export=csv',
    '/items/tracks?limit=2&meta=cursor',
  ])('%s is one statement', async (path) => {
    expect((await service.api.get(path)).status).toBe(200);
    expect(await leastStatements(service, () => service.api.get(path))).toBe(1);
  });

  it('counts cost one statement more, and so do values of the caller’s own item', async () => {
    expect(await leastStatements(service, () => service.api.get('/items/tracks?meta=*'))).toBe(2);
    const path = '/items/Customer?filter[Email][_eq]=$CURRENT_USER.email&filter[FirstName][_neq]=$CURRENT_USER.first_name';
    expect((await service.api.get(path)).status).toBe(200);
    expect(await leastStatements(service, () => service.api.get(path))).toBe(2);
  });

  it('counts stop at the requested limit, and say so', async () => {
    const { data, meta } = (await service.api.get('/items/tracks?fields=track_id&limit=-1&meta=total_count,filter_count')).body;
    expect(meta.filter_count).toBe(data.length);
    const bounded = async (bound: number | string) =>
      (await service.api.get(`/items/tracks?fields=track_id&limit=1&meta=filter_count_at_most:${bound}`)).body.meta;
    expect(await bounded(data.length)).toEqual({ filter_count: data.length });
    expect(await bounded(data.length - 1)).toEqual({ filter_count: `>${data.length - 1}` });
    const both = await service.api.search('/items/tracks', {
      query: { fields: ['track_id'], meta: ['total_count', 'filter_count_at_most:1'] },
    });
    expect(both.body.meta).toEqual({ total_count: '>1', filter_count: '>1' });
    for (const bound of ['0', 'x', '1e3', '1000001', ''])
      expect((await service.api.get(`/items/tracks?meta=filter_count_at_most:${bound}`)).status, bound).toBe(400);
  });

  it('does not ask more statements for more items', async () => {
    const count = (limit: number): Promise<number> =>
      leastStatements(service, () => service.api.get(`/items/tracks?fields=*.*&limit=${limit}`));
    await count(1);
    expect(await count(1)).toBe(await count(7));
  });

  it('explains itself to administrators only', async () => {
    const answer = await service.api.get(
      '/items/tracks?fields=name,album_id.title&filter[unit_price][_gt]=1&sort=-name&limit=5&explain=true',
    );
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.data)).toEqual(['plan', 'sql', 'database', 'tables', 'sorts', 'suggestions']);
    expect(answer.body.data.plan).toEqual([
      'list tracks where unit_price _gt ?0',
      '  order name desc, track_id desc',
      '  limit 5',
      '  name: name',
      '  album_id: one of albums',
      '    title: title',
    ]);
    expect(answer.body.data.sql).toContain('LIMIT 5');
    expect(JSON.stringify(answer.body.data.database)).toMatch(/scan|table/i);
    expect((await service.api.get('/items/tracks/1?explain=true')).body.data.plan[0]).toBe('list tracks where track_id _eq ?0');
    expect((await service.api.get('/items/tracks?aggregate[count]=*&explain=true')).body.data.plan).toEqual(['group tracks', '  count(*)']);
    const person = await makePerson(service, [{ permissions: [{ collection: 'tracks', action: 'read' }] }]);
    expect((await person.api.get('/items/tracks?limit=1')).status).toBe(200);
    expect((await person.api.get('/items/tracks?explain=true')).body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('groups nested items the same on every vendor', async () => {
    const deep = {
      tracks_aggregated: {
        _aggregate: { count: '*', sum: 'unit_price' },
        _groupBy: ['album_id.artist_id.name'],
        _sort: '-sum.unit_price',
        _limit: 2,
      },
    };
    const answer = await service.api.search('/items/genres', { query: { fields: ['name', 'tracks_aggregated'], deep } });
    const line = (name: string, count: number, sum: string) => ({ 'album_id.artist_id.name': name, count, sum: { unit_price: sum } });
    expect(answer.body.data).toEqual([
      { name: 'Jazz', tracks_aggregated: [line('Nina Simone', 3, '3.27')] },
      { name: 'Electronic', tracks_aggregated: [line('Kraftwerk', 1, '1.99'), line('Björk', 1, '1.29')] },
      { name: 'Soul', tracks_aggregated: [line("D'Angelo", 1, '1.29')] },
    ]);
    const totals = await service.api.search('/items/playlists', {
      query: {
        fields: ['name', 'n'],
        alias: { n: 'playlist_track_aggregated' },
        deep: { n: { _aggregate: { count: '*', max: 'year(x)' } } },
      },
    });
    expect(totals.status).toBe(403);
    const empty = await service.api.search('/items/genres', {
      query: {
        fields: ['tracks_aggregated'],
        deep: { tracks_aggregated: { _aggregate: { count: '*', sum: 'milliseconds' }, _filter: { name: { _eq: '?' } } } },
        limit: 1,
      },
    });
    expect(empty.body.data).toEqual([{ tracks_aggregated: [{ count: 0, sum: { milliseconds: null } }] }]);
  });

  it('says what a path over a list would need', async () => {
    const answer = await service.api.get('/items/artists?aggregate[avg]=albums.album_id');
    expect([answer.status, answer.body.errors[0].extensions.reason]).toEqual([
      400,
      '"albums" in collection "artists" is a list: only many-to-one relations can be followed here.',
    ]);
  });
});

/** A value as one text: lists of names with commas, structures as JSON. */
function spell(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `filter[name][_eq]=x`, lists as `[]` or with their positions. */
function brackets(name: string, value: unknown, numbered: boolean): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, entry]) => {
    const part = Array.isArray(value) && !numbered && typeof entry !== 'object' ? '' : key;
    return brackets(name === '' ? key : `${name}[${part}]`, entry, numbered);
  });
}
