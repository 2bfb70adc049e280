import { expect, it } from 'vitest';
import { readPlan } from './read-plan.js';

it('reads the lines of a plan', () => {
  expect(
    readPlan([
      'CO-ROUTINE t0',
      'SCAN t0',
      'SEARCH t2 EXISTS USING INTEGER PRIMARY KEY (rowid=?)',
      'USE TEMP B-TREE FOR ORDER BY',
      'SCAN t0',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH t1 USING COVERING INDEX by name (name=? AND year>?)',
      'SCAN t3 USING INDEX by_year',
      'SEARCH t4 USING AUTOMATIC COVERING INDEX (article=?)',
    ]),
  ).toEqual({
    sorts: true,
    steps: [
      { table: 't0', access: 'scan', index: null, rows: null },
      { table: 't2', access: 'search', index: 'primary key', rows: null },
      { table: 't1', access: 'search', index: 'by name', rows: null },
      { table: 't3', access: 'scan', index: 'by_year', rows: null },
      { table: 't4', access: 'scan', index: null, rows: null },
    ],
  });
});
