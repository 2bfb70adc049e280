import { describe, expect, it } from 'vitest';
import { type CarriedTokens, findToken } from './token-place.js';

const find = (carried: Partial<CarriedTokens>) => findToken({ authorization: [], query: undefined, cookie: undefined, ...carried });
const refused = expect.objectContaining({ code: 'INVALID_PAYLOAD' });

describe('the place of a token', () => {
  it('is the header, the query or the cookie', () => {
    expect(find({ authorization: ['Bearer abc'] })).toEqual({ token: 'abc', place: 'header' });
    expect(find({ authorization: ['bEARER  abc'] })).toEqual({ token: 'abc', place: 'header' });
    expect(find({ query: 'abc' })).toEqual({ token: 'abc', place: 'query' });
    expect(find({ cookie: 'abc' })).toEqual({ token: 'abc', place: 'cookie' });
    expect(find({})).toBeNull();
  });

  it('is never the cookie when there is another', () => {
    expect(find({ authorization: ['Bearer abc'], cookie: 'x' })).toEqual({ token: 'abc', place: 'header' });
    expect(find({ query: 'abc', cookie: 'x' })).toEqual({ token: 'abc', place: 'query' });
  });

  it('other schemes of the Authorization header are ignored', () => {
    expect(find({ authorization: ['Basic Zm9vOmJhcg=='] })).toBeNull();
    expect(find({ authorization: ['Bearerabc'], query: 'x' })).toEqual({ token: 'x', place: 'query' });
  });

  it('C03: two tokens are refused', () => {
    expect(() => find({ authorization: ['Bearer abc'], query: 'abc' })).toThrowError(refused);
    expect(() => find({ authorization: ['Bearer abc', 'Bearer abc'] })).toThrowError(refused);
    expect(() => find({ query: ['abc', 'abc'] })).toThrowError(refused);
  });

  it('C17: an empty or malformed token is an unknown token', () => {
    expect(find({ authorization: ['Bearer'] })).toEqual({ token: '', place: 'header' });
    expect(find({ query: '' })).toEqual({ token: '', place: 'query' });
    expect(find({ query: ['abc'] })).toEqual({ token: '', place: 'query' });
    expect(find({ query: { a: 'abc' } })).toEqual({ token: '', place: 'query' });
  });
});
