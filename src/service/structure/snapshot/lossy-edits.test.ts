import { describe, expect, it } from 'vitest';
import { lossyEdits } from './lossy-edits.js';
import type { Edit } from './parse-diff.js';

const none = { collections: [], fields: [], relations: [] };
const edit = (path: readonly string[], lhs: unknown, rhs: unknown): Edit => ({
  collection: 'c',
  field: 'f',
  diff: [{ kind: 'E', path, lhs, rhs }],
});

describe('edits that may lose data', () => {
  it.each([
    [['type'], 'text', 'integer'],
    [['type'], 'bigInteger', 'integer'],
    [['schema', 'max_length'], 80, 40],
    [['schema', 'max_length'], null, 40],
    [['schema', 'numeric_scale'], 5, 2],
    [['schema'], {}, null],
  ])('include %j from %j to %j', (path, lhs, rhs) => {
    expect(lossyEdits({ ...none, fields: [edit(path, lhs, rhs)] })).toHaveLength(1);
  });

  it.each([
    [['type'], 'integer', 'bigInteger'],
    [['type'], 'string', 'text'],
    [['schema', 'max_length'], 40, 80],
    [['schema', 'is_nullable'], true, false],
    [['meta', 'note'], 'a', null],
  ])('do not include %j from %j to %j', (path, lhs, rhs) => {
    expect(lossyEdits({ ...none, fields: [edit(path, lhs, rhs)] })).toEqual([]);
  });

  it('include deletions of tables and columns, not of folders and aliases', () => {
    const gone = (schema: unknown): Edit => ({ collection: 'c', field: 'f', diff: [{ kind: 'D', lhs: { schema } }] });
    expect(lossyEdits({ ...none, collections: [gone({})], fields: [gone({}), gone(null)] })).toHaveLength(2);
  });
});
