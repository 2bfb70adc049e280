import { expect, it } from 'vitest';
import { parseFormBody, parseTextBody } from './parse-form-body.js';

const form = (text: string) => parseFormBody(Buffer.from(text));

it('reads a form, with repeated names as lists', () => {
  expect(form('a=1&b=two+words&a=%C3%A9&c&a=3&&=x')).toEqual({ a: ['1', 'é', '3'], b: 'two words', c: '', '': 'x' });
  expect(form('payload=%7B%22a%22%3A1%7D&hasOwnProperty=own')).toEqual({ payload: '{"a":1}', hasOwnProperty: 'own' });
  expect(form('')).toBeUndefined();
});

it.each(['a=%zz', 'a=%', 'a=%ff', '%C3=1', 'a=%00', '__proto__=1', '\u0000=1', Array(1_002).fill('a=1').join('&')])(
  'refuses %j',
  (text) => {
    expect(() => form(text)).toThrow(expect.objectContaining({ code: 'INVALID_PAYLOAD' }));
  },
);

it('takes a text as it is, and no bytes that are none', () => {
  expect(parseTextBody(Buffer.from('line one\nline "two"'))).toBe('line one\nline "two"');
  expect(parseTextBody(Buffer.alloc(0))).toBeUndefined();
  for (const bytes of [Buffer.from([0xc3, 0x28]), Buffer.from('a\u0000b')]) expect(() => parseTextBody(bytes)).toThrow();
});
