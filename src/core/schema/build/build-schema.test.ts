import { describe, expect, it } from 'vitest';
import { column, foreignKey, table } from '../../../../test/fixtures/raw-facts.js';
import type { RawTable } from '../raw.js';
import type { Field, Metadata, Schema } from '../schema.js';
import { ownHome } from '../system-home.js';
import { buildSchema } from './build-schema.js';

const authors = table('authors', ['id', 'name']);
const books = table('books', ['id', 'title', 'author'], { foreignKeys: [foreignKey('author', 'authors', { onDelete: 'SET NULL' })] });
const noMetadata: Metadata = { collections: [], fields: [], relations: [] };

const build = (tables: readonly RawTable[], metadata: Partial<Metadata> = {}): Schema =>
  buildSchema(1, { tables }, { ...noMetadata, ...metadata }, ownHome([]));

function field(schema: Schema, collection: string, name: string): Field {
  const found = schema.collections.get(collection)?.fields.get(name);
  if (!found) throw new Error(`no field ${collection}.${name}`);
  return found;
}

const relation = (schema: Schema, collection: string, name: string): unknown => {
  const found = field(schema, collection, name);
  return found.kind === 'presentation' ? null : found.relation;
};

const fieldNames = (schema: Schema, collection: string): readonly string[] => [
  ...(schema.collections.get(collection)?.fields.keys() ?? []),
];

describe('buildSchema: collections', () => {
  it('names tables of other schemas schema.table', () => {
    const schema = build([authors, table('authors', ['id'], { schema: 'archive' })]);
    expect([...schema.collections.keys()]).toEqual(['authors', 'archive.authors']);
  });

  it('makes views and tables without a key read-only', () => {
    const schema = build([authors, table('totals', ['sum'], { kind: 'view', primaryKey: [] }), table('log', ['line'], { primaryKey: [] })]);
    expect([...schema.collections.values()].map((collection) => [collection.name, collection.readOnly])).toEqual([
      ['authors', false],
      ['log', true],
      ['totals', true],
    ]);
  });

  it('keeps composite keys in key order', () => {
    const schema = build([table('seats', ['row', 'number'], { primaryKey: ['number', 'row'] })]);
    expect(schema.collections.get('seats')?.primaryKey).toEqual(['number', 'row']);
  });

  it('makes a folder of a metadata row without a table', () => {
    const schema = build([], { collections: [{ collection: 'shop', note: 'All of it' }] });
    expect(schema.collections.get('shop')).toMatchObject({ table: null, readOnly: true, note: 'All of it', primaryKey: [] });
  });

  it('takes singleton, sort field, accountability and versioning from the metadata', () => {
    const meta = { collection: 'authors', singleton: true, sort_field: 'name', accountability: 'activity', versioning: true };
    expect(build([authors], { collections: [meta] }).collections.get('authors')).toMatchObject({
      singleton: true,
      sortField: 'name',
      accountability: 'activity',
      versioning: true,
      meta,
    });
  });

  it('records everything without metadata, and nothing when the metadata says null', () => {
    expect(build([authors]).collections.get('authors')?.accountability).toBe('all');
    const silent = build([authors], { collections: [{ collection: 'authors', accountability: null }] });
    expect(silent.collections.get('authors')?.accountability).toBeNull();
  });

  it('ignores a sort field that is not a column', () => {
    const schema = build([authors], { collections: [{ collection: 'authors', sort_field: 'gone' }] });
    expect(schema.collections.get('authors')?.sortField).toBeNull();
  });

  it('shows tables with the system prefix that no definition knows', () => {
    expect([...build([authors, table('service_mine', ['id'])]).collections.keys()]).toEqual(['authors', 'service_mine']);
  });

  it('treats dangerous names like any other', () => {
    const schema = build([table('__proto__', ['id', 'constructor', '__proto__'])]);
    expect(fieldNames(schema, '__proto__')).toEqual(['id', 'constructor', '__proto__']);
    expect(schema.collections.get('toString')).toBeUndefined();
  });
});

