import { expect, it } from 'vitest';
import { waitingCollections, waitingFor } from './waiting.js';

const cards = [
  { change: 'create_field', collection: 'books', data: { field: 'pages', type: 'integer' } },
  { change: 'create_field', collection: 'books', data: { field: 'author', type: 'integer' } },
  { change: 'create_relation', data: { collection: 'books', field: 'author', related_collection: 'authors' } },
  { change: 'create_field', collection: 'books', data: { field: 'reviews', type: 'alias' } },
  { change: 'create_field', collection: 'books', data: { field: 'mistake', type: 'string' } },
  { change: 'delete_field', collection: 'books', field: 'mistake' },
  { change: 'update_field', collection: 'books', field: 'title', data: { meta: { note: 'x' } } },
  { change: 'delete_field', collection: 'books', field: 'slug' },
  { change: 'delete_field', collection: 'authors', field: 'slug' },
  { change: 'update_collection', collection: 'books', data: { meta: {} } },
  { change: 'create_collection', data: { collection: 'shops', fields: [{}, {}] } },
].map((change, id) => ({ id, title: '', change }));

it('is shown where it will be: what is added, changed and deleted', () => {
  const { added, fields, collection } = waitingFor(cards, 'books');
  expect(added).toEqual([
    { name: 'pages', type: 'integer', related: null },
    { name: 'author', type: 'integer', related: 'authors' },
    { name: 'reviews', type: null, related: null },
  ]);
  expect([...fields]).toEqual([
    ['title', 'changed'],
    ['slug', 'deleted'],
  ]);
  expect(collection).toBe('changed');
  expect([...waitingFor(cards, 'authors').fields]).toEqual([['slug', 'deleted']]);
  expect(waitingCollections(cards)).toEqual([{ name: 'shops', fields: 2 }]);
});
