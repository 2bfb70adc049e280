import { describe, expect, it } from 'vitest';
import { buildSchema } from '../schema/build-schema.js';
import { printGraphql } from './print-graphql.js';
import { printCurl, printSdk } from './print-rest.js';

const column = (collection: string, field: string, isKey = false) => ({
  collection,
  field,
  type: 'string',
  meta: null,
  schema: { is_primary_key: isKey, is_nullable: true },
});
const alias = (collection: string, field: string) => ({ collection, field, type: 'alias', meta: null, schema: null });
const table = (collection: string, meta: object | null = null) => ({ collection, meta: meta as null, schema: { name: collection } });
const schema = buildSchema(
  [
    table('articles'),
    table('authors'),
    table('my table'),
    table('shop', { singleton: true }),
    table('pages'),
    table('blocks'),
    table('service_users'),
    table('service_access'),
  ],
  [
    column('articles', 'id', true),
    column('articles', 'title'),
    column('articles', 'author'),
    alias('articles', 'buttons'),
    column('authors', 'id', true),
    column('authors', 'name'),
    alias('authors', 'articles'),
    column('my table', 'id', true),
    column('my table', 'made.on'),
    column('my table', 'Cost(USD)'),
    column('shop', 'name'),
    column('pages', 'id', true),
    alias('pages', 'blocks'),
    column('blocks', 'id', true),
    column('blocks', 'page'),
    column('blocks', 'kind'),
    column('blocks', 'item'),
    column('service_users', 'id', true),
    column('service_access', 'id', true),
  ],
  [
    { collection: 'articles', field: 'author', related_collection: 'authors', meta: { one_field: 'articles' } },
    { collection: 'blocks', field: 'page', related_collection: 'pages', meta: { one_field: 'blocks', junction_field: 'item' } },
    {
      collection: 'blocks',
      field: 'item',
      related_collection: null,
      meta: { one_collection_field: 'kind', one_allowed_collections: ['articles', 'authors'], junction_field: 'page' },
    },
  ],
  'en',
);
const origin = { url: 'http://here/sub', viewAs: null };
const filter = { _and: [{ title: { _contains: `it's "$HOME" \\ \`x\`\n` } }, { author: { _eq: 7 } }] };
const list = { path: '/items/articles', query: { fields: ['id', 'author.name'], filter, sort: ['-title'], search: 'ä & ö', limit: 100 } };

/** What a shell makes of the command: its words, without the program. Within single quotes nothing has a meaning. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/(?:'[^']*'|"[^"]*"|\\[^\n]|[^\s'"\\])+/g)]
    .map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"|\\([^\n])/g, (_, single, double, escaped) => single ?? double ?? escaped))
    .slice(1);

describe('a request as curl', () => {
  it('passes every value unchanged through a shell', () => {
    expect(wordsOf(printCurl(list, origin))).toEqual([
      '-G',
      'http://here/sub/items/articles',
      '-H',
      'Authorization: Bearer $TOKEN',
      '--data-urlencode',
      'fields=id,author.name',
      '--data-urlencode',
      `filter=${JSON.stringify(filter)}`,
      '--data-urlencode',
      'sort=-title',
      '--data-urlencode',
      'search=ä & ö',
      '--data-urlencode',
      'limit=100',
    ]);
  });

  it('sends what is too long for a URL, and a document, in the body, and names the viewed user', () => {
    const query = { search: "o'".repeat(2000) };
    const words = wordsOf(printCurl({ path: '/files', query }, { ...origin, viewAs: 'user:1' }));
    expect(words.slice(0, 3)).toEqual(['-X', 'SEARCH', 'http://here/sub/files']);
    expect(words).toContain('X-View-As: user:1');
    expect(JSON.parse(words.at(-1) ?? '')).toEqual({ query });
    expect(JSON.parse(wordsOf(printCurl({ document: '{ roles { id } }' }, origin)).at(-1) ?? '')).toEqual({ query: '{ roles { id } }' });
  });
});

describe('a request as a call of the client package', () => {
  /** The arguments of the command, as JavaScript reads them. */
  const argumentsOf = (text: string, name: string): unknown => {
    const call = text.slice(text.indexOf(`${name}(`) + name.length + 1, text.lastIndexOf('));'));
    return Function(`return [${call}]`)();
  };

  it('names the function of the collection and keeps every value', () => {
    const text = printSdk(schema, list, origin);
    expect(text).toContain("import { createDirectus, readItems, rest, staticToken } from '@directus/sdk';");
    expect(argumentsOf(text, 'readItems')).toEqual(['articles', list.query]);
  });

  it('knows single items, singletons, system collections and what the package has no function for', () => {
    const call = (path: string, query = {}) => /request\(([^;]*)\);/.exec(printSdk(schema, { path, query }, origin))?.[1];
    expect(call("/items/articles/it's", { fields: '*' })).toBe(String.raw`readItem('articles', 'it\'s', { fields: '*' })`);
    expect(call('/items/shop')).toBe("readSingleton('shop')");
    expect(call('/users')).toBe('readUsers()');
    expect(call('/users/5')).toBe("readUser('5')");
    expect(call('/access', { limit: 1 })).toBe("customEndpoint({ path: '/access', method: 'GET', params: { limit: 1 } })");
    expect(call('/users', { search: 'x'.repeat(3000) })).toMatch(/^withSearch\(readUsers\(/);
    const document = '{ roles(search: "`\\\\$") { id } }';
    const text = printSdk(schema, { document }, origin);
    expect(Function(`return [${text.slice(text.indexOf('query(') + 6, text.lastIndexOf(');'))}]`)()).toEqual([document, {}, 'system']);
  });
});

