import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { leastTime } from '../../../../test/harness/least-time.js';
import { serviceCaller } from '../../../core/access/view.js';
import { ServiceError } from '../../../core/errors/service-error.js';
import { defaultQueryLimits } from '../../../core/query/query.js';
import { SchemaCache } from '../compile/schema-cache.js';

const schemas = new SchemaCache(defaultQueryLimits, () => {
  throw new Error('this test has no system endpoint');
});

function refusal(text: string): { readonly code: string; readonly details: string } {
  try {
    schemas.get(serviceCaller(newsroomSchema), 'items').document(text);
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, details: JSON.stringify(error.entries) };
    throw error;
  }
  return { code: 'none', details: '' };
}

const numbers = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

const manyFragments = (count: number): string =>
  `{ articles { ...f1 } } ${Array.from({ length: count }, (_, index) => `fragment f${index + 1} on articles { id author { id } ...f${index + 2} }`).join(' ')} fragment f${count + 1} on articles { id }`;

describe('documents that ask for too much', () => {
  it('E01: a thousand aliases', () => {
    const aliases = Array.from({ length: 101 }, (_, index) => `a${index}: articles { id }`).join(' ');
    expect(refusal(`{ ${aliases} }`).code).toBe('INVALID_QUERY');
    expect(refusal('{ a: __schema { queryType { name } } b: __schema { queryType { name } } }').code).toBe('INVALID_QUERY');
  });

  it('E02: a field repeated again and again', () => {
    const inner = Array.from({ length: 200 }, () => 'id').join(' ');
    const outer = Array.from({ length: 200 }, () => `articles { ${inner} }`).join(' ');
    expect(refusal(`{ ${outer} }`).code).toBe('GRAPHQL_VALIDATION');
  });

  it('E03: depth, cycles, directives, size', () => {
    const deep = (levels: number): string => `{ articles { ${'author { articles { '.repeat(levels)} id ${'} } '.repeat(levels)} } }`;
    expect(refusal(deep(25)).code).toBe('INVALID_QUERY');
    expect(refusal(deep(600)).code).toBe('INVALID_QUERY');
    expect(['INVALID_QUERY', 'GRAPHQL_VALIDATION']).toContain(refusal(deep(100_000)).code);
    expect(refusal('{ articles { ...a } } fragment a on articles { ...b } fragment b on articles { ...a }').code).toBe(
      'GRAPHQL_VALIDATION',
    );
    expect(refusal(`{ articles { id ${'@skip(if: false) '.repeat(10_000)} } }`).code).toBe('GRAPHQL_VALIDATION');
    expect(refusal(`{ articles { id } } # ${'x'.repeat(100_000)}`).code).toBe('none');
    expect(refusal(`{ articles { id } } # ${'x'.repeat(1_000_000)}`).code).toBe('INVALID_QUERY');
    expect(refusal(`{ articles(filter: {${'_and: [{'.repeat(900)} ${'}]'.repeat(900)}}) { id } }`).code).not.toBe('none');
  });

  it.each([
    ['line ends', `{ articles(search: """${'\n'.repeat(240_000)}""") { id } }`],
    ['escapes', `{ articles(search: "${'\\u0041'.repeat(40_000)}") { id } }`],
    ['blanks', ' '.repeat(250_000)],
    ['digits', `{ articles(limit: ${'1'.repeat(240_000)}) { id } }`],
    ['aliases', `{ articles { ${Array.from({ length: 900 }, (_, index) => `a${index}: id`).join(' ')} } }`],
    ['one field again and again', `{ articles { ${'id '.repeat(1_500)} } }`],
    ['variables', `query(${Array.from({ length: 300 }, (_, index) => `$v${index}: Int`).join(' ')}) { articles { id } }`],
    ['fragments in fragments', manyFragments(99)],
    ['aliases of lists', `{ articles { ${numbers(500, (at) => `a${at}: author { id name }`)} } }`],
  ])('E03: a document of %s holds nobody up', (_, text) => {
    expect(leastTime(() => refusal(text), 50)).toBeLessThan(50);
  });

  it.each([
    ['lists again and again', `{ ${'articles { author { id } } '.repeat(600)} }`],
    ['lists in lists, each again and again', `{ ${`articles { ${'author { id } '.repeat(35)} } `.repeat(35)} }`],
    ['inline fragments', `{ articles { ${'... on articles { id } '.repeat(700)} } }`],
    [
      'fragments',
      `{ articles { ${numbers(99, (at) => `...f${at}`)} } } ${numbers(99, (at) => `fragment f${at} on articles { ${'id '.repeat(40)} }`)}`,
    ],
    [
      'more fragments',
      `{ articles { ${numbers(550, (at) => `...f${at}`)} } } ${numbers(550, (at) => `fragment f${at} on articles { id }`)}`,
    ],
    [
      'unused fragments',
      `{ articles { id } } ${numbers(90, (at) => `fragment f${at} on articles { ${numbers(50, (n) => `a${n}: id`)} }`)}`,
    ],
    [
      'empty fragments, doubling',
      `{ articles { ...f0 } } ${numbers(60, (at) => `fragment f${at} on articles { ...f${at + 1} ...f${at + 1} }`)} fragment f60 on articles { id }`,
    ],
    [
      'the schema through fragments',
      `{ __schema { ...f0 } } ${numbers(60, (at) => `fragment f${at} on __Schema { ...f${at + 1} ...f${at + 1} }`)} fragment f60 on __Schema { __typename }`,
    ],
    [
      'operations over fragments',
      `${numbers(400, (at) => `query q${at} { articles { ...f0 } }`)} ${numbers(90, (at) => `fragment f${at} on articles { ...f${at + 1} }`)} fragment f90 on articles { id }`,
    ],
    ['operations with variables', `${numbers(200, (at) => `query q${at}($a: Int, $b: Int) { articles(limit: $a) { id } }`)}`],
    ['a fragment in itself', `{ articles { ...f } } fragment f on articles { author { articles { ...f } } ${'id '.repeat(100)} }`],
    ['unknown names', `{ ${numbers(90, (at) => `u${at} { ${'x y z '.repeat(15)} }`)} }`],
  ])('H07: a document of %s costs next to nothing', (_, text) => {
    expect(leastTime(() => refusal(text), 20)).toBeLessThan(20);
  });

  it('H07: repetitions are refused before they are compared, and what people write is not', () => {
    expect(refusal(`{ articles { ${'id '.repeat(1_500)} } }`)).toMatchObject({ code: 'INVALID_QUERY' });
    expect(refusal(`{ articles { ${'id '.repeat(150)} } }`).code).toBe('none');
    expect(
      refusal(`{ articles { ${numbers(101, (at) => `...f${at}`)} } } ${numbers(101, (at) => `fragment f${at} on articles { id }`)}`).code,
    ).toBe('INVALID_QUERY');
    expect(
      refusal(
        `{ articles { ${numbers(90, (at) => `...f${at}`)} } } ${numbers(90, (at) => `fragment f${at} on articles { id author { id name } }`)}`,
      ).code,
    ).toBe('none');
    expect(refusal(getIntrospectionQuery()).code).toBe('none');
  });

  it('counts fragments as often as they are used', () => {
    const doubling = Array.from(
      { length: 9 },
      (_, level) =>
        `fragment f${level} on authors { a: articles { author { ...f${level + 1} } } b: articles { author { ...f${level + 1} } } }`,
    );
    expect(refusal(`{ authors { ...f5 } } ${doubling.slice(5).join(' ')} fragment f9 on authors { id }`).code).toBe('none');
    const wide = (names: readonly string[]): string => names.map((name) => `${name}: members { ...f } `).join(' ');
    const many = Array.from({ length: 80 }, (_, index) => `m${index}`);
    expect(refusal(`{ teams { ${wide(many)} } } fragment f on authors { ${many.map((name) => `${name}: name`).join(' ')} }`).code).toBe(
      'INVALID_QUERY',
    );
  });
});

describe('documents that do not fit', () => {
  it('E10: gives no hint at names that may be hidden', () => {
    for (const text of [
      '{ article { id } }',
      '{ articles { titel } }',
      '{ articles(filtr: {}) { id } }',
      '{ articles { ... on article { id } } }',
      '{ articles(filter: {titl: {_eq: "x"}}) { id } }',
    ]) {
      const { code, details } = refusal(text);
      expect(code).toBe('GRAPHQL_VALIDATION');
      expect(details).not.toMatch(/did you mean/i);
    }
  });

  it('reports all that is wrong in one error', () => {
    const { details } = refusal('{ articles { wrong1 wrong2 } }');
    const [entry, ...more] = JSON.parse(details);
    expect(more).toEqual([]);
    expect(entry.extensions.errors).toHaveLength(2);
    expect(entry.extensions.errors[0].locations).toEqual([{ line: 1, column: 14 }]);
  });
});
