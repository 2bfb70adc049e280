import { expect, it } from 'vitest';
import { buildSchema } from '../../schema/build-schema.js';
import { modelEnglish } from '../../text/english/model.js';
import { planCollection, planRelation } from './plan-changes.js';

const key = (collection: string, type: string) => ({ collection, field: 'id', type, meta: null, schema: { is_primary_key: true } });
const schema = buildSchema(
  ['books', 'authors', 'tags'].map((collection) => ({ collection, meta: null, schema: {} })),
  [key('books', 'integer'), key('authors', 'uuid'), key('tags', 'integer')],
  [],
  'en',
);
const collectionOf = (name: string) => {
  const found = schema.get(name);
  if (found === undefined) throw new Error(name);
  return found;
};

const relate = (kind: 'm2o' | 'o2m' | 'm2m', there: string, field: string, other: string) =>
  planRelation(schema, modelEnglish, {
    kind,
    here: collectionOf('books'),
    there: collectionOf(there),
    field,
    other,
    junction: 'books_tags',
    onDelete: 'SET NULL',
  }).map(({ change }) => [change.change, change.collection ?? null, change.data] as const);

it('makes a collection with a key, its fields, and a relation for each reference', () => {
  const fields = [
    { name: 'title', type: 'string' },
    { name: 'author', type: '→authors' },
  ];
  const cards = planCollection(schema, modelEnglish, { name: 'reviews', note: '', template: '{{title}}', fields });
  expect(cards.map(({ title }) => title)).toEqual(['Create collection reviews', 'Relate reviews.author to authors']);
  expect(cards[0]?.change.data).toMatchObject({
    collection: 'reviews',
    meta: { note: null, display_template: '{{title}}' },
    fields: [{ field: 'id' }, { field: 'title', type: 'string' }, { field: 'author', type: 'uuid' }],
  });
  expect(cards[1]?.change.data).toEqual({ collection: 'reviews', field: 'author', related_collection: 'authors' });
});

it('makes the columns and lists of both ends before the relation', () => {
  expect(relate('m2o', 'authors', 'author', 'books').map(([change, owner]) => [change, owner])).toEqual([
    ['create_field', 'books'],
    ['create_field', 'authors'],
    ['create_relation', null],
  ]);
  const [column, list, relation] = relate('o2m', 'tags', 'labels', 'book');
  expect(column?.[2]).toMatchObject({ field: 'book', type: 'integer' });
  expect(list?.[2]).toMatchObject({ field: 'labels', type: 'alias', meta: { special: ['o2m'] } });
  expect(relation?.[2]).toMatchObject({ collection: 'tags', field: 'book', related_collection: 'books', meta: { one_field: 'labels' } });
});

it('puts a junction between many and many', () => {
  const changes = relate('m2m', 'tags', 'tags', '');
  expect(changes.map(([change]) => change)).toEqual(['create_collection', 'create_field', 'create_relation', 'create_relation']);
  expect(changes[2]?.[2]).toMatchObject({
    collection: 'books_tags',
    field: 'books_id',
    meta: { one_field: 'tags', junction_field: 'tags_id' },
  });
  expect(changes[3]?.[2]).toMatchObject({ collection: 'books_tags', field: 'tags_id', related_collection: 'tags' });
});
