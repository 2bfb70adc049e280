import { expect, it } from 'vitest';
import { buildSchema } from './build-schema.js';
import { fieldsFor, may, mayAll, onlyReading, schemaSeenBy } from './permissions.js';

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

it.each(['service', 'directus'])('knows the rights in system collections that begin with %s', (prefix) => {
  const rights = {
    [`${prefix}_files`]: {
      create: { access: 'full', fields: ['*'] },
      update: { access: 'partial', fields: ['title'] },
      delete: { access: 'none' },
    },
    // A collection of the project has no right to that name.
    files: { delete: { access: 'full' } },
  } as const;
  expect((['create', 'update', 'delete', 'share'] as const).map((action) => may(rights, 'files', action))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([mayAll(rights, 'files', 'create'), mayAll(rights, 'files', 'update'), may(rights, { name: 'files' }, 'delete')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(['title', 'type'].map(fieldsFor(rights, 'files', 'update'))).toEqual([true, false]);
  expect(['title', 'type'].map(fieldsFor(rights, 'files', 'delete'))).toEqual([false, false]);
  expect(fieldsFor(rights, { name: 'files' }, 'delete')('any')).toBe(true);
});
