import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCells, printCells } from './clipboard.js';

describe('cells on the clipboard', () => {
  it('come as spreadsheets write them', () => {
    expect(parseCells('a\tb\r\n1\t2\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(parseCells('"two\nlines"\t"a ""quote"""\t')).toEqual([['two\nlines', 'a "quote"', '']]);
    expect(parseCells('5" pipe\t"open')).toEqual([['5" pipe', '"open']]);
  });

  it('come from files with other separators', () => {
    expect(parseCells('a;"b;c"\n1,5;', ';')).toEqual([
      ['a', 'b;c'],
      ['1,5', ''],
    ]);
  });

  it('survive a round trip', () => {
    const cells = fc.array(fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', 'ä') }), { minLength: 2, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(cells, (rows) => {
        expect(parseCells(printCells(rows))).toEqual(rows);
      }),
    );
  });
});