describe('buildSchema: fields', () => {
  it('puts columns in table order, then aliases by sort and id', () => {
    const schema = build([authors], {
      fields: [
        { id: 3, collection: 'authors', field: 'notice', special: ['alias', 'no-data'], sort: null },
        { id: 2, collection: 'authors', field: 'divider', special: ['alias', 'no-data'], sort: 9 },
        { id: 1, collection: 'authors', field: 'name', sort: 1 },
      ],
    });
    expect(fieldNames(schema, 'authors')).toEqual(['id', 'name', 'divider', 'notice']);
    expect(field(schema, 'authors', 'divider')).toMatchObject({ kind: 'presentation', type: 'alias' });
  });

  it.each([
    ['cast-csv', column('x', { type: 'text' }), 'csv'],
    ['cast-json', column('x', { type: 'text' }), 'json'],
    ['cast-boolean', column('x', { type: 'integer' }), 'boolean'],
    ['cast-timestamp', column('x', { type: 'dateTime' }), 'timestamp'],
    ['cast-datetime', column('x', { type: 'timestamp' }), 'dateTime'],
    ['hash', column('x', { maxLength: 255 }), 'hash'],
    ['uuid', column('x', { maxLength: 36 }), 'uuid'],
    ['uuid', column('x', { maxLength: 255 }), 'string'],
    ['cast-boolean', column('x', { type: 'json' }), 'json'],
    ['date-created', column('x', { type: 'timestamp' }), 'timestamp'],
  ])('%s refines the type', (flag, raw, type) => {
    const schema = build([table('t', ['id', raw])], { fields: [{ collection: 't', field: 'x', special: [flag] }] });
    expect(field(schema, 't', 'x').type).toBe(type);
  });

  it('conceals what is flagged so, not every hash', () => {
    const schema = build([table('t', ['id', 'open', 'closed'])], {
      fields: [
        { collection: 't', field: 'open', special: ['hash'] },
        { collection: 't', field: 'closed', special: 'hash,conceal' },
      ],
    });
    expect(field(schema, 't', 'open')).toMatchObject({ type: 'hash', concealed: false });
    expect(field(schema, 't', 'closed')).toMatchObject({ type: 'hash', concealed: true });
  });

  it('reads comments that the metadata keeps for the column, and does not show them as metadata', () => {
    const row = { collection: 'authors', field: 'name', column_comment: 'full name' };
    const name = field(build([authors], { fields: [row] }), 'authors', 'name');
    expect(name).toMatchObject({ column: { comment: 'full name' }, meta: { field: 'name' } });
    expect(name.meta).not.toHaveProperty('column_comment');
  });

  it('takes a note from the metadata, else from the comment of the column', () => {
    const schema = build([table('t', [column('id', { comment: 'key' }), column('name', { comment: 'c' })])], {
      fields: [{ collection: 't', field: 'name', note: 'n' }],
    });
    expect([field(schema, 't', 'id').note, field(schema, 't', 'name').note]).toEqual(['key', 'n']);
  });
});

