import { describe, expect, it } from 'vitest';
import { defaultQueryLimits, type Selection } from '../query.js';
import { parseQueryObject } from './parse-query-object.js';

const parse = (fields: unknown, more: Record<string, unknown> = {}): readonly Selection[] =>
  parseQueryObject({ fields, ...more }, defaultQueryLimits).query.fields;

/** The tree in short: keys of the answer, `*` for wildcards. */
function outline(selections: readonly Selection[]): unknown {
  return selections.map((selection) => {
    if (selection.kind === 'typename' || selection.kind === 'rest' || selection.kind === 'nothing') return selection.kind;
    const name = selection.kind === 'wildcard' ? '*' : selection.as;
    const scopes =
      selection.kind === 'field' ? Object.entries(selection.scopes).map(([scope, below]) => ({ [`:${scope}`]: outline(below) })) : [];
    return selection.children.length === 0 && scopes.length === 0
      ? name
      : { [name]: [...(outline(selection.children) as unknown[]), ...scopes] };
  });
}

describe('fields', () => {
  it('merges paths, and the object beats the bare key', () => {
    expect(outline(parse('id,author,author.name,author.city,id,author.country.name'))).toEqual([
      'id',
      { author: ['name', 'city', { country: ['name'] }] },
    ]);
    expect(outline(parse(['author.name', 'author']))).toEqual([{ author: ['name'] }]);
  });

  it('keeps wildcards as steps', () => {
    expect(outline(parse('*'))).toEqual(['*']);
    expect(outline(parse('*.*,author.*,title'))).toEqual([{ '*': ['*'] }, { author: ['*'] }, 'title']);
  });

  it('selects per related collection of a many-to-any', () => {
    expect(outline(parse('blocks.item:heroes.headline,blocks.item:quotes.by.name,blocks.item:heroes.image,blocks.item.*'))).toEqual([
      { blocks: [{ item: ['*', { ':heroes': ['headline', 'image'] }, { ':quotes': [{ by: ['name'] }] }] }] },
    ]);
  });

  it('takes a function around its path, as at the end of it', () => {
    const outside = parse('json(author.meta, a.b), json(item:pages.meta, [0]), author.json(company.meta, c), count(author.books)');
    expect(outside).toEqual(parse('author.json(meta, a.b), item:pages.json(meta, [0]), author.company.json(meta, c), author.count(books)'));
    for (const broken of ['json(.meta, a)', 'json(author., a)', 'json(author..meta, a)', 'json(author.meta)x'])
      expect(() => parse(broken), broken).toThrow('Invalid query');
  });

  it('names functions by field and function', () => {
    expect(outline(parse('year(published), articles.year(released), json(specs, a.b[0]),count(tags)'))).toEqual([
      'published_year',
      { articles: ['released_year'] },
      'specs_a_b_0_json',
      'tags_count',
    ]);
    expect(parse('json(specs,a.b)')[0]).toMatchObject({ field: { name: 'specs', fn: 'json', args: ['a.b'] } });
  });

  it('resolves aliases of each level', () => {
    const selections = parse('id,works.title,total,works.label', {
      alias: { works: 'articles', total: 'count(articles)' },
      deep: { works: { _alias: { label: 'name' } } },
    });
    expect(outline(selections)).toEqual(['id', { works: ['title', 'label'] }, 'total']);
    expect(selections[1]).toMatchObject({
      field: { name: 'articles' },
      as: 'works',
      children: [{}, { field: { name: 'name' }, as: 'label' }],
    });
    expect(selections[2]).toMatchObject({ field: { name: 'articles', fn: 'count' }, as: 'total' });
  });

  it.each([
    ['alias[a.b]', { alias: { 'a.b': 'title' } }],
    ['alias with a path as target', { alias: { w: 'author.name' } }],
    ['alias of nothing', { alias: { w: 1 } }],
    ['alias of 64 bytes', { alias: { ['é'.repeat(32)]: 'title' } }],
  ])('refuses %s', (_, more) => {
    expect(() => parse('id', more)).toThrow('Invalid query');
  });

  it.each([
    'a..b',
    '.a',
    'a.',
    'year(x) desc; drop',
    'year(count(x))',
    'half(',
    'a)b',
    'json(specs,**)',
    'json(specs,$.a)',
    "json(specs,a') or 1=1--)",
    'json(a,b,c)',
    'x'.repeat(64),
    'a\u0000',
    '\ud800',
    'year()',
    'item:',
    ':pages',
  ])('refuses %j', (fields) => {
    expect(() => parse([fields])).toThrow('Invalid query');
  });

  it('refuses two fields under one key', () => {
    expect(() => parse('published_year,year(published)')).toThrow('alias');
  });

  it('follows ten relations and no more', () => {
    expect(parse(`${'parent.'.repeat(10)}name`)).toHaveLength(1);
    expect(() => parse(`${'parent.'.repeat(11)}name`)).toThrow('10 levels');
  });

  it.each([[1], [{ a: 1 }], [[1]], [[['a']]]])('refuses %j', (fields) => {
    expect(() => parse(fields)).toThrow('list of names');
  });
});
