import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../test/fixtures/print-change-set.js';
import { structureState } from '../../../../test/fixtures/structure-state.js';
import { planDeleteCollection, planUpdateCollection } from './plan-collection.js';
import { planCreateCollection } from './plan-create-collection.js';

const state = structureState();

const forbidden = (collection: string): string =>
  `refused: You don't have permission to access collection "${collection}" or it does not exist.`;

describe('the plan of a new collection', () => {
  it('has a key that counts, where none is asked for', () => {
    expect(printPlan(state, planCreateCollection({ collection: 'books' }))).toEqual([
      'create table books, key id',
      '  id integer primary key auto-increment',
    ]);
  });

  it('states its columns, foreign keys and metadata', () => {
    const fields = [
      { field: 'isbn', type: 'string', schema: { is_primary_key: true, max_length: 13 } },
      { field: 'title', type: 'string', schema: { is_nullable: false }, meta: { note: 'x' } },
      { field: 'price', type: 'decimal', schema: { numeric_precision: 8, numeric_scale: 2, default_value: 1 } },
      { field: 'tags', type: 'csv' },
      { field: 'added', type: 'timestamp', schema: { default_value: 'now()' } },
      { field: 'author', type: 'integer', schema: { foreign_key_table: 'authors' } },
      { field: 'notes', type: 'alias', meta: { special: ['o2m'] } },
    ];
    const payload = { collection: 'books', schema: { comment: 'c' }, meta: { note: 'n', singleton: true }, fields };
    expect(printPlan(state, planCreateCollection(payload))).toEqual([
      'create table books, key isbn, comment c',
      '  isbn string(13) primary key',
      '  title string(255) not null',
      '  price decimal(8,2) default "1"',
      '  tags csv',
      '  added timestamp default now',
      '  author integer',
      '  foreign key books_author_foreign (author) → authors (id)',
      'insert service_collections note=n singleton=true collection=books',
      'insert service_fields sort=1 note=x collection=books field=title',
      'insert service_fields special=cast-csv sort=2 collection=books field=tags',
      'insert service_fields special=o2m sort=3 collection=books field=notes',
    ]);
  });

  it('of a folder is a metadata row', () => {
    expect(printPlan(state, planCreateCollection({ collection: 'shelf', schema: null, meta: { note: 'f' } }))).toEqual([
      'insert service_collections note=f collection=shelf',
    ]);
  });

  it('puts the table into the schema that its name says, where the vendor has schemas', () => {
    const lines = ['create table store.books, key id', '  id integer primary key auto-increment'];
    expect(printPlan(state, planCreateCollection({ collection: 'store.books' }))).toEqual(lines);
    const { ddl } = state;
    const withSchemas = structureState([], { ddl: { ...ddl, hasSchemas: true } });
    const inSchema = { collection: 'store.books', schema: { name: 'books', schema: 'store' } };
    expect(printPlan(withSchemas, planCreateCollection(inSchema))).toEqual(lines);
    // What describes the table of another database asks for nothing.
    expect(printPlan(state, planCreateCollection(inSchema))).toEqual(lines);
  });

  it.each<[object, string]>([
    [{}, '"collection" is required and must be text.'],
    [{ collection: 'Articles' }, 'Collection "Articles" already exists.'],
    [{ collection: 'archive' }, 'Collection "archive" already exists.'],
    [{ collection: 'service_x' }, 'The collection name "service_x" is reserved: it begins with "service_", "sqlite_" or "__".'],
    [{ collection: 'a', wrong: 1 }, '"wrong" is not known in a collection.'],
    [{ collection: 'a', schema: null, fields: [{ field: 'x', type: 'string' }] }, '"a" is a folder (schema null) and has no fields.'],
    [
      {
        collection: 'a',
        fields: [
          { field: 'x', type: 'string' },
          { field: 'X', type: 'string' },
        ],
      },
      'Field "X" is there twice.',
    ],
    [{ collection: 'a', meta: { singleton: 'yes' } }, 'meta.singleton has a value of the wrong kind.'],
    [{ collection: 'a', schema: { comment: 1 } }, 'schema.comment must be text or null.'],
  ])('%j is refused', (payload, message) => {
    expect(printPlan(state, planCreateCollection(payload))).toEqual([`refused: Invalid payload. ${message}`]);
  });

  it('is refused where an earlier planner has made the collection', () => {
    const books = planCreateCollection({ collection: 'books' });
    expect(printPlan(state, books, books)).toEqual(['refused: Invalid payload. Collection "books" already exists.']);
  });
});

