import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildSchema } from '../../schema/build-schema.js';
import { around, buildGraph, only } from './graph.js';
import { layoutBoxes } from './layout.js';

const column = { is_nullable: true, default_value: null };
const field = (collection: string, name: string, schema: object | null = column) => ({
  collection,
  field: name,
  type: schema === null ? 'alias' : 'integer',
  meta: null,
  schema: schema as Record<string, unknown> | null,
});
const schema = buildSchema(
  ['books', 'authors', 'book_tags', 'tags', 'blocks', 'service_users'].map((collection) => ({ collection, meta: null, schema: {} })),
  [
    field('books', 'id', { ...column, is_primary_key: true }),
    field('books', 'author'),
    field('books', 'editor'),
    field('books', 'tags', null),
    field('authors', 'books', null),
    field('book_tags', 'book'),
    field('book_tags', 'tag'),
    field('blocks', 'item'),
  ],
  [
    { collection: 'books', field: 'author', related_collection: 'authors', meta: { one_field: 'books' } },
    { collection: 'books', field: 'editor', related_collection: 'service_users', meta: null },
    { collection: 'book_tags', field: 'book', related_collection: 'books', meta: { one_field: 'tags', junction_field: 'tag' } },
    { collection: 'book_tags', field: 'tag', related_collection: 'tags', meta: { one_field: null, junction_field: 'book' } },
    {
      collection: 'blocks',
      field: 'item',
      related_collection: null,
      meta: { one_collection_field: 'collection', one_allowed_collections: ['books', 'tags'] },
    },
  ],
  'en',
);
const graph = buildGraph(schema);

it('has a box for each collection and an edge for each relation between them', () => {
  expect(graph.boxes.map(({ id }) => id)).toEqual(['books', 'authors', 'book_tags', 'tags', 'blocks']);
  expect(graph.boxes[0]?.rows).toEqual([
    { field: 'id', kind: 'key' },
    { field: 'author', kind: 'm2o' },
    { field: 'editor', kind: 'm2o' },
    { field: 'tags', kind: 'm2m' },
  ]);
  expect(graph.edges.map(({ from, field: name, to, kind }) => `${from}.${name} ${kind} ${to}`)).toEqual([
    'books.author m2o authors',
    'book_tags.book m2o books',
    'book_tags.tag m2o tags',
    'blocks.item m2a books',
    'blocks.item m2a tags',
  ]);
});

it('finds the neighbours in one step or two', () => {
  expect([...around(graph, 'authors', 1)]).toEqual(['authors', 'books']);
  expect([...around(graph, 'authors', 2)].toSorted()).toEqual(['authors', 'blocks', 'book_tags', 'books']);
  expect(only(graph, around(graph, 'authors', 1)).edges.map(({ field: name }) => name)).toEqual(['author']);
});

/** A low box fits beside a high one, but not with the gap behind it. */
const beside = [
  [40, 236],
  [40, 236],
  [40, 30],
  [98, 237],
  [121, 31],
  [126, 73],
  [219, 31],
  [40, 235],
].map(([width = 0, height = 0]) => ({
  width,
  height,
}));

it('never puts one box over another', () => {
  const boxes = fc.array(fc.record({ width: fc.integer({ min: 40, max: 260 }), height: fc.integer({ min: 30, max: 400 }) }), {
    minLength: 1,
    maxLength: 40,
  });
  const links = fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { maxLength: 60 });
  fc.assert(
    fc.property(boxes, links, (sizes, pairs) => {
      const sized = sizes.map((size, index) => ({ id: String(index), ...size }));
      const { places, width, height } = layoutBoxes(
        sized,
        pairs.map(([from, to]) => ({ from: String(from), to: String(to) })),
      );
      const placed = sized.map((box) => ({ ...box, ...(places.get(box.id) ?? { x: Number.NaN, y: Number.NaN }) }));
      for (const [index, one] of placed.entries()) {
        expect(one.x >= -0.5 && one.y >= -0.5 && one.x + one.width <= width + 0.5 && one.y + one.height <= height + 0.5).toBe(true);
        for (const other of placed.slice(index + 1))
          expect(
            one.x + one.width <= other.x ||
              other.x + other.width <= one.x ||
              one.y + one.height <= other.y ||
              other.y + other.height <= one.y,
          ).toBe(true);
      }
    }),
    { numRuns: 50, examples: [[beside, []]] },
  );
});

it('keeps a collection that hundreds refer to on a page', () => {
  const sized = Array.from({ length: 301 }, (_, index) => ({ id: String(index), width: 160, height: 34 }));
  const { width, height } = layoutBoxes(
    sized,
    sized.slice(1).map(({ id }) => ({ from: id, to: '0' })),
  );
  expect([width / height > 0.5, width / height < 4]).toEqual([true, true]);
});
