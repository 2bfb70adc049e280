import { describe, expect, it } from 'vitest';
import { type ReadVendor, readTexts } from '../../../../test/fixtures/read-statements.js';

/** MySQL 8 is named where it differs from MariaDB. */
const groupings: readonly (readonly [string, string, string, Partial<Record<ReadVendor, string>>])[] = [
  [
    'totals',
    'articles',
    'aggregate[count]=*&aggregate[max]=made',
    {
      sqlite: `SELECT json_object('count', count(*), 'max', json_object('made', iif(max(t0."made") GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][ T][0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]', replace(max(t0."made"), ' ', 'T') || 'Z', moment_form(max(t0."made"), NULL, 'timestamp')))) FROM "articles" t0`,
      postgres: `SELECT row_to_json(r.*)::text FROM (SELECT count(*) AS "count", json_build_object('made'::text, CASE WHEN NOT isfinite(max(t0."made")) THEN max(t0."made")::text WHEN max(t0."made") < '0001-01-01 00:00:00+00' THEN to_char(max(t0."made") AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z BC"') ELSE to_char(max(t0."made") AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END) AS "max" FROM "articles" t0) r`,
      mariadb:
        "SELECT CONCAT('{\"count\":', COUNT(*), ',\"max\":', CONCAT('{\"made\":', IFNULL(CONCAT('\"', CONCAT(LEFT(DATE_FORMAT(MAX(t0.`made`), '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z'), '\"'), 'null'), '}'), '}') FROM `articles` t0",
    },
  ],
  [
    'groups with having and an order by a total',
    'articles',
    'groupBy[]=status&aggregate[count]=*&having={"count":{"_gt":1}}&sort=-count&limit=3',
    {
      sqlite: `SELECT json_object('status', CAST(t0."status" AS TEXT), 'count', count(*)) FROM "articles" t0 GROUP BY t0."status" HAVING count(*) > ? ORDER BY count(*) DESC, t0."status" LIMIT 3`,
      postgres:
        'SELECT row_to_json(r.*)::text FROM (SELECT t0."status" AS "status", count(*) AS "count" FROM "articles" t0 GROUP BY t0."status" HAVING count(*) > $1::bigint ORDER BY count(*) DESC, t0."status" LIMIT 3) r',
      mariadb:
        "SELECT CONCAT('{\"status\":', IFNULL(JSON_QUOTE(t0.`status`), 'null'), ',\"count\":', COUNT(*), '}') FROM `articles` t0 GROUP BY t0.`status` HAVING COUNT(*) > ? ORDER BY COUNT(*) DESC, t0.`status` LIMIT 3",
    },
  ],
  [
    'groups that are all needed are not read along an index',
    'articles',
    'groupBy[]=status&aggregate[count]=*&filter[author]=1&limit=4',
    {
      sqlite: `SELECT json_object('status', CAST(t0."status" AS TEXT), 'count', count(*)) FROM "articles" t0 WHERE t0."author" = ? GROUP BY +t0."status" ORDER BY t0."status" LIMIT 4`,
      postgres:
        'SELECT row_to_json(r.*)::text FROM (SELECT t0."status" AS "status", count(*) AS "count" FROM "articles" t0 WHERE t0."author" = $1::bigint GROUP BY t0."status" ORDER BY t0."status" LIMIT 4) r',
    },
  ],
  [
    'but those of which only the first are needed are',
    'articles',
    'groupBy[]=status&aggregate[count]=*&filter[author]=1&limit=3',
    {
      sqlite: `SELECT json_object('status', CAST(t0."status" AS TEXT), 'count', count(*)) FROM "articles" t0 WHERE t0."author" = ? GROUP BY t0."status" ORDER BY t0."status" LIMIT 3`,
    },
  ],
  [
    'and groups that the index alone tells',
    'articles',
    'groupBy[]=status&aggregate[count]=*&limit=2',
    {
      sqlite: `SELECT json_object('status', CAST(t0."status" AS TEXT), 'count', count(*)) FROM "articles" t0 GROUP BY t0."status" ORDER BY t0."status" LIMIT 2`,
    },
  ],
  [
    'groups through a relation',
    'articles',
    'groupBy[]=author.country&aggregate[countDistinct]=author&limit=3',
    {
      sqlite: `SELECT json_object('author.country', CAST(t1."c0" AS TEXT), 'countDistinct', json_object('author', count(DISTINCT t1."c1"))) FROM (SELECT (SELECT t2."country" FROM "authors" t2 WHERE t2."id" = t0."author") AS "c0", t0."author" AS "c1" FROM "articles" t0) t1 GROUP BY t1."c0" ORDER BY t1."c0" LIMIT 3`,
      postgres: `SELECT row_to_json(r.*)::text FROM (SELECT t1."c0" AS "author.country", json_build_object('author'::text, count(DISTINCT t1."c1")) AS "countDistinct" FROM (SELECT (SELECT t2."country" FROM "authors" t2 WHERE t2."id" = t0."author") AS "c0", t0."author" AS "c1" FROM "articles" t0) t1 GROUP BY t1."c0" ORDER BY t1."c0" LIMIT 3) r`,
      mariadb:
        "SELECT CONCAT('{\"author.country\":', IFNULL(JSON_QUOTE(t1.`c0`), 'null'), ',\"countDistinct\":', CONCAT('{\"author\":', COUNT(DISTINCT t1.`c1`), '}'), '}') FROM (SELECT (SELECT t2.`country` FROM `authors` t2 WHERE t2.`id` = t0.`author`) AS `c0`, t0.`author` AS `c1` FROM `articles` t0) t1 GROUP BY t1.`c0` ORDER BY t1.`c0` LIMIT 3",
    },
  ],
  [
    'groups by a function',
    'articles',
    'groupBy[]=year(made)&aggregate[count]=*&limit=-1',
    {
      sqlite: `SELECT json_object('made_year', t1."c0", 'count', count(*)) FROM (SELECT CAST(strftime('%Y', iif(t0."made" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]', t0."made", moment_key(t0."made", NULL))) AS INTEGER) AS "c0" FROM "articles" t0) t1 GROUP BY t1."c0" ORDER BY t1."c0"`,
      postgres: `SELECT row_to_json(r.*)::text FROM (SELECT t1."c0" AS "made_year", count(*) AS "count" FROM (SELECT extract(year FROM (t0."made" AT TIME ZONE 'UTC'))::int AS "c0" FROM "articles" t0) t1 GROUP BY t1."c0" ORDER BY t1."c0") r`,
      mariadb:
        "SELECT CONCAT('{\"made_year\":', IFNULL(t1.`c0` + 0, 'null'), ',\"count\":', COUNT(*), '}') FROM (SELECT YEAR(t0.`made`) AS `c0` FROM `articles` t0) t1 GROUP BY t1.`c0` ORDER BY t1.`c0`",
    },
  ],
  [
    'a nested total',
    'authors',
    'fields=articles_aggregated&deep={"articles_aggregated":{"_aggregate":{"count":"*"}}}&limit=1',
    {
      sqlite: `SELECT json_object('articles_aggregated', (SELECT json_group_array(json(j)) FROM (SELECT json_object('count', count(*)) AS j FROM "articles" t1 WHERE t1."author" = t0."id"))) FROM (SELECT t0."id" FROM "authors" t0 ORDER BY t0."id" LIMIT 1) t0`,
      postgres: `SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT coalesce((SELECT json_agg(r.*) FROM (SELECT count(*) AS "count" FROM "articles" t1 WHERE t1."author" = t0."id") r), '[]'::json) AS "articles_aggregated" FROM "authors" t0 ORDER BY t0."id" LIMIT 1) r) i`,
      mariadb:
        "SELECT CONCAT('{\"articles_aggregated\":', CONCAT('[', (SELECT CONCAT('{\"count\":', COUNT(*), '}') FROM `articles` t1 WHERE t1.`author` = t0.`id`), ']'), '}') FROM `authors` t0 ORDER BY t0.`id` LIMIT 1",
    },
  ],
  [
    'nested groups',
    'authors',
    'fields=articles_aggregated&deep={"articles_aggregated":{"_aggregate":{"count":"*"},"_groupBy":["status"],"_sort":"-count","_limit":2}}&limit=1',
    {
      sqlite: `SELECT json_object('articles_aggregated', (SELECT json_group_array(json(j)) FROM (SELECT json_object('status', CAST(t1."status" AS TEXT), 'count', count(*)) AS j FROM "articles" t1 WHERE t1."author" = t0."id" GROUP BY +t1."status" ORDER BY count(*) DESC, t1."status" LIMIT 2))) FROM (SELECT t0."id" FROM "authors" t0 ORDER BY t0."id" LIMIT 1) t0`,
      postgres: `SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT coalesce((SELECT json_agg(r.*) FROM (SELECT t1."status" AS "status", count(*) AS "count" FROM "articles" t1 WHERE t1."author" = t0."id" GROUP BY t1."status" ORDER BY count(*) DESC, t1."status" LIMIT 2) r), '[]'::json) AS "articles_aggregated" FROM "authors" t0 ORDER BY t0."id" LIMIT 1) r) i`,
      mariadb:
        "SELECT CONCAT('{\"articles_aggregated\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(g.j ORDER BY g.o0 DESC, g.o1 SEPARATOR ',' LIMIT 2) FROM (SELECT t1.`author` AS p, CONCAT('{\"status\":', IFNULL(JSON_QUOTE(t1.`status`), 'null'), ',\"count\":', COUNT(*), '}') AS j, COUNT(*) AS o0, t1.`status` AS o1 FROM `articles` t1 GROUP BY t1.`author`, t1.`status`) g WHERE g.p = t0.`id`), ''), ']'), '}') FROM `authors` t0 ORDER BY t0.`id` LIMIT 1",
      mysql8:
        "SELECT CONCAT('{\"articles_aggregated\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(g.j ORDER BY g.o0 DESC, g.o1 SEPARATOR ',') FROM (SELECT CONCAT('{\"status\":', IFNULL(JSON_QUOTE(t1.`status`), 'null'), ',\"count\":', COUNT(*), '}') AS j, COUNT(*) AS o0, t1.`status` AS o1 FROM `articles` t1 WHERE t1.`author` = t0.`id` GROUP BY t1.`status` ORDER BY COUNT(*) DESC, t1.`status` LIMIT 2) g), ''), ']'), '}') FROM `authors` t0 ORDER BY t0.`id` LIMIT 1",
    },
  ],
];

describe('groupsToSql', () => {
  it.each(groupings)('%s', (_, collection, search, expected) => {
    expect(readTexts(Object.keys(expected) as ReadVendor[], collection, search)).toEqual(expected);
  });
});