describe('the plan of a changed collection', () => {
  it.each<[string, object, readonly string[]]>([
    [
      'articles',
      { meta: { note: 'new', versioning: true } },
      ['update service_collections set note=new versioning=true where collection=articles'],
    ],
    ['articles', { meta: { note: 'texts' }, schema: { name: 'articles' } }, []],
    ['tags', { meta: { note: 'words' } }, ['insert service_collections note=words collection=tags']],
    ['tags', {}, []],
    ['archive', { meta: { color: 'red' }, schema: null }, ['update service_collections set color=red where collection=archive']],
  ])('%s %j', (collection, payload, lines) => {
    expect(printPlan(state, planUpdateCollection(collection, payload))).toEqual(lines);
  });

  it.each<[string, object, string]>([
    ['tags', { collection: 'words' }, 'A collection cannot be renamed.'],
    [
      'tags',
      { schema: { comment: 'x' } },
      'Of a collection only meta and schema.primary_key can be changed; its columns are changed as fields.',
    ],
    ['service_users', { meta: { note: 'x' } }, 'Collection "service_users" belongs to the service and cannot be changed.'],
    ['tags', { meta: { collapse: null } }, 'meta.collapse has a value of the wrong kind.'],
    ['tags', { meta: { collection: 'x' } }, 'meta.collection cannot be chosen or changed.'],
    ['tags', { wrong: 1 }, '"wrong" is not known in a change of a collection.'],
  ])('%s %j is refused', (collection, payload, message) => {
    expect(printPlan(state, planUpdateCollection(collection, payload))).toEqual([`refused: Invalid payload. ${message}`]);
  });

  it('is forbidden where there is no such collection', () => {
    expect(printPlan(state, planUpdateCollection('nothing', {}))).toEqual([forbidden('nothing')]);
  });
});

describe('the plan of a deleted collection', () => {
  const own = (collection: string): readonly string[] => [
    `delete service_collections where collection=${collection}`,
    `update service_collections set group=null where group=${collection}`,
    `delete service_fields where collection=${collection}`,
  ];
  const belongings = (collection: string): readonly string[] =>
    ['permissions', 'presets', 'revisions', 'activity', 'versions', 'shares', 'comments'].map(
      (name) => `delete service_${name} where collection=${collection}`,
    );

  it.each<[string, readonly string[], readonly string[]]>([
    [
      'articles',
      [
        'drop from articles_tags foreign key (article) → articles (id) on delete SET NULL',
        'drop from comments foreign key (article) → articles (id) on delete SET NULL',
        'drop table articles',
      ],
      [
        'delete service_relations where many_collection=articles many_field=author',
        'delete service_fields where collection=authors field=articles',
        'delete service_relations where many_collection=articles_tags many_field=article',
        'delete service_relations where many_collection=comments many_field=article',
      ],
    ],
    [
      'teams',
      ['drop from authors foreign key (team) → teams (id) on delete SET NULL', 'drop table teams'],
      [
        'delete service_relations where many_collection=authors many_field=team',
        'update service_relations set one_allowed_collections=countries where many_collection=blocks many_field=item',
      ],
    ],
    ['lines', ['drop from parcels foreign key (order_line, place_line) → lines (order, place)', 'drop table lines'], []],
    ['summaries', ['drop table summaries'], []],
    ['archive', [], []],
  ])('%s', (collection, changes, relations) => {
    expect(printPlan(state, planDeleteCollection(collection))).toEqual([
      ...changes,
      ...own(collection),
      ...relations,
      ...belongings(collection),
    ]);
  });

  it.each(['service_users', 'nothing'])('%s is forbidden', (collection) => {
    expect(printPlan(state, planDeleteCollection(collection))).toEqual([forbidden(collection)]);
  });
});
