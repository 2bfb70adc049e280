import { describe, expect, it } from 'vitest';
import { renderJson, renderTemplate } from './render-template.js';

const values = {
  $trigger: { query: { word: 'hi' }, body: { list: [{ a: 1 }], none: null, quote: 'a"b\n\\c', 'a-b': 2, n: 5 } },
};

describe('a template', () => {
  it.each([
    ['{{ $trigger.query.word }}', 'hi'],
    ['{{$trigger.body.list[0].a}}', 1],
    ['{{$trigger.body.list.0.a}}', 1],
    ['{{$trigger.body.list.length}}', 1],
    ['{{$trigger.body.a-b}}', 2],
    ['{{$trigger.body.list}}', [{ a: 1 }]],
    ['said: {{$trigger.query.word}}, {{$trigger.body.list}}!', 'said: hi, [{"a":1}]!'],
    ['<{{$trigger.body.none}}>', '<null>'],
    ['{{$trigger.nothing}}', null],
    ['<{{$trigger.nothing}}>', '<>'],
    [' {{$trigger.body.n}}', ' 5'],
    ['{{$trigger.body.n + 1}}', null],
    ['{{__proto__}}{{ $trigger.query.constructor.name }}', ''],
    [{ '{{$trigger.body.n}}': ['{{$trigger.query.word}}', 2, null] }, { '{{$trigger.body.n}}': ['hi', 2, null] }],
  ])('%j becomes %j', (template, rendered) => {
    expect(renderTemplate(template, values)).toEqual(rendered);
  });

  it.each(['{{', 'a {{ b', '{{ }}', 'x{{}}'])('%j is refused', (template) => {
    expect(() => renderTemplate(template, values)).toThrow('template');
  });

  it('grows to a limit', () => {
    const long = 'x'.repeat(1_000_000);
    expect(() => renderTemplate(Array(5).fill('{{long}}'), { long })).toThrow('too large');
    expect(() => renderTemplate('{{long}}{{long}}{{long}}', { long })).toThrow('too large');
  });
});

describe('an option that holds JSON', () => {
  it.each([
    ['{"a":1,"b":[2]}', { a: 1, b: [2] }],
    ['{"a":"{{ $trigger.body.n }}","b":{{ $trigger.body.n }}}', { a: '5', b: 5 }],
    ['{"a":"{{ $trigger.body.n }}"}', { a: '5' }],
    ['{"l":{{ $trigger.body.list }}}', { l: [{ a: 1 }] }],
    ['{"q":"x{{ $trigger.body.quote }}y","n":{{ $trigger.body.n }}}', { q: 'xa"b\n\\cy', n: 5 }],
    ['{"m":{{ $trigger.missing }}}', { m: null }],
    ['{{ $trigger.body }}', values.$trigger.body],
    [{ a: '{{ $trigger.body.n }}' }, { a: 5 }],
  ])('%j becomes %j', (option, rendered) => {
    expect(renderJson(option, values)).toEqual(rendered);
  });

  it('is never changed in its structure by a value', () => {
    for (const odd of ['","admin":true,"x":"', '\\', '\\"', '}', '{{ $trigger.body.n }}', '\u2028"'])
      expect(renderJson('{"a":"{{ v }}","b":{{ v }}}', { v: odd })).toEqual({ a: odd, b: odd });
  });

  it.each(['{"a":', 'hello', '{{ $trigger.query.word }}'])('%j is refused', (option) => {
    expect(() => renderJson(option, values)).toThrow('no JSON');
  });
});
