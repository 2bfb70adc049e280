import { describe, expect, it } from 'vitest';
import { buildSchema } from './build-schema.js';
import { titleOf } from './read-meta.js';
import { parseTemplate, pathsOfField, renderTemplate, templateOf } from './templates.js';

const column = (extra: object = {}) => ({ is_nullable: true, default_value: null, ...extra });
const field = (collection: string, name: string, type: string, schema: object | null, meta: object | null = null) => ({
  collection,
  field: name,
  type,
  schema: schema as Record<string, unknown> | null,
  meta: meta as Record<string, unknown> | null,
});

const schema = buildSchema(
  [
    { collection: 'books', meta: null, schema: {} },
    { collection: 'authors', meta: { display_template: '{{first}} {{last}}' }, schema: {} },
    { collection: 'book_tags', meta: { hidden: true }, schema: {} },
    { collection: 'tags', meta: null, schema: {} },
  ],
  [
    field('books', 'id', 'integer', column({ is_primary_key: true, is_nullable: false, has_auto_increment: true })),
    field('books', 'title', 'string', column({ is_nullable: false })),
    field('books', 'author', 'integer', column()),
    field('books', 'tags', 'alias', null, { sort: 1, special: 'alias,m2m' }),
    field('authors', 'id', 'integer', column({ is_primary_key: true })),
    field('authors', 'first', 'string', column()),
    field('authors', 'last', 'string', column()),
    field('authors', 'books', 'alias', null),
    field('tags', 'id', 'integer', column({ is_primary_key: true })),
  ],
  [
    { collection: 'books', field: 'author', related_collection: 'authors', meta: { one_field: 'books' } },
    { collection: 'book_tags', field: 'book', related_collection: 'books', meta: { one_field: 'tags', junction_field: 'tag' } },
    { collection: 'book_tags', field: 'tag', related_collection: 'tags', meta: { one_field: null, junction_field: 'book' } },
  ],
  'en-US',
);

const find = (collection: string, name: string) => {
  const found = schema.get(collection)?.fieldsByName.get(name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
};

describe('the schema of the boot answer', () => {
  it('reads flags that are joined by commas', () => {
    expect(find('books', 'tags').special).toEqual(['alias', 'm2m']);
  });

  it('finds what each field refers to', () => {
    expect(find('books', 'author').relation).toEqual({ kind: 'm2o', related: 'authors' });
    expect(find('authors', 'books').relation).toEqual({
      kind: 'o2m',
      related: 'books',
      foreignKey: 'author',
      sortField: null,
      languageField: null,
    });
    expect(find('books', 'tags').relation).toEqual({
      kind: 'm2m',
      junction: 'book_tags',
      foreignKey: 'book',
      junctionField: 'tag',
      related: 'tags',
      sortField: null,
      any: null,
    });
  });

  it('puts fields with a place there and keeps the order of the table for the others', () => {
    expect(schema.get('books')?.fields.map((each) => each.name)).toEqual(['id', 'tags', 'title', 'author']);
  });

  it('requires what the database demands, but no key that it generates', () => {
    expect(find('books', 'title').required).toBe(true);
    expect(find('books', 'id').required).toBe(false);
  });

  it('shows the values of an enumeration as they are stored, and titles keys of choices that have no text', () => {
    const choices = ['PG-13', 'NC_17'];
    const [film] = buildSchema(
      [{ collection: 'films', meta: null, schema: {} }],
      [
        field('films', 'rating', 'string', column({ choices })),
        field('films', 'mood', 'string', column(), { options: { choices: ['dark_humour', { value: 'sad', text: 'Sad' }] } }),
      ],
      [],
      'en-US',
    ).values();
    expect(film?.fieldsByName.get('rating')?.choices).toEqual(choices.map((value) => ({ value, text: value })));
    expect(film?.fieldsByName.get('mood')?.choices?.map(({ text }) => text)).toEqual(['Dark Humour', 'Sad']);
  });

  it.each([
    ['published_on', 'Published On'],
    ['authorId', 'Author ID'],
    ['isbn', 'ISBN'],
    ['order details', 'Order Details'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['Price (EUR)', 'Price (EUR)'],
  ])('calls %s %s', (name, title) => expect(titleOf(name)).toBe(title));
});

describe('templates', () => {
  const authors = schema.get('authors');
  const books = schema.get('books');
  if (authors === undefined || books === undefined) throw new Error('no collections');

  it('renders configured ones and guesses the others', () => {
    expect(renderTemplate(templateOf(authors), { first: 'Ursula', last: 'Le Guin' })).toBe('Ursula Le Guin');
    expect(renderTemplate(templateOf(authors), { first: null, last: 'Homer' })).toBe('Homer');
    expect(templateOf(books)).toEqual([{ kind: 'field', path: ['title'] }]);
  });

  it.each([
    [['id', 'email', 'first_name', 'last_name'], { email: 'a@b.c', first_name: 'MARY', last_name: 'SMITH' }, 'MARY SMITH'],
    [['id', 'email', 'first_name', 'last_name'], { email: 'a@b.c', first_name: null, last_name: null }, 'a@b.c'],
    [['id', 'title', 'firstName', 'lastName'], { title: 'Sales Manager', firstName: 'Nancy', lastName: 'Davolio' }, 'Nancy Davolio'],
    [['id', 'postal_code', 'phone', 'address'], { postal_code: '12345', phone: '1', address: '28 MySQL Boulevard' }, '28 MySQL Boulevard'],
    [['id', 'email', 'company_name'], { email: 'a@b.c', company_name: 'Around the Horn' }, 'Around the Horn'],
  ])('guesses a title from %j', (names, item, title) => {
    const fields = names.map((name) => field('people', name, 'string', column({ is_primary_key: name === 'id' })));
    const people = buildSchema([{ collection: 'people', meta: null, schema: {} }], fields, [], 'en').get('people');
    expect(people === undefined ? null : renderTemplate(templateOf(people), item)).toBe(title);
  });

  it('calls a reference after what it refers to', () => {
    const fields = [
      field('films', 'language_id', 'integer', column()),
      field('films', 'owner_id', 'integer', column()),
      field('films', 'owner', 'string', column()),
    ];
    const relations = ['language_id', 'owner_id'].map((name) => ({
      collection: 'films',
      field: name,
      related_collection: 'x',
      meta: null,
    }));
    const films = buildSchema([{ collection: 'films', meta: null, schema: {} }], fields, relations, 'en').get('films');
    expect(films?.fields.map(({ title }) => title)).toEqual(['Language', 'Owner ID', 'Owner']);
  });

  it('asks for the fields of a related title', () => {
    expect(pathsOfField(schema, find('books', 'author'))).toEqual(['author.id', 'author.first', 'author.last']);
    expect(pathsOfField(schema, find('books', 'title'))).toEqual(['title']);
  });

  it('keeps the text between fields', () => {
    expect(parseTemplate('{{ a.b }}: x')).toEqual([
      { kind: 'field', path: ['a', 'b'] },
      { kind: 'text', text: ': x' },
    ]);
  });
});
