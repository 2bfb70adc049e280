import { describe, expect, it } from 'vitest';
import { touchedTables } from './touched-tables.js';

const touched = (...texts: readonly string[]): unknown => {
  const { pointing, pointedAt, unknown } = touchedTables(texts);
  return { pointing: [...pointing], pointedAt: [...pointedAt], unknown };
};

const of = (pointing: readonly string[], pointedAt: readonly string[]): unknown => ({ pointing, pointedAt, unknown: false });

describe('touchedTables', () => {
  it.each([
    ['SELECT 1', of([], [])],
    ['PRAGMA legacy_alter_table = ON', of([], [])],
    ['CREATE TABLE "a" (id INTEGER REFERENCES b)', of([], [])],
    ['CREATE UNIQUE INDEX i ON a (b)', of([], [])],
    ['DROP INDEX i', of([], [])],
    ['DROP VIEW v', of([], [])],
    ['INSERT INTO "A ""b""" (x) VALUES (?)', of(['a "b"'], [])],
    ['INSERT INTO a (x) VALUES (?) ON CONFLICT (x) DO UPDATE SET x = 1', of(['a'], ['a'])],
    ['REPLACE INTO a VALUES (1)', of(['a'], ['a'])],
    ['INSERT OR REPLACE INTO a VALUES (1)', of(['a'], ['a'])],
    ['UPDATE "a" SET x = 1', of(['a'], ['a'])],
    ['UPDATE OR IGNORE a SET x = 1', of(['a'], ['a'])],
    ['DELETE FROM `a` WHERE x = 1', of([], ['a'])],
    ['DROP TABLE [a]', of([], ['a'])],
    ['DROP TABLE IF EXISTS a', of([], ['a'])],
    ['ALTER TABLE "tain_rebuild_a" RENAME TO "a"', of(['a'], ['a'])],
    ['ALTER TABLE a ADD COLUMN "x" TEXT', of([], [])],
    ['ALTER TABLE a ADD COLUMN x INTEGER DEFAULT 1 REFERENCES b', of(['a'], [])],
    ['ALTER TABLE a DROP COLUMN x', of([], [])],
    ['WITH x AS (SELECT 1) INSERT INTO a SELECT * FROM x', { pointing: [], pointedAt: [], unknown: true }],
  ])('%s', (text, effect) => {
    expect(touched(text)).toEqual(effect);
  });
});
