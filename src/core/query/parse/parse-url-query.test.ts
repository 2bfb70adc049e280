import { describe, expect, it } from 'vitest';
import { leastTime } from '../../../../test/harness/least-time.js';
import { ServiceError } from '../../errors/service-error.js';
import { defaultQueryLimits, emptyParsedQuery, type ParsedQuery } from '../query.js';
import { parseUrlQuery } from './parse-url-query.js';

const parse = (search: string): ParsedQuery => parseUrlQuery(search, defaultQueryLimits);

function codeOf(search: string): string {
  try {
    parse(search);
    return 'accepted';
  } catch (error) {
    return error instanceof ServiceError ? error.code : `crashed: ${String(error)}`;
  }
}

describe('parseUrlQuery', () => {
  it('reads a typical request', () => {
    const parsed = parse(
      'fields=id,author.name&filter%5Bstatus%5D%5B_eq%5D=published&sort=-published_at&limit=25&offset=50&search=+joins+&deep[comments][_limit]=5&meta=*',
    );
    expect(parsed.literals).toEqual(['published', 50, 'joins']);
    expect(parsed.meta).toEqual(['total_count', 'filter_count']);
    expect(parsed.query.limit).toBe(25);
    expect(parsed.query.offset).toBe(1);
    expect(parsed.query.search).toBe(2);
    expect(parsed.query.filter).toMatchObject({ kind: 'compare', field: { name: 'status' }, operator: '_eq', slot: 0 });
    expect(parsed.query.sort).toMatchObject([{ path: [{ name: 'published_at' }], descending: true }]);
    expect(parsed.query.deep['comments']?.limit).toBe(5);
  });

  it('takes an empty query, unknown parameters and tokens as no query', () => {
    expect(parse('')).toEqual(emptyParsedQuery);
    expect(parse('colour=red&access_token=x&a[b]c=1&fields=&search=&&')).toEqual(emptyParsedQuery);
  });

  it('reads lists in every spelling', () => {
    const lists = [
      'fields=a,b',
      'fields[]=a&fields[]=b',
      'fields[0]=a&fields[1]=b',
      'fields[1]=b&fields[0]=a',
      'fields=a&fields=b',
      'fields[]=a,b',
      'fields= a , b ,',
    ];
    for (const list of lists) expect(parse(list), list).toEqual(parse('fields=a,b'));
  });

  it('reads brackets with positions as lists of conditions', () => {
    expect(parse('filter[_or][0][id][_eq]=1&filter[_or][1][id][_eq]=5')).toEqual(parse('filter={"_or":[{"id":"1"},{"id":"5"}]}'));
    expect(parse('filter[id][_in][]=2&filter[id][_in][]=4').literals).toEqual([['2', '4']]);
    expect(parse('filter[id][_in]=2,4').literals).toEqual([['2', '4']]);
  });

  it('takes a repeated key as a list, which only lists accept', () => {
    expect(codeOf('limit=1&limit=-1')).toBe('INVALID_QUERY');
    expect(codeOf('search=a&search=b')).toBe('INVALID_QUERY');
    expect(codeOf('filter={}&filter[a][_eq]=1')).toBe('INVALID_QUERY');
    expect(codeOf('filter[a][_eq]=1&filter[a]=2')).toBe('INVALID_QUERY');
    expect(codeOf('filter[a]=2&filter[a][_eq]=1')).toBe('INVALID_QUERY');
  });

  it('refuses what is not percent-encoded UTF-8', () => {
    for (const bad of ['search=%ff', 'search=%c0%af', 'search=%', 'x=%zz', '%ff=1', 'search=%ed%a0%80'])
      expect(codeOf(bad), bad).toBe('INVALID_QUERY');
  });

  it('refuses names that reach into prototypes and leaves them untouched', () => {
    const bad = [
      '__proto__[admin]=1',
      '__proto__=1',
      'filter[__proto__][admin]=1',
      'filter[constructor][prototype][admin]=1',
      'filter={"__proto__":{"admin":1}}',
    ];
    for (const search of [
      ...bad,
      'alias[__proto__]=a',
      'deep[__proto__][_limit]=1',
      'fields=__proto__',
      'fields=a.__proto__.b',
      'sort=__proto__',
    ]) {
      expect(codeOf(search), search).toBe('INVALID_QUERY');
    }
    expect(Reflect.get({}, 'admin')).toBeUndefined();
    expect(
      parse('filter[constructor][_eq]=Ferrari&fields=constructor&deep[constructor][_limit]=1').query.deep['constructor'],
    ).toMatchObject({ limit: 1 });
    expect(parse('deep[a][_limit]=1').query.deep['toString']).toBeUndefined();
  });

  it('bounds parameters, positions and nesting', () => {
    expect(codeOf('filter[a][99999999]=1')).toBe('INVALID_QUERY');
    expect(codeOf('fields[]=a&'.repeat(1001))).toBe('INVALID_QUERY');
    expect(codeOf('x=1&'.repeat(100_000))).toBe('INVALID_QUERY');
    expect(codeOf(`filter${'[a]'.repeat(10_000)}=1`)).toBe('INVALID_QUERY');
    expect(codeOf(`filter${'[_and][0]'.repeat(45)}[a]=1`)).toBe('INVALID_QUERY');
    expect(codeOf('filter[a=1')).toBe('INVALID_QUERY');
    expect(codeOf('filter[a]b=1')).toBe('INVALID_QUERY');
  });

  it('answers any hostile input in less than 50 ms of work', () => {
    const deep = `${'{"_and":['.repeat(10_000)}{}${']}'.repeat(10_000)}`;
    const wide = JSON.stringify({ _or: Array.from({ length: 50_000 }, () => ({ a: 1 })) });
    const inputs = [
      `filter=${deep}`,
      `filter=${wide}`,
      `fields=${'a,'.repeat(50_000)}`,
      `fields=${'a.'.repeat(50_000)}`,
      `deep=${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`,
    ];
    for (const input of [
      ...inputs,
      `sort=${'('.repeat(50_000)}`,
      `fields=json(a,${'b.'.repeat(20_000)})`,
      `filter[a][_eq]=${'+'.repeat(50_000)}`,
    ])
      expect(
        leastTime(() => codeOf(input), 50),
        input.slice(0, 30),
      ).toBeLessThan(50);
    expect(codeOf(`filter=${deep}`)).toBe('INVALID_QUERY');
    expect(codeOf(`filter=${wide}`)).toBe('INVALID_QUERY');
  });

  it('refuses invalid numbers', () => {
    for (const bad of [
      'limit=-2',
      'limit=1e9',
      'limit=abc',
      'limit=1.5',
      'limit[]=1',
      'limit=',
      'limit=99999999999',
      'offset=-1',
      'offset=9e15',
      'page=abc',
      'page=-1',
    ]) {
      expect(codeOf(bad), bad).toBe('INVALID_QUERY');
    }
    expect(parse('limit=-1').query.limit).toBe(-1);
    expect(parse('limit=0').query.limit).toBe(0);
  });

  it('turns pages into offsets, and lets a page beat an offset', () => {
    expect(parse('limit=2&page=3&offset=1').literals).toEqual([4]);
    expect(parse('page=2').literals).toEqual([100]);
    expect(parse('limit=2&page=0').literals).toEqual([0]);
    expect(codeOf('limit=-1&page=2')).toBe('INVALID_QUERY');
    expect(parseUrlQuery('limit=-1&page=2', { ...defaultQueryLimits, maxLimit: 500 }).literals).toEqual([500]);
    expect(() => parseUrlQuery('limit=501', { ...defaultQueryLimits, maxLimit: 500 })).toThrow('at most 500');
  });

  it('checks the parameters that are one of a few words', () => {
    for (const bad of ['meta=nope', 'export=pdf', 'backlink=perhaps', 'explain=2', 'export[]=csv&export[]=json'])
      expect(codeOf(bad), bad).toBe('INVALID_QUERY');
    expect(parse('meta=cursor,total_count&export=csv&backlink=false&explain=true&version=draft&cursor=abc')).toMatchObject({
      meta: ['cursor', 'total_count'],
      export: 'csv',
      explain: true,
      version: 'draft',
      cursor: 'abc',
      query: { backlink: false },
    });
  });
});
