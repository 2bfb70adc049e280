import { expect, it } from 'vitest';
import { leastTime } from '../../../test/harness/least-time.js';
import { ServiceError } from '../../core/errors/service-error.js';
import { parseJsonBody } from './parse-json-body.js';

const longest = 1024 * 1024;
const fill = (text: string): string => text.repeat(Math.floor((longest - 40) / text.length));

function outcome(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text));
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
])('reads %j', (text, value) => {
  expect(outcome(text)).toEqual(value);
});

it.each([
  ['D08', '{"__proto__":1}'],
  ['D08', '[{"a":{"\\u005f_proto\\u005f_":1}}]'],
  ['D10', `${'['.repeat(101)}${']'.repeat(101)}`],
  ['D10', '{"a":'.repeat(200_000)],
  ['D13', '{"a":"\\u0000"}'],
  ['D13', '{"a\\u0000":1}'],
  ['D14', '{"a":["\\ud83d"]}'],
  ['D14', '\ufeff{}'],
  ['D18', '{"a":NaN}'],
  ['text alone', '"a"'],
  ['a number alone', '1'],
  ['nothing alone', 'null'],
  ['half an object', '{"a":'],
])('%s: refuses %.40j', (_, text) => {
  expect(outcome(text)).toBe('INVALID_PAYLOAD');
});

it.each([
  ['brackets', fill('[')],
  ['objects', fill('{"a":')],
  ['backslashes', `"${fill('\\')}`],
  ['quotes', fill('"')],
  ['numbers', `[${fill('1,')}1]`],
  ['suspicious texts', `[${fill('"__proto__",')}1]`],
  ['suspicious keys', `[${fill('{"__proto_":1},')}"__proto__"]`],
  ['escapes', `["${fill('\\u0041')}\\u0000"]`],
  ['pairs of surrogates', `["${fill('\\ud83d\\udca7')}"]`],
  ['a long list beside a suspicious text', `[${fill('0,')}"\\u0000"]`],
  ['blanks', fill(' ')],
])('D09, D10: a body of %s holds nobody up', (_, text) => {
  const bytes = Buffer.from(text);
  // What the language's own parser takes is not ours to save.
  const unavoidable = leastTime(() => JSON.parse(text), 1);
  expect(leastTime(() => parseJsonBody(bytes), 50) - unavoidable).toBeLessThan(50);
});
