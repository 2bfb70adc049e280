import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../test/fixtures/print-change-set.js';
import { foreignKey, table } from '../../../../test/fixtures/raw-facts.js';
import { structureState } from '../../../../test/fixtures/structure-state.js';
import { sqliteDdl } from '../../../dialects/sqlite/ddl/ddl.js';
import { planDeleteField } from './plan-delete-field.js';
import { planCreateIndex, planDeleteIndex } from './plan-index.js';
import { makeState, type StructureState } from './structure-state.js';

const state = structureState();
const index = (fields: readonly string[], more: { readonly name?: string; readonly unique?: boolean } = {}) => ({
  name: null,
  unique: false,
  ...more,
  fields,
});

describe('the plan of a new index', () => {
  it.each<[string, Parameters<typeof planCreateIndex>[1], string]>([
    ['names itself', index(['status']), 'create index articles_status_index on articles (status)'],
    ['keeps the order of the fields', index(['title', 'status']), 'create index articles_title_status_index on articles (title, status)'],
    ['may be unique', index(['title'], { unique: true }), 'create unique index articles_title_unique_index on articles (title)'],
    ['takes a name', index(['status'], { name: 'by_status' }), 'create index by_status on articles (status)'],
    [
      'refuses a name that is taken, whatever its case',
      index(['status'], { name: 'Parcels_Lines' }),
      'refused: Invalid payload. The name "Parcels_Lines" is taken: choose another one for the index.',
    ],
    [
      'refuses the name of a table',
      index(['status'], { name: 'teams' }),
      'refused: Invalid payload. The name "teams" is taken: choose another one for the index.',
    ],
    ['refuses a reserved name', index(['status'], { name: 'PRIMARY' }), 'refused: Invalid payload. The index name "PRIMARY" is reserved.'],
    [
      'refuses what is no name',
      index(['status'], { name: 'a"; drop' }),
      'refused: Invalid payload. The index name "a"; drop" must begin with a letter or underscore and hold only letters, digits, underscores, hyphens and spaces.',
    ],
    ['refuses a field that is there twice', index(['status', 'status']), 'refused: Invalid payload. Field "status" is there twice.'],
    [
      'refuses what the key holds already',
      index(['id']),
      'refused: Invalid payload. Collection "articles" has such an index already: of the primary key.',
    ],
    [
      'refuses an unknown field',
      index(['nope']),
      'refused: You don\'t have permission to access field "nope" in collection "articles" or it does not exist.',
    ],
    ['refuses a list', index(['comments']), 'refused: Invalid payload. Field "comments" has no column, so no index can hold it.'],
  ])('%s', (_name, draft, line) => {
    expect(printPlan(state, planCreateIndex('articles', draft))).toEqual([line]);
  });

  it('refuses a second one over the same fields, also within one list', () => {
    expect(printPlan(state, planCreateIndex('parcels', index(['order_line', 'place_line'])))).toEqual([
      'refused: Invalid payload. Collection "parcels" has such an index already: parcels_lines.',
    ]);
    const same = planCreateIndex('articles', index(['status']));
    expect(printPlan(state, same, same)).toEqual([
      'refused: Invalid payload. Collection "articles" has such an index already: articles_status_index.',
    ]);
  });

  it('cuts a name that would be too long, always in the same way', () => {
    const [line] = printPlan(state, planCreateIndex('articles', index(['title', 'status', 'shout', 'author', 'id'])));
    const long = table('a_collection_with_quite_a_long_name', ['id', 'a_field_with_quite_a_long_name_too']);
    const [cut] = printPlan(stateWith([long]), planCreateIndex(long.name, index(['a_field_with_quite_a_long_name_too'])));
    expect(line).toContain('articles_title_status_shout_author_id_index');
    expect(cut).toMatch(/^create index index_[0-9a-f]{16} on /);
  });

  it('is refused for a view, a folder and what belongs to the service', () => {
    expect(printPlan(state, planCreateIndex('summaries', index(['title'])))[0]).toContain('permission');
    expect(printPlan(state, planCreateIndex('archive', index(['title'])))[0]).toContain('permission');
    expect(printPlan(state, planCreateIndex('service_users', index(['email'])))).toEqual([
      'refused: Invalid payload. Collection "service_users" belongs to the service, and so do its indexes.',
    ]);
  });
});

describe('the plan to drop an index', () => {
  const plain = { unique: false, partial: false };
  const books = table('books', ['id', 'isbn', 'shelf', 'author'], {
    foreignKeys: [foreignKey(['author'], 'writers', {})],
    indexes: [
      { name: 'books_pkey', columns: ['id'], unique: true, partial: false, constraint: true },
      { name: 'books_isbn_key', columns: ['isbn'], unique: true, partial: false, constraint: true },
      { name: 'books_shelf_unique', columns: ['shelf'], unique: true, partial: false },
      { name: 'books_author', columns: ['author'], ...plain },
    ],
  });
  const writers = table('writers', ['id', 'code'], {
    indexes: [{ name: 'writers_code', columns: ['code'], unique: true, partial: false }],
  });
  const notes = table('notes', ['id', 'writer'], { foreignKeys: [foreignKey(['writer'], 'writers', { foreignColumns: ['code'] })] });
  const tables = [books, writers, notes];
  const drop = (name: string, collection = 'books', keysNeedIndexes = false): readonly string[] =>
    printPlan(stateWith(tables, keysNeedIndexes), planDeleteIndex(collection, name));

  it('keeps what a key or a constraint rests on, and says why', () => {
    expect(drop('books_pkey')).toEqual([
      'refused: Invalid payload. Index "books_pkey" cannot be dropped: it is the primary key of its collection.',
    ]);
    for (const [name, field] of [
      ['books_isbn_key', 'isbn'],
      ['books_shelf_unique', 'shelf'],
    ])
      expect(drop(String(name))).toEqual([
        `refused: Invalid payload. Index "${name}" cannot be dropped: it makes "${field}" unique. Where that is the rule of one field, set "is_unique" of the field to false instead.`,
      ]);
    expect(drop('writers_code', 'writers')[0]).toContain('a foreign key needs it over "code"');
    expect(drop('books_author', 'books', true)[0]).toContain('a foreign key needs it over "author"');
  });

  it('drops any other', () => {
    expect(drop('books_author')).toEqual(['drop index books_author on books']);
  });

  it('drops one whose place another takes', () => {
    const made = planCreateIndex('books', index(['author', 'shelf']));
    expect(printPlan(stateWith(tables, true), made, planDeleteIndex('books', 'books_author'))).toEqual([
      'create index books_author_shelf_index on books (author, shelf)',
      'drop index books_author on books',
    ]);
  });

  it('does not know one that has gone with its field', () => {
    expect(printPlan(stateWith(tables), planDeleteField('books', 'author'), planDeleteIndex('books', 'books_author'))[0]).toContain(
      'index "books_author" in collection "books" or it does not exist',
    );
  });
});

function stateWith(tables: StructureState['database']['tables'], keysNeedIndexes = false): StructureState {
  const metadata = { collections: [], fields: [], relations: [] };
  return makeState({ ...state, ddl: { ...sqliteDdl, keysNeedIndexes } }, { database: { tables }, metadata, permissions: [] });
}
