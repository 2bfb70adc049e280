import { describe, expect, it } from 'vitest';
import { buildSchema } from '../schema/build-schema.js';
import { draftsIn, recentOf, requestOfRecent } from './own-work.js';

const field = (collection: string, name: string, isKey = false) => ({
  collection,
  field: name,
  type: 'string',
  meta: null,
  schema: { is_primary_key: isKey },
});
const table = (collection: string, singleton = false) => ({ collection, meta: { singleton }, schema: { name: collection } });
const schema = buildSchema(
  [table('books'), table('shop', true), table('service_users'), table('service_settings', true)],
  [
    field('books', 'id', true),
    field('books', 'title'),
    field('shop', 'name'),
    field('service_users', 'id', true),
    field('service_users', 'email'),
  ],
  [],
  'en',
);

describe('what somebody edited last', () => {
  const entry = (action: string, collection: string, item: string, title?: string) => ({
    action,
    timestamp: '2026-01-02T03:04:05Z',
    collection,
    item,
    ...(title === undefined ? {} : { revisions: [{ data_title_json: title, data_name_json: null }] }),
  });

  it('is each item once, by its title or else its key, without what is gone', () => {
    const entries = [
      entry('update', 'books', '2', 'Emma'),
      entry('delete', 'books', '3'),
      entry('update', 'books', '3', 'Typee'),
      entry('create', 'books', '2', 'Emma, a draft'),
      entry('update', 'books', 'a/b'),
      entry('update', 'service_users', '1'),
      entry('update', 'unknown', '1'),
      entry('update', 'shop', '1'),
    ];
    expect(recentOf(schema, entries).map(({ title, href }) => [title, href])).toEqual([
      ['Emma', '/c/books/2'],
      ['a/b', '/c/books/a%2Fb'],
      ['Shop', '/c/shop'],
    ]);
  });

  it('is asked for with the titles, where revisions may be read', () => {
    const fields = (mayRead: boolean) => requestOfRecent(schema, 'me', mayRead).query.fields.slice(4);
    expect(fields(true)).toEqual(['json(revisions.data, title)', 'json(revisions.data, name)']);
    expect(fields(false)).toEqual([]);
  });
});

describe('the drafts in a browser', () => {
  const stored = (values: Readonly<Record<string, unknown>>) => {
    const entries = Object.entries(values).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    );
    return {
      length: entries.length,
      key: (index: number) => entries[index]?.[0] ?? null,
      getItem: (name: string) => entries.find(([key]) => key === name)?.[1] ?? null,
    };
  };

  it('are those of the person, newest first, with the way to each', () => {
    const draft = (time: string, edits: object, origin: object = {}) => ({ edits, origin, time });
    const drafts = draftsIn(
      stored({
        'draft:me:/items/books/2': draft('2026-01-01', { pages: 1 }, { title: 'Emma' }),
        'draft:me:books/+': draft('2026-01-02', { title: 'New one' }),
        'draft:me:/items/books/3?version=next': draft('2026-01-03', { pages: 1 }),
        'draft:me:/items/books/6': { ...draft('2026-01-03T12:00:00Z', { pages: 1 }), title: 'Persuasion' },
        'draft:me:/settings': draft('2026-01-04', { project_name: 'x' }),
        'draft:me:/items/shop': draft('2026-01-05', { name: 'Shop' }),
        'draft:me:/users/7': draft('2026-01-06', { email: 'a@b.c' }),
        'draft:you:/items/books/4': draft('2026-01-07', { title: 'Not mine' }),
        'draft:me:/items/gone/1': draft('2026-01-08', { a: 1 }),
        'draft:me:/items/books/5': 'no JSON',
        'tain.session': 'password',
      }),
      schema,
      'me',
    );
    expect(drafts.map(({ title, href }) => [title, href])).toEqual([
      ['a@b.c', '/c/service_users/7'],
      ['Shop', '/c/shop'],
      ['Settings', '/settings'],
      ['Persuasion', '/c/books/6'],
      ['3', '/c/books/3?version=next'],
      ['New one', '/c/books/+'],
      ['Emma', '/c/books/2'],
    ]);
  });
});
