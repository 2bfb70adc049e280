import { describe, expect, it } from 'vitest';
import { defaultQueryLimits, emptyParsedQuery } from '../query.js';
import { parseSearchBody } from './parse-search-body.js';
import { parseUrlQuery } from './parse-url-query.js';

const parse = (body: unknown) => parseSearchBody(body, defaultQueryLimits, parseUrlQuery('limit=7', defaultQueryLimits));

describe('parseSearchBody', () => {
  it('lets a query in the body replace the one of the URL as a whole', () => {
    expect(parse({ query: { fields: 'id' } }).parsed.query.limit).toBeNull();
    expect(parse({ query: {} }).parsed).toEqual(emptyParsedQuery);
    expect(parse({}).parsed.query.limit).toBe(7);
    expect(parse(undefined)).toMatchObject({ keys: null, parsed: { query: { limit: 7 } } });
  });

  it('reads keys', () => {
    expect(parse({ keys: [3, 'a'] }).keys).toEqual([3, 'a']);
    expect(parse({ keys: [] }).keys).toEqual([]);
  });

  it.each([[{ query: {}, extra: 1 }], [{ keys: 1 }], [{ keys: null }], [{ keys: [{}] }], [{ keys: [null] }], [[]], ['x'], [null], [5]])(
    'refuses the payload %j',
    (body) => {
      expect(() => parse(body)).toThrow('Invalid payload');
    },
  );

  it.each([[{ query: 'name' }], [{ query: null }], [{ query: [] }], [{ query: { limit: 'abc' } }]])('refuses the query of %j', (body) => {
    expect(() => parse(body)).toThrow('Invalid query');
  });
});