describe('a request as GraphQL', () => {
  const documentOf = (path: string, query = {}): string | undefined =>
    printGraphql(schema, { path, query })?.document.replaceAll(/\s+/g, ' ');

  it('turns paths into selections and conditions on references into those on their keys', () => {
    expect(documentOf('/items/articles', { ...list.query, filter: { author: { _eq: 7 }, 'year(title)': { _gt: 1 } } })).toBe(
      '{ articles( filter: { author: { id: { _eq: 7 } }, title_func: { year: { _gt: 1 } } } sort: ["-title"] search: "ä & ö" limit: 100 ) { id author { name } } }',
    );
    expect(documentOf('/items/articles', { fields: 'id', filter: { author: { name: { _in: ['a'] } } } })).toBe(
      '{ articles(filter: { author: { name: { _in: ["a"] } } }) { id } }',
    );
  });

  it('writes out the fields of a star, without those that have no value', () => {
    expect(documentOf('/items/articles/5', { fields: ['*', 'author.name'] })).toBe(
      '{ articles_by_id(id: "5") { id title author { name } } }',
    );
    expect(documentOf('/items/authors/5', { fields: '*', version: 'draft' })).toBe(
      '{ authors_by_version(id: "5", version: "draft") { id name articles { id } } }',
    );
    expect(documentOf('/items/shop')).toBe('{ shop { name } }');
  });

  it('has functions, options of lists, and the endpoint of the system', () => {
    const query = { fields: ['id', 'count(articles)', 'articles.title'], deep: { articles: { _limit: 3, _sort: ['title'] } } };
    expect(documentOf('/items/authors', query)).toBe(
      '{ authors { id articles_func { count } articles(limit: 3, sort: ["title"]) { title } } }',
    );
    expect(printGraphql(schema, { path: '/users', query: { fields: ['id'] } })).toEqual({
      endpoint: '/graphql/system',
      document: '{\n  users { id }\n}',
    });
  });

  it('has a fragment for each collection that an item may be of, and conditions on one of them', () => {
    const fields = ['blocks.kind', 'blocks.item:articles.title', 'blocks.item:articles.author.name', 'blocks.item:authors.name'];
    expect(documentOf('/items/pages', { fields })).toBe(
      '{ pages { blocks { kind item { ... on articles { title author { name } } ... on authors { name } } } } }',
    );
    expect(documentOf('/items/blocks', { fields: ['item.id', 'item:authors.name'] })).toBe(
      '{ blocks { item { ... on articles { id } ... on authors { id name } } } }',
    );
    expect(documentOf('/items/blocks', { fields: ['id', 'item'] })).toBe(
      '{ blocks { id item { ... on articles { id } ... on authors { id } } } }',
    );
    const filter = { blocks: { 'item:articles': { author: { _eq: 7 } } } };
    expect(documentOf('/items/pages', { fields: ['id'], filter })).toBe(
      '{ pages(filter: { blocks: { item__articles: { author: { id: { _eq: 7 } } } } }) { id } }',
    );
  });

  it('has the conditions of a nested list as its argument', () => {
    const deep = { articles: { _filter: { author: { _in: [7] } } } };
    expect(documentOf('/items/authors', { fields: ['articles.id'], deep })).toBe(
      '{ authors { articles(filter: { author: { id: { _in: [7] } } }) { id } } }',
    );
  });

  it('uses the aliases of names that GraphQL cannot write, or that metadata renames', () => {
    const aliases = [
      { collection: 'my table', field: null, name: 'my_table' },
      { collection: 'my table', field: 'made.on', name: 'made__on' },
      { collection: 'my table', field: 'Cost(USD)', name: 'Cost_USD' },
      { collection: 'authors', field: 'name', name: 'full_name' },
      { collection: 'articles', field: null, name: 'posts' },
    ];
    const printed = (path: string, query: object) =>
      printGraphql(schema, { path, query: { ...query } }, aliases)?.document.replaceAll(/\s+/g, ' ');
    const filter = { _and: [{ 'Cost(USD)': { _gt: 5 } }, { 'year(made.on)': { _eq: 2024 } }] };
    expect(printed('/items/my%20table', { fields: ['made.on', 'Cost(USD)'], filter })).toBe(
      '{ my_table(filter: { _and: [{ Cost_USD: { _gt: 5 } }, { made__on_func: { year: { _eq: 2024 } } }] }) { made__on Cost_USD } }',
    );
    expect(printed('/items/articles/7', { fields: ['author.name'] })).toBe('{ posts_by_id(id: "7") { author { full_name } } }');
    expect(printed('/items/articles', { fields: ['id'], filter: { author: { name: { _eq: 'x' } } } })).toBe(
      '{ posts(filter: { author: { full_name: { _eq: "x" } } }) { id } }',
    );
    expect(printed('/items/blocks', { fields: ['item'] })).toContain('... on posts { id }');
  });

  it('is not there for unknown aliases, and for what is not a read of items', () => {
    expect(documentOf('/items/my%20table')).toBeUndefined();
    expect(documentOf('/schema/snapshot')).toBeUndefined();
  });
});
