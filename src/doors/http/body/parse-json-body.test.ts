import { expect, it } from 'vitest';
import { leastTurn } from '../../../../test/harness/least-time.js';
import { ServiceError } from '../../../core/errors/service-error.js';
import { queryBounds } from '../../../core/util/json-nesting.js';
import { parseJsonBody, payloadBounds } from './parse-json-body.js';

const longest = 1024 * 1024;
const fill = (text: string): string => text.repeat(Math.floor((longest - 60) / text.length));

/** As many different ones as fit. */
function differ(make: (name: string) => string): string {
  const texts: string[] = [];
  let length = 60;
  for (let index = 0; length < longest; index += 1) {
    const text = make(index.toString(36));
    texts.push(text);
    length += text.length + 1;
  }
  return texts.slice(0, -1).join(',');
}

async function outcome(text: string, bounds = payloadBounds(longest)): Promise<unknown> {
  try {
    return await parseJsonBody(Buffer.from(text), bounds);
  } catch (error) {
    return error instanceof ServiceError ? error.code : error;
  }
}

it.each([
  ['', undefined],
  ['{"a":[1,{"b":"x"}]}', { a: [1, { b: 'x' }] }],
  ['{"a":1,"a":2}', { a: 2 }],
  ['{"a":"\\ud83d\\udca7"}', { a: '💧' }],
  ['{"a":"\\\\u0000 __proto__"}', { a: '\\u0000 __proto__' }],
])('reads %j', async (text, value) => {
  expect(await outcome(text)).toEqual(value);
});

it.each([
  ['D08', '{"__proto__":1}'],
  ['D08', '[{"a":{"\\u005f_proto\\u005f_":1}}]'],
  ['D10', `${'['.repeat(101)}${']'.repeat(101)}`],
  ['D10', '{"a":'.repeat(200_000)],
  ['D13', '{"a":"\\u0000"}'],
  ['D13', '{"a\\u0000":1}'],
  ['D13', '{"a":"\0"}'],
  ['D14', '{"a":["\\ud83d"]}'],
  ['D14', '\ufeff{}'],
  ['D18', '{"a":NaN}'],
  ['text alone', '"a"'],
  ['a number alone', '1'],
  ['nothing alone', 'null'],
  ['half an object', '{"a":'],
])('%s: refuses %.40j', async (_, text) => {
  expect(await outcome(text)).toBe('INVALID_PAYLOAD');
});

it.each([
  ['D08', `{"__proto__":[${fill('1,')}1]}`],
  ['D08', `{"a":[${fill('1,')}1],"__proto__":1}`],
  ['D10', `[${fill('1,')}${'['.repeat(100)}${']'.repeat(100)}]`],
  ['D13', `[${fill('1,')}"\\u0000"]`],
  ['D13', `{"\\u0000":[${fill('1,')}1]}`],
  ['D14', `["\\ud83d",${fill('1,')}1]`],
  ['D18', `[${fill('1,')}NaN]`],
  ['text alone', `"${fill('a')}"`],
  ['half a list', `[${fill('1,')}1`],
])('%s: refuses the long body %.20j', async (_, text) => {
  expect(await outcome(text)).toBe('INVALID_PAYLOAD');
});

it('takes as many items as fit, and a query of a bounded size', async () => {
  for (const item of ['{"a":{"b":1}},', '{"a":1},', '[1,2],']) {
    const items = `[${fill(item)}{}]`;
    expect(await outcome(items)).toHaveLength(JSON.parse(items).length);
    expect(await outcome(items, queryBounds)).toBe('INVALID_PAYLOAD');
  }
  expect(await outcome(`{${differ((name) => `"${name}":1`)}}`, queryBounds)).toBe('INVALID_PAYLOAD');
  const list = `{"query":{"filter":{"a":{"_in":[${fill('1,')}1]}}}}`;
  expect(await outcome(list, queryBounds)).toEqual(JSON.parse(list));
});

it('D09: refuses a body of hardly more than brackets, unless the limit of bodies is larger', async () => {
  const empty = `[${fill('{},')}{}]`;
  expect(await outcome(empty)).toBe('INVALID_PAYLOAD');
  expect(await outcome(empty, payloadBounds(2 * longest))).toHaveLength(JSON.parse(empty).length);
});

it.each([
  ['brackets', fill('[')],
  ['objects', fill('{"a":')],
  ['backslashes', `"${fill('\\')}`],
  ['quotes', fill('"')],
  ['numbers', `[${fill('1,')}1]`],
  ['long numbers', `[${fill('2.2250738585072011e-308,')}1]`],
  ['one number', `[${fill('1')}]`],
  ['suspicious texts', `[${fill('"__proto__",')}1]`],
  ['suspicious keys', `[${fill('{"__proto_":1},')}"__proto__"]`],
  ['escapes', `["${fill('\\u0041')}\\u0000"]`],
  ['pairs of surrogates', `["${fill('\\ud83d\\udca7')}"]`],
  ['a long list beside a suspicious text', `[${fill('0,')}"\\u0000"]`],
  ['blanks', fill(' ')],
  ['empty objects', `[${fill('{},')}{}]`],
  ['empty lists', `[${fill('[],')}[]]`],
  ['lists in lists', `[${fill(`${'['.repeat(98)}${']'.repeat(98)},`)}1]`],
  ['lists in lists, as many as are taken', `[${fill(`${'['.repeat(98)}${' '.repeat(392)}${']'.repeat(98)},`)}1]`],
  ['many keys', `{${differ((name) => `"${name}":1`)}}`],
  ['many keys beside a suspicious text', `{"a":"__proto__",${differ((name) => `"${name}":1`)}}`],
  ['objects of many keys', `[${differ((name) => `{"${name}":1}`)}]`],
  ['objects of ever new keys', `[${differ((name) => `{"a${name}":1,"b${name}":2}`)}]`],
  ['different texts', `[${differ((name) => `"\\n${name}"`)}]`],
])('D09, D10: a body of %s holds nobody up', async (_, text) => {
  const bytes = Buffer.from(text);
  expect(await leastTurn(() => parseJsonBody(bytes, payloadBounds(longest)), 50)).toBeLessThan(50);
});
