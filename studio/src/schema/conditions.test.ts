import { describe, expect, it } from 'vitest';
import { buildSchema } from './build-schema.js';
import { activeCondition, withCondition } from './conditions.js';
import { matches } from './match-filter.js';

const column = (extra: object = {}) => ({ is_nullable: true, default_value: null, ...extra });
const conditions = [
  { rule: { status: { _eq: 'sold' } }, readonly: true },
  { rule: { _and: [{ status: { _in: ['sold', 'gone'] } }, { pages: { _gt: 100 } }] }, hidden: true, options: { choices: ['a'] } },
];
const schema = buildSchema(
  [
    { collection: 'books', meta: null, schema: {} },
    { collection: 'authors', meta: null, schema: {} },
  ],
  [
    { collection: 'books', field: 'status', type: 'string', meta: null, schema: column({ default_value: 'draft' }) },
    { collection: 'books', field: 'pages', type: 'integer', meta: null, schema: column() },
    { collection: 'books', field: 'author', type: 'integer', meta: null, schema: column() },
    { collection: 'books', field: 'price', type: 'decimal', meta: { conditions, required: true }, schema: column() },
    { collection: 'authors', field: 'id', type: 'integer', meta: null, schema: column({ is_primary_key: true }) },
    { collection: 'authors', field: 'name', type: 'string', meta: null, schema: column() },
  ],
  [{ collection: 'books', field: 'author', related_collection: 'authors', meta: null }],
  'en',
);
const books = schema.get('books');
const price = books?.fieldsByName.get('price');
if (books === undefined || price === undefined) throw new Error('no books');
const context = { schema, user: 'me', now: new Date('2026-01-01T00:00:00Z') };
const fits = (filter: unknown, values: Readonly<Record<string, unknown>>) => matches(context, books, filter, values);

describe('conditions of a field', () => {
  it.each([
    [{ status: 'new' }, -1],
    [{ status: 'sold' }, 0],
    [{ status: 'sold', pages: 101 }, 1],
    [{ status: 'gone', pages: 100 }, -1],
  ])('%j: the last rule that matches wins (%i)', (values, index) => expect(activeCondition(context, books, price, values)).toBe(index));

  it('change only what they name', () => {
    expect(withCondition(price, -1)).toBe(price);
    expect(withCondition(price, 0)).toMatchObject({ readonly: true, hidden: false, required: true, choices: null });
    expect(withCondition(price, 1)).toMatchObject({ readonly: false, hidden: true, choices: [{ value: 'a', text: 'A' }] });
  });
});

describe('a filter over the values of a form', () => {
  it.each<[unknown, Readonly<Record<string, unknown>>, boolean]>([
    [{ status: { _eq: 'draft' } }, {}, true],
    [{ status: { _neq: 'draft' } }, { status: null }, true],
    [{ pages: { _eq: '12' } }, { pages: 12 }, true],
    [{ pages: { _lt: 20 } }, { pages: '9' }, true],
    [{ pages: { _lt: 20 } }, { pages: null }, false],
    [{ pages: { _between: [1, 5] } }, { pages: 5 }, true],
    [{ pages: { _nbetween: [1, 5] } }, { pages: 6 }, true],
    [{ pages: { _null: true } }, { pages: 0 }, false],
    [{ pages: { _nnull: true } }, { pages: 0 }, true],
    [{ status: { _nempty: true } }, { status: '' }, false],
    [{ status: { _icontains: 'OL' } }, { status: 'sold' }, true],
    [{ status: { _regex: '^s.ld$' } }, { status: 'sold' }, true],
    [{ status: { _regex: '(' } }, { status: 'sold' }, false],
    [{ author: { _eq: 7 } }, { author: { id: 7, name: 'Jane' } }, true],
    [{ author: { name: { _starts_with: 'Ja' } } }, { author: { id: 7, name: 'Jane' } }, true],
    [{ author: { name: { _starts_with: 'Ja' } } }, { author: 7 }, false],
    [{ _or: [{ status: { _eq: '$CURRENT_USER' } }, { pages: { _eq: 1 } }] }, { status: 'me' }, true],
    [{ status: { _unheard: 'x' } }, { status: 'x' }, false],
    [null, {}, false],
  ])('%j on %j: %s', (filter, values, expected) => expect(fits(filter, values)).toBe(expected));
});
