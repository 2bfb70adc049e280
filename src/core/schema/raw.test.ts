import { describe, expect, it } from 'vitest';
import { isSameStructure, type RawDatabase, type RawTable, type RowEvent } from './raw.js';

const databaseOf = (facts: Partial<RawTable>): RawDatabase => ({
  tables: [
    {
      schema: null,
      name: 'books',
      kind: 'table',
      comment: null,
      columns: [],
      primaryKey: ['id'],
      foreignKeys: [],
      indexes: [{ name: 'by_title', columns: ['title'], unique: false, partial: false }],
      checks: [],
      partitionedBy: [],
      triggers: null,
      estimatedRows: 10,
      vendor: {},
      ...facts,
    },
  ],
});
const triggered = (...events: readonly RowEvent[]): RawDatabase =>
  databaseOf({ triggers: { events: new Set(events), before: new Set(), silent: false } });

describe('the structure of two databases', () => {
  it('is the same when only the numbers of rows differ', () => {
    expect(isSameStructure(databaseOf({}), databaseOf({ estimatedRows: 11 }))).toBe(true);
    expect(isSameStructure(triggered('insert'), triggered('insert'))).toBe(true);
  });

  it.each([
    ['an index', databaseOf({}), databaseOf({ indexes: [] })],
    ['a column of the key', databaseOf({}), databaseOf({ primaryKey: ['id', 'part'] })],
    ['a fact of the vendor', databaseOf({}), databaseOf({ vendor: { engine: 'InnoDB' } })],
    ['the first trigger', databaseOf({}), triggered('insert')],
    ['the event of a trigger', triggered('insert'), triggered('update')],
    ['a table', databaseOf({}), { tables: [] }],
  ])('differs by %s', (_what, one, other) => {
    expect(isSameStructure(one, other)).toBe(false);
    expect(isSameStructure(other, one)).toBe(false);
  });
});
