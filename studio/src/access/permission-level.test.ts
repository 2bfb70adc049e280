import { expect, it } from 'vitest';
import type { StoredPermission } from './access-data.js';
import { levelOf, missingActions, permissionsFor } from './permission-level.js';

const stored = (details: Partial<StoredPermission>): StoredPermission => ({
  id: 1,
  collection: 'articles',
  action: 'read',
  permissions: {},
  validation: null,
  presets: null,
  fields: ['*'],
  ...details,
});

it('knows everything from something', () => {
  expect(levelOf([])).toBe('none');
  expect(levelOf([stored({})])).toBe('all');
  expect(levelOf([stored({ permissions: null })])).toBe('all');
  expect(levelOf([stored({ permissions: { status: { _eq: 'published' } } })])).toBe('some');
  expect(levelOf([stored({ fields: ['title'] })])).toBe('some');
  expect(levelOf([stored({ validation: { title: { _nnull: true } } })])).toBe('some');
  expect(levelOf([stored({ action: 'delete', fields: null })])).toBe('all');
});

it('is as wide as the widest of several permissions', () => {
  expect(levelOf([stored({ fields: ['title'] }), stored({})])).toBe('all');
});

it('finds what a row lacks', () => {
  const all = [stored({}), stored({ action: 'update' }), stored({ collection: 'pages', action: 'create' })];
  expect(permissionsFor(all, 'articles', 'read')).toHaveLength(1);
  expect(missingActions(all, 'articles')).toEqual(['create', 'delete', 'share']);
  expect(missingActions(all, 'articles', ['read'])).toEqual([]);
});
