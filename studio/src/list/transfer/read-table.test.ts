import { describe, expect, it } from 'vitest';
import { readTable, UnreadableFile } from './read-table.js';

describe('a file as a table', () => {
  it('is read from CSV with any usual separator', () => {
    const table = { columns: ['title', 'price'], rows: [['A "b"', '1,5']] };
    expect(readTable('x.csv', '\uFEFFtitle;price\r\n"A ""b""";1,5\r\n\r\n')).toEqual(table);
    expect(readTable('x.txt', 'title\tprice\nA "b"\t1,5')).toEqual(table);
    expect(readTable('x.csv', 'title,price\n"A ""b""","1,5"\n')).toEqual(table);
  });

  it('is read from JSON, as a list, an answer of the API or line by line', () => {
    const table = {
      columns: ['a', 'b'],
      rows: [
        [1, undefined],
        [null, [2]],
      ],
    };
    for (const text of ['[{"a":1},{"a":null,"b":[2]}]', '{"data":[{"a":1},{"a":null,"b":[2]}]}', '{"a":1}\n{"a":null,"b":[2]}\n'])
      expect(readTable('x.json', text)).toEqual(table);
  });

  it.each(['', '[1, 2]', '{"a":'])('refuses %j', (text) => {
    expect(() => readTable('x.json', text)).toThrow(UnreadableFile);
  });
});