describe('buildSchema: relations that only foreign keys state', () => {
  it('mirrors both sides', () => {
    const schema = build([authors, books]);
    expect(relation(schema, 'books', 'author')).toEqual({
      kind: 'm2o',
      collection: 'books',
      field: 'author',
      related: 'authors',
      pairs: [{ column: 'author', target: 'id' }],
    });
    expect(relation(schema, 'authors', 'books')).toEqual({
      kind: 'o2m',
      collection: 'authors',
      field: 'books',
      related: 'books',
      relatedField: 'author',
      pairs: [{ column: 'author', target: 'id' }],
      sortField: null,
      deselect: { kind: 'nullify', columns: ['author'] },
      junctionField: null,
    });
    expect(schema.relations).toEqual([
      {
        collection: 'books',
        field: 'author',
        related: 'authors',
        foreignKey: foreignKey('author', 'authors', { onDelete: 'SET NULL' }),
        stated: false,
        meta: {
          id: null,
          many_collection: 'books',
          many_field: 'author',
          one_collection: 'authors',
          one_field: 'books',
          one_collection_field: null,
          one_allowed_collections: null,
          junction_field: null,
          sort_field: null,
          one_deselect_action: 'nullify',
        },
      },
    ]);
  });

  const twice = table('books', ['id', 'author', 'editor'], {
    foreignKeys: [foreignKey('author', 'authors'), foreignKey('editor', 'authors')],
  });

  it('names each of several lists after its key', () => {
    expect(fieldNames(build([authors, twice]), 'authors')).toEqual(['id', 'name', 'books_by_author', 'books_by_editor']);
  });

  it('keeps the name of a list whatever is configured for the others', () => {
    const row = { id: 1, many_collection: 'books', many_field: 'author', one_collection: 'authors' };
    for (const one_field of ['works', 'books', null]) {
      const schema = build([authors, twice], { relations: [{ ...row, one_field }] });
      expect(relation(schema, 'authors', 'books_by_editor')).toMatchObject({ relatedField: 'editor' });
    }
  });

  it('yields a name that metadata claims, and renames no other list', () => {
    const row = { id: 1, many_collection: 'books', many_field: 'author', one_collection: 'authors', one_field: 'books_by_editor' };
    const names = fieldNames(build([authors, twice], { relations: [row] }), 'authors');
    expect(names).toEqual(['id', 'name', 'books_by_editor', expect.stringMatching(/^books_by_editor_[0-9a-f]{6}$/)]);
  });

  it('reads a metadata row of the same name as the metadata of the list', () => {
    const schema = build([authors, books], { fields: [{ collection: 'authors', field: 'books', note: 'All of them' }] });
    expect(field(schema, 'authors', 'books')).toMatchObject({ kind: 'relation', note: 'All of them' });
  });

  it('distinguishes tables of other schemas, and names that a path could not spell', () => {
    const far = [foreignKey('author', 'authors')];
    const schema = build([
      authors,
      table('books', ['id', 'author'], { schema: 'old', foreignKeys: far }),
      table('a.b', ['id', 'author'], { foreignKeys: far }),
      table('a_b', ['id', 'author'], { foreignKeys: far }),
      table('x'.repeat(63), ['id', 'author'], { foreignKeys: [...far, foreignKey('id', 'authors')] }),
    ]);
    const names = fieldNames(schema, 'authors').slice(2);
    expect(names.slice(0, 2)).toEqual([
      expect.stringMatching(/^a_b_by_author_[0-9a-f]{6}$/),
      expect.stringMatching(/^a_b_by_author_[0-9a-f]{6}$/),
    ]);
    expect(names).toContain('old__books');
    expect(new Set(names).size).toBe(5);
    expect(names.every((name) => Buffer.byteLength(name) <= 63)).toBe(true);
  });

  it('never takes the name of a column or of a metadata row', () => {
    const withColumn = build([table('authors', ['id', 'books']), books]);
    expect(fieldNames(withColumn, 'authors')).toEqual(['id', 'books', 'books_by_author']);
    const withRow = build([authors, books], { fields: [{ collection: 'authors', field: 'books', special: ['alias', 'no-data'] }] });
    expect(field(withRow, 'authors', 'books').kind).toBe('presentation');
    expect(field(withRow, 'authors', 'books_by_author').kind).toBe('relation');
  });

  it('understands self references', () => {
    const staff = table('staff', ['id', 'boss'], { foreignKeys: [foreignKey('boss', 'staff')] });
    const schema = build([staff]);
    expect(relation(schema, 'staff', 'boss')).toMatchObject({ kind: 'm2o', related: 'staff' });
    expect(relation(schema, 'staff', 'staff')).toMatchObject({ kind: 'o2m', related: 'staff', relatedField: 'boss' });
  });

  it('points at the column a foreign key names, key or not', () => {
    const coded = table('books', ['id', 'author'], { foreignKeys: [foreignKey('author', 'authors', { foreignColumns: ['name'] })] });
    expect(relation(build([authors, coded]), 'books', 'author')).toMatchObject({ pairs: [{ column: 'author', target: 'name' }] });
  });

  it('leaves foreign keys to unknown tables alone', () => {
    expect(build([table('books', ['id', 'c'], { foreignKeys: [foreignKey('c', 'elsewhere')] })]).relations).toEqual([]);
  });

  it('makes a field of its own of a foreign key of several columns', () => {
    const wide = table('books', ['id', 'a', 'b'], { foreignKeys: [foreignKey(['a', 'b'], 'authors', { foreignColumns: ['id', 'name'] })] });
    const schema = build([authors, wide]);
    const pairs = [
      { column: 'a', target: 'id' },
      { column: 'b', target: 'name' },
    ];
    expect(fieldNames(schema, 'books')).toEqual(['id', 'a', 'b', 'a_b']);
    expect(field(schema, 'books', 'a_b')).toMatchObject({
      kind: 'reference',
      type: 'alias',
      relation: { kind: 'm2o', pairs },
      clears: ['a', 'b'],
    });
    expect(relation(schema, 'authors', 'books')).toMatchObject({ relatedField: 'a_b', pairs });
    expect(relation(schema, 'books', 'a')).toBeNull();
  });

  it('marks the name of such a field where a column has it, or another key over the same columns', () => {
    const targets = { foreignColumns: ['id', 'name'] };
    const keys = [foreignKey(['a', 'b'], 'authors', targets), foreignKey(['a', 'b'], 'people', targets)];
    const schema = build([authors, table('people', ['id', 'name']), table('books', ['id', 'a', 'b'], { foreignKeys: keys })]);
    expect(fieldNames(schema, 'books').slice(3)).toEqual([
      expect.stringMatching(/^a_b_[0-9a-f]{6}$/),
      expect.stringMatching(/^a_b_[0-9a-f]{6}$/),
    ]);
    const column = build([authors, table('books', ['id', 'a', 'b', 'a_b'], { foreignKeys: keys.slice(0, 1) })]);
    expect(fieldNames(column, 'books').slice(3)).toEqual(['a_b', expect.stringMatching(/^a_b_[0-9a-f]{6}$/)]);
  });

  const strict = (name: string) => column(name, { nullable: false });

  it('empties what can be null of a key, and of that what no other key needs', () => {
    const keys = [foreignKey(['tenant', 'a'], 'things', { foreignColumns: ['tenant', 'id'] }), foreignKey('tenant', 'tenants')];
    const things = table('things', ['tenant', 'id'], { primaryKey: ['tenant', 'id'] });
    const clears = (columns: readonly Parameters<typeof table>[1][number][]): unknown =>
      field(build([things, table('tenants', ['id']), table('uses', ['id', ...columns], { foreignKeys: keys })]), 'uses', 'tenant_a');
    expect(clears(['tenant', 'a'])).toMatchObject({ clears: ['a'] });
    expect(clears(['tenant', strict('a')])).toMatchObject({ clears: ['tenant'] });
    expect(clears([strict('tenant'), strict('a')])).toMatchObject({ clears: [] });
  });

  it('refuses to remove an item that requires its parent, and deletes the row of a junction', () => {
    const owned = table('books', ['id', strict('author')], { foreignKeys: [foreignKey('author', 'authors')] });
    expect(relation(build([authors, owned]), 'authors', 'books')).toMatchObject({ deselect: { kind: 'refuse' } });
    const inKey = table('books', ['author', 'no'], { primaryKey: ['author', 'no'], foreignKeys: [foreignKey('author', 'authors')] });
    expect(relation(build([authors, inKey]), 'authors', 'books')).toMatchObject({ deselect: { kind: 'refuse' } });
    const junction = table('signs', ['author', 'book'], {
      primaryKey: ['author', 'book'],
      foreignKeys: [foreignKey('author', 'authors'), foreignKey('book', 'books')],
    });
    const schema = build([authors, books, junction]);
    expect(relation(schema, 'authors', 'signs')).toMatchObject({ deselect: { kind: 'delete' }, junctionField: 'book' });
    expect(schema.relations.find((entry) => entry.field === 'author' && entry.collection === 'signs')?.meta).toMatchObject({
      one_field: 'signs',
      junction_field: 'book',
      one_deselect_action: 'delete',
    });
  });

  it('finds targets in other schemas', () => {
    const far = table('books', ['id', 'author'], { foreignKeys: [foreignKey('author', 'authors', { foreignSchema: 'people' })] });
    const schema = build([table('authors', ['id'], { schema: 'people' }), far]);
    expect(relation(schema, 'books', 'author')).toMatchObject({ related: 'people.authors' });
    expect(relation(schema, 'people.authors', 'books')).toMatchObject({ related: 'books' });
  });

  const legs = [foreignKey('book', 'books'), foreignKey('tag', 'tags')];
  const shared = ['tenant', 'book', 'tag'];
  const wideLegs = [
    foreignKey(['tenant', 'book'], 'books', { foreignColumns: ['id', 'title'] }),
    foreignKey(['tenant', 'tag'], 'tags', { foreignColumns: ['id', 'name'] }),
    foreignKey('tenant', 'authors'),
  ];
  it.each([
    ['over composite legs', table('book_tags', shared, { primaryKey: shared, foreignKeys: wideLegs }), 'tenant_tag'],
    [
      'with a third key',
      table('book_tags', ['book', 'tag', 'by'], { primaryKey: ['book', 'tag'], foreignKeys: [...legs, foreignKey('by', 'authors')] }),
      'tag',
    ],
    ['whose key is its legs', table('book_tags', ['book', 'tag', 'weight'], { primaryKey: ['book', 'tag'], foreignKeys: legs }), 'tag'],
    ['with a key of its own', table('book_tags', ['id', 'book', 'tag'], { foreignKeys: legs }), 'tag'],
    ['that holds more', table('book_tags', ['id', 'book', 'tag', 'weight'], { foreignKeys: legs }), null],
  ])('recognises a junction %s', (_, junction, junctionField) => {
    const schema = build([books, authors, table('tags', ['id', 'name']), junction]);
    expect(relation(schema, 'books', 'book_tags')).toMatchObject({ related: 'book_tags', junctionField });
  });
});

