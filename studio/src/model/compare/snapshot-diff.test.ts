import { expect, it } from 'vitest';
import { diffCards, leaveOut, mayLose, removals } from './snapshot-diff.js';

const diff = {
  collections: [
    { collection: 'tags', diff: [{ kind: 'N', rhs: { collection: 'tags' } }] },
    { collection: 'old', diff: [{ kind: 'D', lhs: { collection: 'old' } }] },
  ],
  fields: [
    { collection: 'tags', field: 'id', diff: [{ kind: 'N', rhs: { type: 'integer' } }] },
    { collection: 'books', field: 'title', diff: [{ kind: 'E', path: ['schema', 'max_length'], lhs: 200, rhs: 100 }] },
    { collection: 'books', field: 'status', diff: [{ kind: 'D', lhs: { type: 'string' } }] },
  ],
  relations: [{ collection: 'books', field: 'tag', related_collection: 'tags', diff: [{ kind: 'N', rhs: {} }] }],
} as const;

it('makes a card for each collection, what is removed first', () => {
  const cards = diffCards(diff);
  expect(cards.map(({ collection, kind }) => [collection, kind])).toEqual([
    ['old', 'removed'],
    ['books', 'changed'],
    ['tags', 'created'],
  ]);
  expect(cards[1]?.lines.map(({ kind, subject, name, type }) => [kind, subject, name, type])).toEqual([
    ['removed', 'field', 'status', 'string'],
    ['changed', 'field', 'title', null],
    ['created', 'relation', 'tag → tags', null],
  ]);
  expect(cards[1]?.lines[1]?.edits).toEqual([{ path: 'schema.max_length', before: 200, after: 100 }]);
  expect(removals(cards)).toBe(2);
});

it('leaves collections out', () => {
  expect(diffCards(leaveOut(diff, new Set(['books']))).map(({ collection }) => collection)).toEqual(['old', 'tags']);
});

it('names what may lose values', () => {
  expect(mayLose(diff)).toBe(true);
  expect(mayLose(leaveOut(diff, new Set(['books', 'old'])))).toBe(false);
  const edited = (path: readonly string[], lhs: unknown, rhs: unknown) =>
    mayLose({ collections: [], fields: [{ collection: 'a', field: 'b', diff: [{ kind: 'E', path, lhs, rhs }] }], relations: [] });
  expect(edited(['schema', 'max_length'], 200, 100)).toBe(true);
  expect(edited(['schema', 'max_length'], 100, 200)).toBe(false);
  expect(edited(['type'], 'text', 'integer')).toBe(true);
  expect(edited(['meta', 'width'], 'half', 'full')).toBe(false);
});
