import { describe, expect, it } from 'vitest';
import { conditionTexts, type ReadVendor } from '../../../test/fixtures/read-statements.js';
import { operators, operatorsIn } from '../query/operators.js';

const filters: readonly (readonly [string, string, unknown, Partial<Record<ReadVendor, string>>])[] = [
  [
    'equality',
    'articles',
    { title: { _eq: 'x' } },
    {
      sqlite: 't0."title" = ?',
      postgres: 't0."title" = $1::text',
      mariadb: 't0.`title` = ?',
    },
  ],
  [
    'null',
    'articles',
    { title: { _null: true } },
    {
      sqlite: 't0."title" IS NULL',
      postgres: 't0."title" IS NULL',
      mariadb: 't0.`title` IS NULL',
    },
  ],
  [
    'empty',
    'articles',
    { title: { _nempty: true } },
    {
      sqlite: `NOT (t0."title" IS NULL OR t0."title" = '')`,
      postgres: `NOT (t0."title" IS NULL OR t0."title" = '')`,
      mariadb: 'NOT (t0.`title` IS NULL OR LENGTH(t0.`title`) = 0)',
    },
  ],
  [
    'a range of moments',
    'articles',
    { made: { _between: ['2024-01-01', '2024-02-01'] } },
    {
      sqlite: `iif(t0."made" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]', t0."made", moment_key(t0."made", NULL)) BETWEEN ? AND ?`,
      postgres: 't0."made" BETWEEN $1::timestamptz AND $2::timestamptz',
      mariadb: 't0.`made` BETWEEN ? AND ?',
    },
  ],
  [
    'one of several',
    'articles',
    { id: { _in: [1, 2] } },
    {
      sqlite: 't0."id" IN (SELECT CAST(value AS INTEGER) FROM json_each(?))',
      postgres: 't0."id" = ANY($1::bigint[])',
      mariadb: "t0.`id` IN (SELECT k.v FROM JSON_TABLE(?, '$[*]' COLUMNS(v BIGINT PATH '$')) k)",
    },
  ],
  [
    'none of several',
    'articles',
    { title: { _nin: ['a', 'b'] } },
    {
      sqlite: 'NOT (t0."title" IN (SELECT value FROM json_each(?)))',
      postgres: 'NOT (t0."title" = ANY($1::text[]))',
      mariadb: "NOT (t0.`title` IN (SELECT k.v FROM JSON_TABLE(?, '$[*]' COLUMNS(v LONGTEXT PATH '$')) k))",
    },
  ],
  [
    'contains',
    'articles',
    { title: { _contains: 'x' } },
    {
      sqlite: 'instr(t0."title", ?) > 0',
      postgres: 't0."title" LIKE $1::text',
      mariadb: "CONVERT(t0.`title` USING utf8mb4) COLLATE utf8mb4_bin LIKE ? ESCAPE '|'",
    },
  ],
  [
    'contains, whatever its case',
    'articles',
    { title: { _icontains: 'x' } },
    {
      sqlite: 'instr(ulower(t0."title"), ?) > 0',
      postgres: 't0."title" ILIKE $1::text',
      mariadb: "LOWER(CONVERT(t0.`title` USING utf8mb4)) COLLATE utf8mb4_bin LIKE ? ESCAPE '|'",
    },
  ],
  [
    'does not contain, whatever its case',
    'articles',
    { title: { _nicontains: 'x' } },
    {
      sqlite: 'NOT (instr(ulower(t0."title"), ?) > 0)',
      postgres: 'NOT (t0."title" ILIKE $1::text)',
      mariadb: "NOT (LOWER(CONVERT(t0.`title` USING utf8mb4)) COLLATE utf8mb4_bin LIKE ? ESCAPE '|')",
    },
  ],
  [
    'does not begin with',
    'articles',
    { title: { _nstarts_with: 'x' } },
    {
      sqlite: 'NOT (t0."title" GLOB ?)',
      postgres: 'NOT (t0."title" LIKE $1::text)',
      mariadb: "NOT (CONVERT(t0.`title` USING utf8mb4) COLLATE utf8mb4_bin LIKE ? ESCAPE '|')",
    },
  ],
  [
    'ends with',
    'articles',
    { title: { _ends_with: 'x' } },
    {
      sqlite: 't0."title" GLOB ?',
      postgres: 't0."title" LIKE $1::text',
      mariadb: "CONVERT(t0.`title` USING utf8mb4) COLLATE utf8mb4_bin LIKE ? ESCAPE '|'",
    },
  ],
  [
    'a part of a moment',
    'articles',
    { 'week(made)': { _eq: 3 } },
    {
      sqlite: `CAST(strftime('%V', iif(t0."made" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]', t0."made", moment_key(t0."made", NULL))) AS INTEGER) = ?`,
      postgres: `extract(week FROM (t0."made" AT TIME ZONE 'UTC'))::int = $1::bigint`,
      mariadb: 'WEEK(t0.`made`, 3) = ?',
    },
  ],
  [
    'groups',
    'articles',
    { _or: [{ id: { _gt: 1 } }, { _and: [{ title: { _null: true } }, { status: { _neq: 'x' } }] }] },
    {
      sqlite: '(t0."id" > ? OR (t0."title" IS NULL AND t0."status" <> ?))',
      postgres: '(t0."id" > $1::bigint OR (t0."title" IS NULL AND t0."status" <> $2::text))',
      mariadb: '(t0.`id` > ? OR (t0.`title` IS NULL AND t0.`status` <> ?))',
    },
  ],
  [
    'a related item, all conditions for the same one',
    'articles',
    { comments: { text: { _eq: 'x' }, id: { _lt: 5 } } },
    {
      sqlite:
        'EXISTS (SELECT 1 FROM "comments" t1 WHERE t1."article" = t0."id" AND (t1."id" % 61 OR alive(t1."id")) AND (t1."text" = ? AND t1."id" < ?))',
      postgres: 'EXISTS (SELECT 1 FROM "comments" t1 WHERE t1."article" = t0."id" AND (t1."text" = $1::text AND t1."id" < $2::bigint))',
      mariadb: 'EXISTS (SELECT 1 FROM `comments` t1 WHERE t1.`article` = t0.`id` AND (t1.`text` = ? AND t1.`id` < ?))',
    },
  ],
  [
    'one related item beside a list',
    'articles',
    { author: { name: { _eq: 'x' } }, comments: { id: { _lt: 9 } } },
    {
      sqlite:
        '(t0."author" IN (SELECT t1."id" FROM "authors" t1 WHERE t1."id" IS NOT NULL AND t1."name" = ?) AND EXISTS (SELECT 1 FROM "comments" t2 WHERE t2."article" = t0."id" AND (t2."id" % 61 OR alive(t2."id")) AND t2."id" < ?))',
      postgres:
        '(EXISTS (SELECT 1 FROM "authors" t1 WHERE t1."id" = t0."author" AND t1."name" = $1::text) AND EXISTS (SELECT 1 FROM "comments" t2 WHERE t2."article" = t0."id" AND t2."id" < $2::bigint))',
    },
  ],
  [
    'none of the related items',
    'articles',
    { comments: { _none: { text: { _eq: 'x' } } } },
    {
      sqlite:
        'NOT EXISTS (SELECT 1 FROM "comments" t1 WHERE t1."article" = t0."id" AND (t1."id" % 61 OR alive(t1."id")) AND t1."text" = ?)',
      postgres: 'NOT EXISTS (SELECT 1 FROM "comments" t1 WHERE t1."article" = t0."id" AND t1."text" = $1::text)',
      mariadb: 'NOT EXISTS (SELECT 1 FROM `comments` t1 WHERE t1.`article` = t0.`id` AND t1.`text` = ?)',
    },
  ],
  [
    'no related item at all',
    'articles',
    { comments: { _null: true } },
    {
      sqlite: 'NOT EXISTS (SELECT 1 FROM "comments" t1 WHERE t1."article" = t0."id" AND (t1."id" % 61 OR alive(t1."id")))',
      postgres: 'NOT EXISTS (SELECT 1 FROM "comments" t1 WHERE t1."article" = t0."id")',
      mariadb: 'NOT EXISTS (SELECT 1 FROM `comments` t1 WHERE t1.`article` = t0.`id`)',
    },
  ],
  [
    'many-to-one',
    'articles',
    { author: { name: { _eq: 'x' } } },
    {
      sqlite: 'EXISTS (SELECT 1 FROM "authors" t1 WHERE t1."id" = t0."author" AND t1."name" = ?)',
      postgres: 'EXISTS (SELECT 1 FROM "authors" t1 WHERE t1."id" = t0."author" AND t1."name" = $1::text)',
      mariadb: 'EXISTS (SELECT 1 FROM `authors` t1 WHERE t1.`id` = t0.`author` AND t1.`name` = ?)',
    },
  ],
  [
    'the key of a many-to-one is our own column',
    'articles',
    { author: { id: { _eq: 5 } } },
    {
      sqlite: 't0."author" = ?',
      postgres: 't0."author" = $1::bigint',
      mariadb: 't0.`author` = ?',
    },
  ],
  [
    'many-to-many',
    'articles',
    { tags: { tag: { name: { _eq: 'x' } } } },
    {
      sqlite:
        'EXISTS (SELECT 1 FROM "articles_tags" t1 WHERE t1."article" = t0."id" AND (t1."id" % 61 OR alive(t1."id")) AND EXISTS (SELECT 1 FROM "tags" t2 WHERE t2."id" = t1."tag" AND t2."name" = ?))',
      postgres:
        'EXISTS (SELECT 1 FROM "articles_tags" t1 WHERE t1."article" = t0."id" AND EXISTS (SELECT 1 FROM "tags" t2 WHERE t2."id" = t1."tag" AND t2."name" = $1::text))',
      mariadb:
        'EXISTS (SELECT 1 FROM `articles_tags` t1 WHERE t1.`article` = t0.`id` AND EXISTS (SELECT 1 FROM `tags` t2 WHERE t2.`id` = t1.`tag` AND t2.`name` = ?))',
    },
  ],
  [
    'many-to-any',
    'blocks',
    { 'item:teams': { name: { _eq: 'x' } } },
    {
      sqlite: `(t0."collection" = 'teams' AND EXISTS (SELECT 1 FROM "teams" t1 WHERE t1."id" = CASE WHEN CAST(CAST(t0."item" AS INTEGER) AS TEXT) = t0."item" THEN CAST(t0."item" AS INTEGER) END AND t1."name" = ?))`,
      postgres: `(t0."collection" = 'teams' AND EXISTS (SELECT 1 FROM "teams" t1 WHERE t1."id" = CASE WHEN t0."item"::text ~ '^-?[0-9]{1,18}$' THEN t0."item"::text::bigint END AND t1."name" = $1::text))`,
      mariadb:
        "(t0.`collection` = 'teams' AND EXISTS (SELECT 1 FROM `teams` t1 WHERE t1.`id` = CASE WHEN t0.`item` REGEXP '^-?[0-9]{1,18}$' THEN CAST(t0.`item` AS SIGNED) END AND t1.`name` = ?))",
    },
  ],
  [
    'the count of a relation',
    'articles',
    { 'count(comments)': { _gte: 2 } },
    {
      sqlite: '(SELECT count(*) FROM "comments" t1 WHERE t1."article" = t0."id") >= ?',
      postgres: '(SELECT count(*) FROM "comments" t1 WHERE t1."article" = t0."id") >= $1::bigint',
      mariadb: '(SELECT count(*) FROM `comments` t1 WHERE t1.`article` = t0.`id`) >= ?',
    },
  ],
];

describe('filterToSql', () => {
  it.each(filters)('%s', (_, collection, filter, expected) => {
    expect(conditionTexts(Object.keys(expected) as ReadVendor[], collection, filter)).toEqual(expected);
  });

  it.each(operatorsIn('null', 'empty', 'equality', 'membership', 'order', 'text'))('writes %s on every vendor', (operator) => {
    const { operand, group } = operators[operator];
    const value = { none: true, scalar: '1', list: ['1'], pair: ['1', '2'], geometry: null }[operand];
    const texts = conditionTexts(['sqlite', 'postgres', 'mariadb'], 'articles', {
      [group === 'order' ? 'id' : 'title']: { [operator]: value },
    });
    expect(Object.values(texts)).not.toContain('');
  });
});