describe('buildSchema: relations that metadata states', () => {
  const row = {
    id: 1,
    many_collection: 'books',
    many_field: 'author',
    one_collection: 'authors',
    one_field: 'works',
    sort_field: 'title',
    one_deselect_action: 'delete',
  };

  it('takes names, order and deselect action from the row', () => {
    const schema = build([authors, books], { relations: [row] });
    expect(fieldNames(schema, 'authors')).toEqual(['id', 'name', 'works']);
    expect(relation(schema, 'authors', 'works')).toMatchObject({ sortField: 'title', deselect: { kind: 'delete' } });
    expect(schema.relations).toHaveLength(1);
    expect(schema.relations[0]).toMatchObject({ meta: row, foreignKey: { onDelete: 'SET NULL' } });
  });

  it('infers no list when the row names none', () => {
    const schema = build([authors, books], { relations: [{ ...row, one_field: null }] });
    expect(fieldNames(schema, 'authors')).toEqual(['id', 'name']);
    expect(relation(schema, 'books', 'author')).toMatchObject({ kind: 'm2o' });
  });

  it('needs no foreign key', () => {
    const schema = build([authors, table('books', ['id', 'author'])], { relations: [row] });
    expect(relation(schema, 'books', 'author')).toMatchObject({
      kind: 'm2o',
      related: 'authors',
      pairs: [{ column: 'author', target: 'id' }],
    });
    expect(schema.relations[0]?.foreignKey).toBeNull();
  });

  it('ignores rows about missing collections and fields', () => {
    const gone = [
      { ...row, many_field: 'gone' },
      { ...row, many_collection: 'gone' },
      { ...row, one_collection: 'gone' },
    ];
    for (const stale of gone) expect(build([authors, table('books', ['id', 'author'])], { relations: [stale] }).relations).toEqual([]);
  });

  it('keeps a column that an alias claims the name of', () => {
    const schema = build([authors, books], { relations: [{ ...row, one_field: 'name' }] });
    expect(field(schema, 'authors', 'name').kind).toBe('column');
  });

  it('reads both legs of a many-to-any', () => {
    const pages = table('pages', ['id']);
    const blocks = table('blocks', ['id', 'page', 'item', 'collection', 'sort']);
    const schema = build([pages, blocks, books], {
      relations: [
        {
          many_collection: 'blocks',
          many_field: 'page',
          one_collection: 'pages',
          one_field: 'blocks',
          junction_field: 'item',
          sort_field: 'sort',
        },
        {
          many_collection: 'blocks',
          many_field: 'item',
          one_collection: null,
          one_collection_field: 'collection',
          one_allowed_collections: ['books', 'authors'],
          junction_field: 'page',
        },
      ],
    });
    expect(relation(schema, 'blocks', 'item')).toEqual({
      kind: 'm2a',
      collection: 'blocks',
      field: 'item',
      collectionField: 'collection',
      allowed: ['books', 'authors'],
    });
    expect(relation(schema, 'pages', 'blocks')).toMatchObject({ junctionField: 'item', sortField: 'sort' });
    expect(schema.relations.map((entry) => entry.related)).toEqual(['pages', null]);
  });
});
