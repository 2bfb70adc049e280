import { describe, expect, it } from 'vitest';
import { digestToken, isSameSecret, randomToken } from './token.js';

describe('tokens', () => {
  it('are letters and digits, different every time', () => {
    const tokens = new Set(Array.from({ length: 200 }, () => randomToken(43)));
    expect(tokens.size).toBe(200);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9]{43}$/);
  });

  it('are stored as 64 hexadecimal digits', () => {
    expect(digestToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('of different lengths are compared', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true);
    expect(isSameSecret('abc', 'abcd')).toBe(false);
    expect(isSameSecret('', 'a')).toBe(false);
  });
});
