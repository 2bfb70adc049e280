// Sorting through lists, by aliases, and filtering by relations that have a field on the other side only: on every vendor, through both
// doors, and never by what the caller may not see.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };
const numbers = (...names: readonly string[]) => names.map((field) => ({ field, type: 'integer' }));
const texts = (...names: readonly string[]) => names.map((field) => ({ field, type: 'string' }));

async function makeLibrary({ api }: TestService): Promise<void> {
  const collection = (name: string, fields: readonly object[]) =>
    api.post('/collections', { collection: name, schema: {}, fields: [id, ...fields] });
  const alias = (name: string, field: string, special: string) =>
    api.post(`/fields/${name}`, { field, type: 'alias', meta: { special: [special] } });
  const relate = (name: string, field: string, related: string | null, meta: object) =>
    api.post('/relations', { collection: name, field, related_collection: related, meta, ...(related === null ? {} : { schema: {} }) });
  await collection('authors', texts('name'));
  await collection('books', [
    ...texts('title'),
    ...numbers('author'),
    { field: 'price', type: 'decimal', schema: { numeric_precision: 8, numeric_scale: 2 } },
    { field: 'sold', type: 'boolean' },
    { field: 'day', type: 'date' },
    { field: 'code', type: 'uuid' },
  ]);
  await collection('tags', texts('name'));
  await collection('books_tags', numbers('book', 'tag'));
  await collection('parts', [...numbers('author'), ...texts('item', 'kind')]);
  await collection('visits', numbers('guest', 'length'));
  await alias('authors', 'books', 'o2m');
  await alias('authors', 'parts', 'm2a');
  await alias('books', 'tags', 'm2m');
  await relate('books', 'author', 'authors', { one_field: 'books' });
  await relate('books_tags', 'book', 'books', { one_field: 'tags', junction_field: 'tag' });
  await relate('books_tags', 'tag', 'tags', { junction_field: 'book' });
  await relate('parts', 'author', 'authors', { one_field: 'parts', junction_field: 'item' });
  await relate('parts', 'item', null, {
    one_allowed_collections: ['books', 'tags'],
    one_collection_field: 'kind',
    junction_field: 'author',
  });
  await relate('visits', 'guest', 'authors', {});
}

