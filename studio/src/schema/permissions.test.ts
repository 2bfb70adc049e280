import { expect, it } from 'vitest';
import { buildSchema } from './build-schema.js';
import { onlyReading, schemaSeenBy } from './permissions.js';

const column = (collection: string, field: string, isKey = false) => ({
  collection,
  field,
  type: 'string',
  meta: null,
  schema: { is_primary_key: isKey },
});

const schema = buildSchema(
  [
    { collection: 'news', meta: null, schema: null },
    { collection: 'archive', meta: null, schema: null },
    { collection: 'articles', meta: { group: 'news' }, schema: {} },
    { collection: 'secrets', meta: { group: 'archive' }, schema: {} },
  ],
  [column('articles', 'id', true), column('articles', 'title'), column('articles', 'price'), column('secrets', 'id', true)],
  [],
  'en',
);

const permissions = {
  articles: { read: { access: 'partial', fields: ['id', 'title'] }, update: { access: 'full', fields: ['*'] } },
  secrets: { read: { access: 'none' } },
} as const;

it('keeps the collections and fields that may be read, and folders that hold any', () => {
  const seen = schemaSeenBy(schema, permissions);
  expect([...seen.keys()]).toEqual(['news', 'articles']);
  expect(seen.get('articles')?.fields.map(({ name }) => name)).toEqual(['id', 'title']);
  expect(seen.get('articles')?.key).toBe('id');
});

it('has no key where the key may not be read', () => {
  const seen = schemaSeenBy(schema, { articles: { read: { access: 'full', fields: ['title'] } } });
  expect(seen.get('articles')?.key).toBeNull();
  expect(schemaSeenBy(schema, { articles: { read: { access: 'full', fields: ['*'] } } }).get('articles')).toBe(schema.get('articles'));
});

it('writes nothing while viewing as another user', () => {
  expect(onlyReading(permissions)).toEqual({ articles: { read: permissions.articles.read }, secrets: { read: { access: 'none' } } });
});
