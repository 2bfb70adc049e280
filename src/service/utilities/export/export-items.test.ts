import { describe, expect, it } from 'vitest';
import type { AnswerColumn } from '../../../core/plan/read/answer-columns.js';
import type { ExportFormat } from '../../../core/query/query.js';
import { dispositionOf, exportFacts } from './export-items.js';

const column = (path: string, open = false): AnswerColumn => ({ path: path.split('.'), open });

async function* inBatches(items: readonly unknown[], size = 2): AsyncGenerator<readonly string[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size).map((item) => JSON.stringify(item));
}

async function write(format: ExportFormat, items: readonly unknown[], columns: readonly AnswerColumn[] = []): Promise<string> {
  let text = '';
  for await (const chunk of exportFacts[format].write(inBatches(items), columns)) text += chunk;
  return text;
}

describe('CSV', () => {
  it('has the columns of the query, also where an object is null', async () => {
    const items = [
      { id: 1, author: { name: 'Ann', age: 3 } },
      { id: 2, author: null },
      { id: 3, author: { name: null, age: 4 } },
    ];
    expect(await write('csv', items, [column('id'), column('author.name'), column('author.age')])).toBe(
      '"id","author.name","author.age"\n1,"Ann",3\n2,,\n3,,4',
    );
  });

  it('flattens JSON objects if it can look at all rows first', async () => {
    const items = [{ specs: { colour: 'red', size: { width: 3 } } }, { specs: [1] }, { specs: null }, { specs: { colour: 'blue' } }];
    expect(await write('csv', items, [column('specs', true)])).toBe(
      '"specs.colour","specs.size.width","specs"\n"red",3,\n,,"[1]"\n,,\n"blue",,',
    );
  });

  it('does not flatten JSON objects of too many rows', async () => {
    const items = Array.from({ length: 1100 }, (_, index) => ({ id: index, specs: { [`key${index}`]: 1 } }));
    const lines = (await write('csv', items, [column('id'), column('specs', true)])).split('\n');
    expect([lines.length, lines[0], lines[1], lines[1100]]).toEqual([1101, '"id","specs"', '0,"{""key0"":1}"', '1099,"{""key1099"":1}"']);
  });

  it.each([
    ['=1+1', `"'=1+1"`],
    ['+x', `"'+x"`],
    ['-x', `"'-x"`],
    ['@x', `"'@x"`],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['-12.50', '"-12.50"'],
    ['+4e10', '"+4e10"'],
    ['a=b', '"a=b"'],
    ['say "hi"', '"say ""hi"""'],
    [-3, '-3'],
    [true, 'true'],
    [null, ''],
    [['=x'], '"[""=x""]"'],
  ])('writes %j as %s', async (value, cell) => {
    expect(await write('csv', [{ value }], [column('value')])).toBe(`"value"\n${cell}`);
  });

  it('does not neutralise formulas in the raw format', async () => {
    expect(await write('csv_raw', [{ '=x': '=1+"1"' }], [column('=x')])).toBe('"=x"\n"=1+""1"""');
  });

  it('neutralises names of columns too', async () => {
    expect(await write('csv', [{ '=x': 1 }], [{ path: ['=x'], open: false }])).toBe(`"'=x"\n1`);
  });
});

describe('XML', () => {
  it('escapes text, and puts names that cannot be elements into an attribute', async () => {
    const text = await write('xml', [{ 'a b': '<&>"', xmlns: [null, 1], n: { o: 'line\r\n\u0001' } }]);
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<data>\n<item><field name="a b">&lt;&amp;&gt;&quot;</field><field name="xmlns"><item null="true"/><item>1</item></field><n><o>line&#13;\n\uFFFD</o></n></item>\n</data>\n',
    );
  });
});

describe('YAML and JSON', () => {
  it('write a list of any length', async () => {
    expect(await write('yaml', [{ a: 'yes: no' }, { a: [] }, { a: null }])).toBe('- a: "yes: no"\n- a: []\n- a: null\n');
    expect(await write('json', [{ a: 1 }, { a: 2 }, { a: 3 }])).toBe('[{"a":1},{"a":2},{"a":3}]');
    expect([await write('json', []), await write('yaml', []), await write('csv', [], [column('a')])]).toEqual(['[]', '[]\n', '']);
  });
});

describe('dispositionOf', () => {
  it('names the file after the collection, twice where a name needs more than ASCII', () => {
    const now = new Date('2024-03-31T23:59:59Z');
    expect(dispositionOf('articles', 'csv_utf8', now)).toBe('attachment; filename="articles 2024-03-31 23-59-59.csv"');
    expect(dispositionOf('a"b/é', 'xml', now)).toBe(
      `attachment; filename="a_b__ 2024-03-31 23-59-59.xml"; filename*=UTF-8''a%22b%2F%C3%A9%202024-03-31%2023-59-59.xml`,
    );
  });
});
