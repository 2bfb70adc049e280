import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonPieces, type PieceOptions } from './json-pieces.js';

const rules: PieceOptions = {
  bounds: { containers: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY },
  parse: (text) => JSON.parse(text),
  invalid: () => new Error('invalid'),
  tooMuch: (excess) => new Error(excess),
};

interface Outcome {
  readonly value: unknown;
  readonly pieces: number;
}

function inPieces(text: string, length: number, more: Partial<PieceOptions> = {}): Outcome {
  const parsing = new JsonPieces(text, { ...rules, ...more }, length);
  let pieces = 1;
  while (parsing.next()) pieces += 1;
  return { value: parsing.value(), pieces };
}

/** The text of the value: the order of keys counts too. */
function outcome(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch {
    return 'refused';
  }
}

const key = fc.constantFrom('a', 'b', '1', '0', 'é', '"', '\\', '{', ',');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'large' },
    fc.constantFrom(null, true, 0, -1.5e-7, '', 'x', '\\', '"', ',', '[', '}', ':', '\n', '💧'),
    fc.array(tie('any'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('any')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
})).any;
const text = fc.tuple(value, fc.constantFrom(undefined, 1, '\t')).map(([any, space]) => JSON.stringify(any, null, space));
const noise = fc.constantFrom(...'{}[],:" 1a\\', 'null', '\u00a0', '"a":');

it('parses what the parser parses, wherever it is cut', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 12 }), (json, length) => {
      expect(outcome(() => inPieces(json, length).value)).toBe(outcome(() => JSON.parse(json)));
    }),
    { numRuns: 3_000 },
  );
});

it('refuses what the parser refuses, wherever it is cut', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat({ max: 3 }), noise, fc.integer({ min: 0, max: 12 }), (json, at, taken, put, length) => {
      const place = at % (json.length + 1);
      const broken = json.slice(0, place) + put + json.slice(place + taken);
      expect(outcome(() => inPieces(broken, length).value)).toBe(outcome(() => JSON.parse(broken)));
    }),
    { numRuns: 10_000 },
  );
});

it.each([
  '[1,2,]',
  '[1,,2]',
  '[,1]',
  '{"a":1,}',
  '{"a":1,"b":2]',
  '[[1,2}]',
  '[[1,2] [3,4]]',
  '[[1,2] 3,4]',
  '{"a":[1,2] "b":3}',
  '{"a":1 [2,3]}',
  '{[1,2],"a":1}',
  '[1,2][3]',
  '[1,2],[3]',
  '[1] [2,3]',
  '1,2',
  '[1,2]]',
  '[1,2',
  '["a,b',
  '[1,2]x',
  'x[1,2]',
  '',
])('refuses %j', (broken) => {
  for (const length of [0, 1, 2, 3, 100]) expect(() => inPieces(broken, length)).toThrow();
});

it('counts containers and keys, and no values', () => {
  const json = '{"a":[1,2,3,{"b":"{}[]:"}]}';
  for (const length of [0, 4, 100]) {
    expect(inPieces(json, length, { bounds: { containers: 3, keys: 2 } }).value).toEqual({ a: [1, 2, 3, { b: '{}[]:' }] });
    expect(() => inPieces(json, length, { bounds: { containers: 2, keys: 2 } })).toThrow('containers');
    expect(() => inPieces(json, length, { bounds: { containers: 3, keys: 1 } })).toThrow('keys');
  }
});

it('bounds the nesting', () => {
  const nested = (levels: number): string => `${'[1,'.repeat(levels)}1${']'.repeat(levels)}`;
  for (const length of [0, 50, 1_000]) {
    expect(inPieces(nested(100), length).value).toEqual(JSON.parse(nested(100)));
    expect(() => inPieces(nested(101), length)).toThrow('levels');
  }
});

it('leaves much for the parser and little for one turn', () => {
  const json = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id, tags: ['a', 'b'] })));
  const { value: items, pieces } = inPieces(json, 1_000);
  expect(items).toEqual(JSON.parse(json));
  expect(pieces).toBe(Math.floor(json.length / 1_000) + 1);
});
