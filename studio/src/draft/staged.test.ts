import { describe, expect, it } from 'vitest';
import { buildSchema } from '../schema/build-schema.js';
import { plainText } from '../schema/templates.js';
import { typedText } from '../schema/typed.js';
import { english } from '../text/english/main.js';
import { checkDraft } from './check-draft.js';
import { merge } from './draft.js';
import { DraftStore } from './draft-store.js';
import type { Edits } from './item.js';
import { placeRefusals } from './refusals.js';
import { dropEntry, emptyList, payloadOf, putEntry, removeRow, restoreRow, type StagedEntry } from './staged.js';

const key = { is_primary_key: true, is_nullable: false, default_value: null };
const field = (collection: string, name: string, schema: object | null = { is_nullable: true }) => ({
  collection,
  field: name,
  type: schema === null ? 'alias' : 'string',
  meta: null,
  schema: schema as Record<string, unknown> | null,
});
const schema = buildSchema(
  ['books', 'authors', 'book_tags', 'tags', 'reviews'].map((collection) => ({ collection, meta: null, schema: {} })),
  [
    ...['books', 'authors', 'book_tags', 'tags', 'reviews'].map((name) => field(name, 'id', key)),
    field('books', 'title'),
    field('books', 'author'),
    field('books', 'tags', null),
    field('books', 'reviews', null),
    field('authors', 'name'),
    field('tags', 'name'),
    field('reviews', 'reader'),
  ],
  [
    { collection: 'books', field: 'author', related_collection: 'authors', meta: null },
    { collection: 'reviews', field: 'book', related_collection: 'books', meta: { one_field: 'reviews' } },
    { collection: 'book_tags', field: 'book', related_collection: 'books', meta: { one_field: 'tags', junction_field: 'tag' } },
    { collection: 'book_tags', field: 'tag', related_collection: 'tags', meta: { junction_field: 'book' } },
  ],
  'en',
);
const books = schema.get('books');
if (books === undefined) throw new Error('no books');
const entry = (id: string, extra: Partial<StagedEntry> = {}): StagedEntry => ({
  $staged: 'entry',
  id,
  row: null,
  key: null,
  shown: {},
  edits: {},
  ...extra,
});
const listOf = (...entries: readonly StagedEntry[]) => ({ ...emptyList, entries });

describe('a text that is no value', () => {
  const context = { schema, user: 'u', now: new Date(0) };
  const texts = { missing: 'missing', invalid: 'invalid', faults: english.list.faults };
  const refusalsOf = (edits: Edits) => checkDraft(context, { collection: books, base: {}, edits, isNew: true, filled: null }, texts);

  it('is refused in its place, wherever in the draft it is, and however deep', () => {
    const broken = typedText('{"stalls": 12', 'json');
    const message = 'This is not valid JSON.';
    const author = entry('one', { edits: { name: broken } });
    const reviews = listOf(entry('r1', { edits: { reader: broken } }), entry('r2', { edits: { reader: 'Ann' } }));
    expect(refusalsOf({ title: broken })).toEqual([{ steps: [], field: 'title', message }]);
    expect(refusalsOf({ title: 'x', author, reviews })).toEqual([
      { steps: [{ field: 'author', entry: 'one' }], field: 'name', message },
      { steps: [{ field: 'reviews', entry: 'r1' }], field: 'reader', message },
    ]);
    expect(refusalsOf({ title: 'x' })).toEqual([]);
  });

  it('stays in the draft through a reload, and counts as a change', () => {
    let kept = { edits: {}, origin: {}, time: null as string | null };
    const keeper = {
      read: () => JSON.parse(JSON.stringify(kept)) as typeof kept,
      write: (edits: Edits, origin: Edits) => {
        kept = { edits, origin, time: null };
      },
    };
    new DraftStore({ title: 'stored' }, keeper).set('title', typedText('{"stalls": 12', 'json'));
    const again = new DraftStore({ title: 'stored' }, keeper);
    expect(again.isChanged('title')).toBe(true);
    expect(plainText(again.value('title'))).toBe('{"stalls": 12');
    expect(again.values()['title']).toBe('{"stalls": 12');
  });
});