async function fillLibrary({ api }: TestService): Promise<void> {
  const code = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`;
  await api.post('/items/authors', [{ name: 'Ada' }, { name: 'Bo' }, { name: 'Cy' }]);
  await api.post('/items/tags', [{ name: 'x' }, { name: 'y' }, { name: 'z' }]);
  await api.post('/items/books', [
    { title: 'm', author: 1, price: '10.00', sold: true, day: '2020-05-01', code: code(5), tags: [{ tag: 3 }] },
    { title: 'c', author: 1, price: '9.50', sold: false, day: '2023-01-01', code: code(2), tags: [{ tag: 2 }] },
    { title: 'b', author: 2, price: '100.00', sold: true, day: '2021-05-01', code: code(4), tags: [{ tag: 1 }, { tag: 2 }] },
    { title: 'z', author: 2, price: null, sold: null, day: null, code: null },
    { title: 'a', author: 3, price: '50.00', sold: true, day: '2022-01-01', code: code(9), tags: [{ tag: 1 }] },
  ]);
  await api.post('/items/parts', [
    { author: 1, kind: 'books', item: '3' },
    { author: 2, kind: 'books', item: '1' },
    { author: 2, kind: 'tags', item: '1' },
    { author: 3, kind: 'books', item: '5' },
  ]);
  await api.post('/items/visits', [
    { guest: 1, length: 5 },
    { guest: 3, length: 9 },
  ]);
}

describeEachVendor('sorting', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'sorting' });
    await makeLibrary(service);
    await fillLibrary(service);
  });
  afterAll(() => service.stop());

  const order = async (sort: string, api = service.api) => {
    const { body } = await api.get(`/items/authors?fields=name&sort=${encodeURIComponent(sort)}`);
    const drawn = await api.graphql('query($sort: [String]) { authors(sort: $sort) { name } }', { sort: sort.split(',') });
    expect(drawn.body.data?.authors).toEqual(body.data);
    return body.data.map(({ name }: { readonly name: string }) => name).join(' ');
  };

  it('goes by the least of a list upwards and by the greatest downwards, for every type', async () => {
    expect(await order('books.title')).toBe('Cy Bo Ada');
    expect(await order('-books.title')).toBe('Bo Ada Cy');
    expect(await order('books.price')).toBe('Ada Cy Bo');
    expect(await order('-books.price')).toBe('Bo Cy Ada');
    expect(await order('books.sold,name')).toBe('Ada Bo Cy');
    expect(await order('-books.day')).toBe('Ada Cy Bo');
    expect(await order('books.year(day)')).toBe('Ada Bo Cy');
    expect(await order('books.code')).toBe('Ada Bo Cy');
    expect(await order('-books.count(tags)')).toBe('Bo Cy Ada');
  });

  it('goes through many-to-many, many-to-any and several lists', async () => {
    expect(await order('books.tags.tag.name,-name')).toBe('Cy Bo Ada');
    expect(await order('-books.tags.tag.name,name')).toBe('Ada Bo Cy');
    expect(await order('parts.item:books.title')).toBe('Cy Ada Bo');
    expect(await order('-parts.item:books.title')).toBe('Bo Ada Cy');
    const { body } = await service.api.get('/items/books?fields=title&sort=author.books.title,-title&filter[author][_nnull]=true');
    expect(body.data.map(({ title }: { readonly title: string }) => title).join('')).toBe('azbmc');
  });

  it('takes one statement, pages, and continues by cursor', async () => {
    const path = '/items/authors?fields=name&sort=-books.title';
    expect(await leastStatements(service, () => service.api.get(path))).toBe(1);
    expect((await service.api.get(`${path}&limit=1&page=2`)).body.data).toEqual([{ name: 'Ada' }]);
    const first = (await service.api.get(`${path}&limit=2&meta=cursor`)).body;
    const second = (await service.api.get(`${path}&limit=2&meta=cursor&cursor=${first.meta.cursor.next}`)).body;
    expect([...first.data, ...second.data]).toEqual([{ name: 'Bo' }, { name: 'Ada' }, { name: 'Cy' }]);
    const back = (await service.api.get(`${path}&limit=2&meta=cursor&cursor=${second.meta.cursor.previous}`)).body;
    expect(back.data).toEqual(first.data);
  });

  it('sorts nested lists so, and places items without any where nulls are', async () => {
    await service.api.post('/items/authors', { name: 'Di' });
    const nulls = vendor.name === 'postgres' ? 'Cy Bo Ada Di' : 'Di Cy Bo Ada';
    expect(await order('books.title')).toBe(nulls);
    await service.api.delete('/items/authors/4');
    const deep = encodeURIComponent(JSON.stringify({ books: { _sort: ['-tags.tag.name'] } }));
    const { body } = await service.api.get(`/items/authors/1?fields=books.title&deep=${deep}`);
    expect(body.data.books).toEqual([{ title: 'm' }, { title: 'c' }]);
  });

  it('is by what the caller may see, and refused where they may not go', async () => {
    const read = (collection: string, more: object = {}) => ({ collection, action: 'read', ...more }) as const;
    const seeing = await makePerson(service, [
      { permissions: [read('authors'), read('books', { permissions: { title: { _neq: 'a' } } })] },
    ]);
    expect(await order('books.title', seeing.api)).toBe(vendor.name === 'postgres' ? 'Bo Ada Cy' : 'Cy Bo Ada');
    const blind = await makePerson(service, [{ permissions: [read('authors'), read('books', { fields: ['id', 'author', 'title'] })] }]);
    for (const sort of ['books.price', '-books.tags.tag.name', 'parts.item:books.title', 'books.nothing', 'books.author.nothing'])
      expect(codeOf(await blind.api.get(`/items/authors?sort=${sort}`)), sort).toBe('403 FORBIDDEN');
    const cut = await makePerson(service, [{ permissions: [read('authors'), read('books', { fields: ['id', 'title'] })] }]);
    expect(codeOf(await cut.api.get('/items/authors?sort=books.title'))).toBe('403 FORBIDDEN');
    for (const sort of ['books', 'parts.item.title'])
      expect(codeOf(await service.api.get(`/items/authors?sort=${sort}`)), sort).toBe('400 INVALID_QUERY');
  });

  it('by an alias sorts like the field it stands for', async () => {
    const names = async (query: string) =>
      (await service.api.get(`/items/authors?fields=name&${query}`)).body.data.map(({ name }: { readonly name: string }) => name).join(' ');
    expect(await names('alias[who]=name&sort=-who')).toBe('Cy Bo Ada');
    expect(await names('alias[works]=books&sort=works.title')).toBe('Cy Bo Ada');
    expect(await names('alias[amount]=count(books)&sort=amount,-name')).toBe('Cy Bo Ada');
    const deep = encodeURIComponent(JSON.stringify({ books: { _alias: { called: 'title' }, _sort: ['called'] } }));
    expect((await service.api.get(`/items/authors/1?fields=books.called&deep=${deep}`)).body.data.books).toEqual([
      { called: 'c' },
      { called: 'm' },
    ]);
    expect(codeOf(await service.api.get('/items/authors?alias[who]=nothing&sort=who'))).toBe('403 FORBIDDEN');
    const drawn = await service.api.graphql('{ authors(sort: ["-who"]) { who: name works: books(sort: ["called"]) { called: title } } }');
    expect(drawn.body.data.authors[2]).toEqual({ who: 'Ada', works: [{ called: 'c' }, { called: 'm' }] });
    const renamed = await service.api.graphql('{ authors(sort: ["-id"]) { id: name } }');
    expect(renamed.body.data.authors[0]).toEqual({ id: 'Cy' });
  });

  it('$FOLLOW filters by a relation that has no field on this side', async () => {
    const found = async (filter: object, api = service.api) =>
      api.get(`/items/authors?fields=name&sort=id&filter=${encodeURIComponent(JSON.stringify(filter))}`);
    const follow = '$FOLLOW(visits, guest)';
    expect((await found({ [follow]: { length: { _gt: 6 } } })).body.data).toEqual([{ name: 'Cy' }]);
    expect((await found({ [follow]: { _none: { length: { _gt: 6 } } } })).body.data).toEqual([{ name: 'Ada' }, { name: 'Bo' }]);
    expect((await found({ [follow]: { _null: true } })).body.data).toEqual([{ name: 'Bo' }]);
    expect((await found({ '$FOLLOW(books,author)': { price: { _gt: 60 } } })).body.data).toEqual([{ name: 'Bo' }]);
    expect((await service.api.get(`/items/authors?fields=name&filter[${follow}][length][_eq]=5`)).body.data).toEqual([{ name: 'Ada' }]);
    const query = { fields: ['name'], filter: { [follow]: { length: { _eq: 5 } } } };
    const drawn = await service.api.graphql(
      'query($query: JSON) { items(collection: "authors", query: $query) }',
      { query },
      '/graphql/system',
    );
    expect(drawn.body.data.items.data).toEqual([{ name: 'Ada' }]);
    for (const wrong of ['$FOLLOW(visits, length)', '$FOLLOW(visits, nothing)', '$FOLLOW(nothing, guest)', '$FOLLOW(books_tags, tag)'])
      expect(codeOf(await found({ [wrong]: { id: 1 } })), wrong).toBe('403 FORBIDDEN');
    for (const wrong of ['$FOLLOW(visits)', '$FOLLOW(a,b,c)', '$FOLLOW(,)'])
      expect(codeOf(await found({ [wrong]: { id: 1 } })), wrong).toBe('400 INVALID_QUERY');
    const blind = await makePerson(service, [
      {
        permissions: [
          { collection: 'authors', action: 'read' },
          { collection: 'visits', action: 'read', fields: ['id', 'length'] },
        ],
      },
    ]);
    expect(codeOf(await found({ [follow]: { length: { _gt: 6 } } }, blind.api))).toBe('403 FORBIDDEN');
  });
});
