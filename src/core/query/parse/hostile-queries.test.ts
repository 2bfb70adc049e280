// Security cases D07, D09 and D10: whatever fits into a URL or a body is parsed or refused without holding up other requests.

import { expect, it } from 'vitest';
import { leastTime } from '../../../../test/harness/least-time.js';
import { defaultQueryLimits } from '../query.js';
import { parseSearchBody } from './parse-search-body.js';
import { parseUrlQuery } from './parse-url-query.js';

const longestUrl = 32 * 1024;
const longestBody = 1024 * 1024;
const fill = (text: string, length: number): string => text.repeat(Math.floor(length / text.length));
const many = (count: number, name: (index: number) => string): string[] => Array.from({ length: count }, (_, index) => name(index));
const keyed = (count: number, value: unknown, name = (index: number) => `k${index}`): object =>
  Object.fromEntries(many(count, name).map((key) => [key, value]));

const urls = [
  ['filter', '[a]'],
  ['filter', '['],
  ['', 'a[]=&'],
  ['', 'fields[]=a&'],
  ['', 'deep[a][_limit]=1&'],
  ['', 'alias[a]=b&'],
  ['', '&'],
  ['', '='],
  ['filter=', '%25'],
  ['search=', '+'],
  ['filter=', '{"_and":['],
  ['filter=', '['],
  ['fields=', 'a,'],
  ['fields=', 'a.'],
  ['fields=', '('],
  ['fields=', 'json(a,'],
  ['fields=json(a,', '[0]'],
  ['sort=', ')'],
] as const;

it.each(urls)('D09: a URL of %j and ever more %j', (head, more) => {
  expect(leastTime(() => parseUrlQuery(head + fill(more, longestUrl), defaultQueryLimits), 50)).toBeLessThan(50);
});

/** The second half: as much as the bound of parts lets through. */
const bodies: Readonly<Record<string, () => unknown>> = {
  'a text of names': () => ({ fields: fill('a,', longestBody) }),
  'a list of names': () => ({ fields: many(250_000, () => 'a') }),
  'a path without end': () => ({ fields: fill('.', longestBody) }),
  'calls in calls': () => ({ sort: fill('-a.b(', longestBody) }),
  'a path into JSON': () => ({ fields: [`json(a,${fill('a.', longestBody)})`] }),
  'a long name': () => ({ fields: [fill('ü', longestBody)] }),
  'a filter as text, nested': () => ({ filter: `{"a":${'['.repeat(longestBody / 2)}${']'.repeat(longestBody / 2)}}` }),
  'a filter as text, never closed': () => ({ filter: fill('{"_and":[', longestBody) }),
  'a list of operands': () => ({ filter: { a: { _in: many(400_000, () => '1') } } }),
  'a text of operands': () => ({ filter: { a: { _in: fill('1,', longestBody) } } }),
  'a list of conditions': () => ({ filter: { _and: many(300_000, () => 'a').map(() => ({})) } }),
  'conditions on many fields': () => ({ filter: keyed(60_000, 1) }),
  'conditions on many places': () => ({ filter: { a: { _json: keyed(60_000, 1) } } }),
  'blanks to search for': () => ({ search: fill(' ', longestBody) }),
  'many nested lists': () => ({ deep: keyed(60_000, {}) }),
  'many aliases': () => ({ alias: keyed(60_000, 'a') }),
  'scopes of a many-to-any': () => ({ fields: many(2_400, (index) => `item:s${index}`) }),
  'fields with aliases': () => ({ alias: keyed(1_600, 'a'), fields: many(1_600, (index) => `k${index}`) }),
  'terms of an order': () => ({ sort: many(2_400, (index) => `f${index}`) }),
  groups: () => ({ groupBy: many(1_200, (index) => `f${index}`), aggregate: { max: many(1_200, (index) => `f${index}`) } }),
  'conditions beside one another': () => ({ filter: { _and: many(1_600, () => 'a').map(() => ({ a: { _eq: 1 } })) } }),
  'conditions on one relation': () => ({ filter: { a: { _or: many(1_200, () => 'b').map(() => ({ b: { _eq: 1 } })) } } }),
  'places in JSON': () => ({ filter: { a: { _json: keyed(1_600, { _gt: 1 }, (index) => `a.b.c[0].d${index}`) } } }),
};

it.each(Object.entries(bodies))('D07, D09, D10: a body with %s', (_, make) => {
  const body = { query: make() };
  expect(leastTime(() => parseSearchBody(body, defaultQueryLimits), 50)).toBeLessThan(50);
});