describe('the body that saves a draft', () => {
  it('names a picked item by its key and never writes its title', () => {
    expect(payloadOf(schema, books, { title: 'x', author: { id: 3, name: 'Jane' } })).toEqual({ title: 'x', author: 3 });
    expect(payloadOf(schema, books, { author: null })).toEqual({ author: null });
  });

  it('nests new and changed items', () => {
    expect(payloadOf(schema, books, { author: entry('a', { edits: { name: 'New' } }) })).toEqual({ author: { name: 'New' } });
    const changed = entry('a', { key: 3, shown: { id: 3, name: 'Jane' }, edits: { name: 'Jane A.' } });
    expect(payloadOf(schema, books, { author: changed })).toEqual({ author: { id: 3, name: 'Jane A.' } });
  });

  it('changes a list by naming the rows it concerns', () => {
    const reviews = listOf(
      entry('a', { edits: { reader: 'R' } }),
      entry('b', { key: 8 }),
      entry('c', { row: 9, key: 9, edits: { reader: 'S' } }),
    );
    expect(payloadOf(schema, books, { reviews: removeRow(reviews, 7) })).toEqual({
      reviews: { create: [{ reader: 'R' }], update: [{ id: 8 }, { id: 9, reader: 'S' }], delete: [7] },
    });
  });

  it('goes through the junction', () => {
    const tags = listOf(
      entry('a', { edits: { name: 'new' } }),
      entry('b', { key: 2 }),
      entry('c', { row: 50, key: 3, edits: { name: 'three' } }),
    );
    expect(payloadOf(schema, books, { tags: removeRow(tags, 51) })).toEqual({
      tags: { create: [{ tag: { name: 'new' } }, { tag: 2 }], update: [{ id: 50, tag: { id: 3, name: 'three' } }], delete: [51] },
    });
  });
});

describe('a staged list', () => {
  it('keeps one entry per item and forgets rows that are as stored and new items that are empty', () => {
    const one = putEntry(emptyList, entry('a', { edits: { name: 'x' } }));
    expect(putEntry(one, entry('a', { edits: { name: 'y' } })).entries).toEqual([entry('a', { edits: { name: 'y' } })]);
    expect(putEntry(emptyList, entry('r', { row: 1, key: 1 }))).toEqual(emptyList);
    expect(putEntry(one, entry('a'))).toEqual(emptyList);
    expect(putEntry(emptyList, entry('linked', { key: 7 })).entries).toHaveLength(1);
    expect(dropEntry(one, 'a')).toEqual(emptyList);
    expect(restoreRow(removeRow(emptyList, 4), 4)).toEqual(emptyList);
  });

  it('never conflicts with what another user saved', () => {
    const tags = removeRow(emptyList, 1);
    expect(merge({ tags: [1] }, { tags }, { tags: [1, 2] })).toEqual({ edits: { tags }, conflicts: [] });
  });
});

describe('a refusal', () => {
  const edits = {
    title: 'x',
    author: entry('a', { edits: {} }),
    tags: listOf(entry('t', { edits: { name: 'one' } }), entry('u', { edits: { name: 'two' } })),
  };
  const place = (extensions: object) =>
    placeRefusals(schema, books, edits, [{ message: 'no', extensions: { code: 'FAILED_VALIDATION', ...extensions } }]);

  it('is placed by path, by collection and by value', () => {
    expect(place({ field: 'title', path: [] })).toEqual([{ steps: [], field: 'title', message: 'no' }]);
    expect(place({ field: 'name', path: ['author'], type: 'required' })).toEqual([
      { steps: [{ field: 'author', entry: 'a' }], field: 'name', message: 'no' },
    ]);
    expect(place({ field: 'name', collection: 'tags', value: 'two' })).toEqual([
      { steps: [{ field: 'tags', entry: 'u' }], field: 'name', message: 'no' },
    ]);
    expect(place({ field: 'name', path: ['tags', 'tag'] })).toHaveLength(2);
  });

  it('without a field has no place', () => expect(place({})).toEqual([null]));
});
