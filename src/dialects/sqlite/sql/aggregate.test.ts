import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawColumn, RawIndex } from '../../../core/schema/raw.js';
import { render, sql, trusted } from '../../../core/sql/sql.js';
import type { GroupsSql } from '../../../core/sql/syntax.js';
import { groupingSql } from './aggregate.js';
import { sqliteSyntax } from './syntax.js';

const category = { name: 'category', vendor: { values: 50 } } as unknown as RawColumn;

const id = { name: 'id', autoIncrement: true } as unknown as RawColumn;

const index = (...columns: readonly string[]): RawIndex => ({ name: columns.join('_'), columns, unique: false, partial: false });

const indexed = (...indexes: readonly RawIndex[]): GroupsSql['table'] => ({ columns: [id, category], indexes });

/** Counts by category where the status is given. */
const groups = (more: Partial<GroupsSql>): GroupsSql => ({
  pairs: [],
  from: sql`articles WHERE status = 'published'`,
  parent: [],
  keys: [{ sql: trusted('category'), type: 'integer', column: category }],
  columns: new Set(['category', 'status']),
  table: indexed(index('category'), index('status')),
  having: null,
  order: [{ value: trusted('category'), descending: false }],
  inOrderOfKeys: true,
  limit: null,
  offset: null,
  ...more,
});

const textOf = (more: Partial<GroupsSql>): string => render(groupingSql(sqliteSyntax, groups(more)), () => '?').text;

const hinted = / GROUP BY \+category /;
const unhinted = / GROUP BY category /;

describe('the hint against walking an index of the groups', () => {
  it.each<readonly [string, Partial<GroupsSql>, RegExp]>([
    ['is given if all groups are needed', {}, hinted],
    ['is given if a total decides the order', { inOrderOfKeys: false, limit: 1 }, hinted],
    ['is given if the limit is at least twice the number of groups', { limit: 100 }, hinted],
    ['is not given if the limit may end the walk', { limit: 99 }, unhinted],
    ['is not given if only the key is read', { columns: new Set(['category']) }, unhinted],
    ['is not given if only the key and the rowid are read', { columns: new Set(['category', 'id']) }, unhinted],
    ['is not given if an index has the key before the filter', { table: indexed(index('category', 'status')) }, unhinted],
    ['is not given if an index has the filter before the key', { table: indexed(index('status', 'category')) }, unhinted],
    ['is given if the index of the key has another column that is not read', { table: indexed(index('category', 'made')) }, hinted],
    ['is not given for a computed key', { keys: [{ sql: trusted('category'), type: 'integer', column: null }] }, unhinted],
  ])('%s', (_, more, expected) => {
    expect(textOf(more)).toMatch(expected);
  });
});

describe('the plans behind the hint', () => {
  let folder: string;
  let database: Database.Database;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain_test_groups_'));
    database = new Database(join(folder, 'groups.db'));
    database.exec(`CREATE TABLE articles (id integer PRIMARY KEY, category integer, status text, body text);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO articles SELECT i, i * 7 % 50, CASE WHEN i % 10 < 7 THEN 'published' ELSE 'draft' END, hex(zeroblob(200)) FROM n;
      CREATE INDEX by_category ON articles (category);
      CREATE INDEX by_status ON articles (status);
      ANALYZE`);
  });

  afterAll(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });

  const planOf = (more: Partial<GroupsSql>): string =>
    database
      .prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN SELECT category, count(*) FROM ${textOf(more)}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ');

  it('without it SQLite walks the index and looks up every row; with it, it scans the table or searches by the filter', () => {
    expect(planOf({ limit: 99 })).toMatch(/^SCAN articles USING INDEX by_category$/);
    expect(planOf({})).not.toContain('by_category');
  });

  it('an index that answers the grouping alone is used', () => {
    database.exec('CREATE INDEX by_both ON articles (category, status); ANALYZE');
    const table = indexed(index('category'), index('status'), index('category', 'status'));
    expect(planOf({ table })).toContain('COVERING INDEX by_both');
  });
});
