import { describe, expect, it } from 'vitest';
import type { RawColumn } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import type { Row } from '../../../core/vendor/driver.js';
import { quoteName, quoteText, unquoteLiteral } from '../types/quote.js';
import { readColumn } from './read-column.js';
import { readDefault } from './read-default.js';

describe('literals', () => {
  it.each(['plain', "it's", '', 'a\\b', "\\'", 'line\nbreak', '\u{1F600}', "'; DROP TABLE x; --", 'x\0y'])('come back: %j', (text) => {
    expect(unquoteLiteral(quoteText(text))).toBe(text);
  });

  it('contain no backslash, whose meaning depends on sql_mode', () => {
    expect(quoteText("\\'")).toBe("(CONVERT(x'5c27' USING utf8mb4))");
    expect(quoteName('a`b')).toBe('`a``b`');
  });

  it('are distinguished from expressions', () => {
    for (const text of ['uuid()', "concat('a','b')", "'a' + 'b'", 'abc']) expect(unquoteLiteral(text)).toBeNull();
  });
});

describe('a default', () => {
  it.each<readonly [string | null, ColumnType, unknown]>([
    [null, 'string', null],
    ['NULL', 'string', null],
    ["'NULL'", 'string', { kind: 'literal', value: 'NULL' }],
    ["'it\\'s'", 'text', { kind: 'literal', value: "it's" }],
    ["b'1'", 'boolean', { kind: 'literal', value: true }],
    ['1.50', 'decimal', { kind: 'literal', value: '1.50' }],
    ['1e3', 'float', { kind: 'literal', value: 1000 }],
    ['current_timestamp(6)', 'dateTime', { kind: 'expression', value: 'CURRENT_TIMESTAMP' }],
    ['curdate()', 'date', { kind: 'expression', value: 'CURRENT_TIMESTAMP' }],
    ['curdate()', 'string', { kind: 'expression', value: 'curdate()' }],
  ])('%s of type %s', (text, type, expected) => {
    expect(readDefault(text, type)).toEqual(expected);
  });
});

describe('the catalogue of MySQL', () => {
  const read = (value: string | null, extra: string, type = 'varchar(20)'): RawColumn['default'] => {
    const row: Row = ['t', 'c', type.replace(/\(.*/, ''), type, value, 'YES', 20, null, null, 'utf8mb4_0900_bin', extra, '', ''];
    return readColumn(row, { view: false, primaryKey: false, unique: false, indexed: false, check: null, mariadb: false }).default;
  };

  it('writes values bare and marks expressions', () => {
    expect(read("it's", '')).toEqual({ kind: 'literal', value: "it's" });
    expect(read('CURRENT_TIMESTAMP', '')).toEqual({ kind: 'literal', value: 'CURRENT_TIMESTAMP' });
    expect(read('NULL', '')).toEqual({ kind: 'literal', value: 'NULL' });
    expect(read('CURRENT_TIMESTAMP(3)', 'DEFAULT_GENERATED on update CURRENT_TIMESTAMP(3)', 'datetime(3)')).toEqual({
      kind: 'expression',
      value: 'CURRENT_TIMESTAMP',
    });
    expect(read('uuid()', 'DEFAULT_GENERATED')).toEqual({ kind: 'expression', value: 'uuid()' });
    expect(read("_utf8mb4\\'abc\\'", 'DEFAULT_GENERATED', 'longtext')).toEqual({ kind: 'literal', value: 'abc' });
    expect(read('5', '', 'int')).toEqual({ kind: 'literal', value: 5 });
    expect(read('1', '', 'tinyint(1)')).toEqual({ kind: 'literal', value: true });
    expect(read(null, '')).toBeNull();
  });
});
