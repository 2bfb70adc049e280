// One query, three spellings: brackets in the URL, JSON text in the URL, the body of SEARCH. All give the same tree and literals.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultQueryLimits } from '../query.js';
import { parseSearchBody } from './parse-search-body.js';
import { parseUrlQuery } from './parse-url-query.js';

const name = fc.stringMatching(/^[a-z][a-z_]{0,6}$/).filter((text) => text !== 'constructor' && text !== 'prototype');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('.'));
/** Every value as text, as a URL has it: numbers of a body are numbers and stay apart on purpose. */
const text = fc
  .string({ minLength: 1, maxLength: 10, unit: 'grapheme' })
  .filter((value) => !value.includes(',') && !/[\p{Cs}]/u.test(value));

const condition = fc.oneof(
  fc.record({ _eq: text }),
  fc.record({ _starts_with: text }),
  fc.record({ _in: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  fc.record({ _between: fc.tuple(text, text) }),
  fc.record({ _null: fc.constantFrom('true', 'false') }),
  fc.record({ _gt: text, _lt: text }),
);

const { filter } = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    fc.dictionary(name, condition, { minKeys: 1, maxKeys: 2 }),
    fc.record({ _or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.dictionary(name, tie('filter'), { minKeys: 1, maxKeys: 1 }),
    fc.dictionary(name, fc.record({ _none: tie('filter') }), { minKeys: 1, maxKeys: 1 }),
  ),
}));

const query = fc.record(
  {
    fields: fc.array(path, { minLength: 1, maxLength: 5 }),
    filter,
    sort: fc.array(
      path.map((steps) => `-${steps}`),
      { minLength: 1, maxLength: 2 },
    ),
    limit: fc.integer({ min: 0, max: 500 }).map(String),
    page: fc.integer({ min: 0, max: 9 }).map(String),
    search: text,
    aggregate: fc.record({ count: fc.constant('*'), sum: fc.array(name, { minLength: 1, maxLength: 2 }) }),
    groupBy: fc.array(path, { minLength: 1, maxLength: 2 }),
    alias: fc.dictionary(name, name, { minKeys: 1, maxKeys: 2 }),
    deep: fc.dictionary(name, fc.record({ _limit: fc.constant('5'), _filter: filter }), { minKeys: 1, maxKeys: 2 }),
  },
  { requiredKeys: [] },
);

function writeBrackets(value: unknown, key: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([below, part]) => writeBrackets(part, `${key}[${below}]`));
}

const writeText = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value);

describe('the spellings of a query', () => {
  it('mean the same', () => {
    fc.assert(
      fc.property(query, (input) => {
        const { parsed } = parseSearchBody(JSON.parse(JSON.stringify({ query: input })), defaultQueryLimits);
        const brackets = Object.entries(input).flatMap(([key, value]) => writeBrackets(value, key));
        const texts = Object.entries(input).map(([key, value]) => `${key}=${encodeURIComponent(writeText(value))}`);
        expect(parseUrlQuery(brackets.join('&'), defaultQueryLimits)).toEqual(parsed);
        expect(parseUrlQuery(texts.join('&'), defaultQueryLimits)).toEqual(parsed);
      }),
    );
  });

  it('never crash, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'filter[]=&_and{}":,.()%5B0') })),
        fc.jsonValue(),
        (search, body) => {
          for (const attempt of [
            () => parseUrlQuery(search, defaultQueryLimits),
            () => parseSearchBody({ query: body }, defaultQueryLimits),
          ]) {
            try {
              attempt();
            } catch (error) {
              expect(error).toHaveProperty('code', 'INVALID_QUERY');
            }
          }
        },
      ),
    );
  });
});
