import { describe, expect, it } from 'vitest';
import { checkCollectionName, checkExpression, checkFieldName } from './check-sql-text.js';

describe('names', () => {
  it.each(['title', 'Title', '_x', 'select', 'größe', 'valid from', 'a-b', 'x'.repeat(63)])('may be %j', (name) => {
    expect(checkFieldName(name)).toBe(name);
    expect(checkCollectionName(name, true)).toBe(name);
  });

  it.each([
    '',
    ' a',
    'a ',
    '1a',
    'a"b',
    "a'b",
    'a`b',
    'a;b',
    'a/b',
    'a\\b',
    'a\0b',
    'a\nb',
    'a(b)',
    'a:b',
    'a,b',
    '$a',
    'x'.repeat(64),
    'ü'.repeat(32),
  ])('may not be %j', (name) => {
    expect(() => checkFieldName(name)).toThrow(/Invalid payload/);
    expect(() => checkCollectionName(name, true)).toThrow(/Invalid payload/);
  });

  it.each(['__proto__', '__typename', 'constructor', 'toString', 'hasOwnProperty'])('of fields may not be %j', (name) => {
    expect(() => checkFieldName(name)).toThrow(/reserved/);
  });

  it.each(['service_x', 'Service_x', 'sqlite_x', '__x', 'archive.service_x'])('of collections may not be %j', (name) => {
    expect(() => checkCollectionName(name, true)).toThrow(/reserved/);
  });

  it('of collections may have one dot, for a schema', () => {
    expect(checkCollectionName('archive.invoices', true)).toBe('archive.invoices');
    expect(() => checkCollectionName('a.b.c', true)).toThrow(/dots/);
    expect(() => checkCollectionName(`${'x'.repeat(40)}.${'y'.repeat(40)}`, false)).toThrow(/63 bytes/);
  });
});

describe('expressions of generated columns', () => {
  it.each(['a * 2', '(a + b) / 2', "first || ' ' || last", `coalesce("A b", 'x;--')`, '`a` + 1', "json_extract(doc, '$.a')"])(
    'may be %s',
    (text) => {
      expect(checkExpression(text)).toBe(text);
    },
  );

  it.each([
    '',
    '1) STORED; drop table x; --',
    '1; select 2',
    "'a",
    '(a',
    'a)',
    ')(',
    'a -- b',
    'a /* b */',
    'a # b',
    "E'\\''",
    '$$a$$',
    'a\0',
    '[a',
  ])('may not be %j', (text) => {
    expect(() => checkExpression(text)).toThrow(/An expression must be/);
  });
});
