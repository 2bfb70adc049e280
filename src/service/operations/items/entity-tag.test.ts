import { expect, it } from 'vitest';
import { makeTag, queryOfTag, readTags } from './entity-tag.js';

it('names the query it was made with, and nothing secret', () => {
  const tag = makeTag('fields=id&access_token=secret&deep[a]=1', '{"id":1}') ?? '';
  expect(queryOfTag(tag)).toBe('fields=id&deep[a]=1');
  expect(queryOfTag(makeTag('access_token=secret', '{}') ?? '')).toBe('');
  expect(makeTag('', '{"id":1}')).not.toBe(makeTag('', '{"id":2}'));
  expect(makeTag(`fields=${'x'.repeat(2000)}`, '{}')).toBeNull();
});

it('knows the tags of others', () => {
  for (const tag of ['W/"abc"', '"abc"', 'x', '']) expect(queryOfTag(tag)).toBeNull();
  expect(readTags('*')).toBe('any');
  expect(readTags('"a", W/"b"')).toEqual(['"a"', 'W/"b"']);
});
