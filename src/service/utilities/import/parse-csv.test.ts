import { expect, it } from 'vitest';
import { parseCsv } from './parse-csv.js';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function rows(text: string, size = 1000): Promise<readonly (readonly string[])[]> {
  const found: string[][] = [];
  for await (const cells of parseCsv(pieces(text, size))) found.push(cells.map((cell) => (cell.quoted ? `"${cell.text}"` : cell.text)));
  return found;
}

const sample = 'a,b\r\n1,"x, ""y""\nz"\r\n,""\n=1+1,end';

it('reads quotes, commas and line ends inside cells, wherever the text is cut', async () => {
  const wanted = [
    ['a', 'b'],
    ['1', '"x, "y"\nz"'],
    ['', '""'],
    ['=1+1', 'end'],
  ];
  for (const size of [1, 2, 3, 5, 1000]) expect(await rows(sample, size)).toEqual(wanted);
});

it('takes a last line with and without its end', async () => {
  expect(await rows('a\n1\n')).toEqual([['a'], ['1']]);
  expect(await rows('a\n1')).toEqual([['a'], ['1']]);
  expect(await rows('')).toEqual([]);
});

it.each([
  ['a,b\n1,2\n3,"open', 'Row 2 of the file'],
  ['a\n"x"y', 'Row 1 of the file'],
  ['a\nx"y"', 'Row 1 of the file'],
  ['"a', 'The header of the file'],
])('D24: refuses %j by its row', async (text, place) => {
  await expect(rows(text)).rejects.toThrow(place);
});

it('D24: refuses more columns and longer rows than any table has', async () => {
  await expect(rows(','.repeat(1_000_000))).rejects.toThrow('more than 2000 cells');
  await expect(rows(`a\n${'x'.repeat(5 * 1024 * 1024)}`)).rejects.toThrow('longer than');
});
