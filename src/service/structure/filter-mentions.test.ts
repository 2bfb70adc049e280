import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../test/fixtures/newsroom-schema.js';
import { mentionsField } from './filter-mentions.js';

const mentions = (filter: unknown, on: string, collection: string, field: string): boolean =>
  mentionsField(filter, on, collection, field, newsroomSchema);

describe('a filter speaks of a field', () => {
  it.each([
    [{ status: { _eq: 'x' } }, 'articles', 'articles', 'status'],
    [{ _and: [{ _or: [{ status: { _null: true } }] }] }, 'articles', 'articles', 'status'],
    [{ 'year(made)': { _gt: 2000 } }, 'articles', 'articles', 'made'],
    [{ author: { name: { _eq: 'x' } } }, 'articles', 'authors', 'name'],
    [{ articles: { _some: { status: { _eq: 'x' } } } }, 'authors', 'articles', 'status'],
    [{ 'item:pages': { title: { _eq: 'x' } } }, 'blocks', 'pages', 'title'],
  ])('%j on %s: %s.%s', (filter, on, collection, field) => {
    expect(mentions(filter, on, collection, field)).toBe(true);
  });

  it.each([
    [null, 'articles', 'articles', 'status'],
    [{ title: { _eq: 'status' } }, 'articles', 'articles', 'status'],
    [{ author: { name: { _eq: 'x' } } }, 'articles', 'articles', 'name'],
    [{ name: { _eq: 'x' } }, 'tags', 'authors', 'name'],
  ])('but not %j on %s: %s.%s', (filter, on, collection, field) => {
    expect(mentions(filter, on, collection, field)).toBe(false);
  });
});
