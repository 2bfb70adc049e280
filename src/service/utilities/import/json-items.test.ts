import { expect, it } from 'vitest';
import { parseJsonItems, parseJsonLines } from './json-items.js';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function collect(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const list = [{ a: '],[ "\\', b: [1, { c: null }] }, 2, 'x', [], {}];

it('cuts a list into its items, wherever the text is cut', async () => {
  for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2)])
    for (const size of [1, 2, 7, 1000]) expect(await collect(parseJsonItems(pieces(text, size)))).toEqual(list);
  expect(await collect(parseJsonItems(pieces(' [ ] ', 1)))).toEqual([]);
});

it.each(['', '{"a":1}', '[1,2', '[1,,2]', '[1,]', '[,1]', '[1] 2', '[1 2]', 'x[1]'])('refuses %j', async (text) => {
  await expect(collect(parseJsonItems(pieces(text, 3)))).rejects.toThrow('Invalid payload');
});

it('reads one value per line', async () => {
  expect(await collect(parseJsonLines(pieces('{"a":1}\n\n{"a":"\\n"}\r\n{"a":3}', 4)))).toEqual([{ a: 1 }, { a: '\n' }, { a: 3 }]);
  await expect(collect(parseJsonLines(pieces('{"a":1}\n{"a":', 4)))).rejects.toThrow('Row 2');
});
