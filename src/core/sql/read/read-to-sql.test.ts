import { describe, expect, it } from 'vitest';
import { type ReadVendor, readTexts } from '../../../../test/fixtures/read-statements.js';
import { contextWith } from '../../../../test/fixtures/write-context.js';

/** MySQL 8 is named where it differs from MariaDB. */
const reads: readonly (readonly [string, string, string, Partial<Record<ReadVendor, string>>])[] = [
  [
    'columns, and relations as keys',
    'teams',
    'limit=5',
    {
      sqlite: `SELECT group_concat(json_object('id', CASE WHEN t0."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t0."id" ELSE CAST(t0."id" AS TEXT) END, 'name', CAST(t0."name" AS TEXT), 'members', (SELECT json_group_array(CASE WHEN t1."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t1."id" ELSE CAST(t1."id" AS TEXT) END) FROM (SELECT t1."id" FROM "authors" t1 WHERE t1."team" = t0."id" AND (t1."id" % 61 OR alive(t1."id")) ORDER BY t1."id" LIMIT 100) t1))) FROM (SELECT t0."id", t0."name" FROM "teams" t0 ORDER BY t0."id" LIMIT 5) t0`,
      postgres: `SELECT string_agg(i.j::text, ',') FROM (SELECT row_to_json(r.*) AS j FROM (SELECT t0."id" AS "id", t0."name" AS "name", coalesce((SELECT json_agg(t1."id") FROM (SELECT t1."id" FROM "authors" t1 WHERE t1."team" = t0."id" ORDER BY t1."id" LIMIT 100) t1), '[]'::json) AS "members" FROM "teams" t0 ORDER BY t0."id" LIMIT 5) r) i`,
      mariadb:
        "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), ',\"name\":', IFNULL(JSON_QUOTE(t0.`name`), 'null'), ',\"members\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(IFNULL(t1.`id` + 0, 'null') ORDER BY t1.`id` SEPARATOR ',' LIMIT 100) FROM `authors` t1 WHERE t1.`team` = t0.`id`), ''), ']'), '}') FROM `teams` t0 ORDER BY t0.`id` LIMIT 5",
      mysql8:
        "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), ',\"name\":', IFNULL(JSON_QUOTE(t0.`name`), 'null'), ',\"members\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(IFNULL(t1.`id` + 0, 'null') ORDER BY t1.`id` SEPARATOR ',') FROM (SELECT t1.`id` FROM `authors` t1 WHERE t1.`team` = t0.`id` ORDER BY t1.`id` LIMIT 100) t1), ''), ']'), '}') FROM `teams` t0 ORDER BY t0.`id` LIMIT 5",
    },
  ],
  [
    'an offset pages before the shape is made',
    'teams',
    'fields=name&limit=5&offset=10',
    {
      sqlite: `SELECT group_concat(json_object('name', CAST(t0."name" AS TEXT))) FROM (SELECT t0."name", t0."id" FROM "teams" t0 ORDER BY t0."id" LIMIT 5 OFFSET ?) t0`,
      postgres: `SELECT string_agg(i.j::text, ',') FROM (SELECT row_to_json(r.*) AS j FROM (SELECT t0."name" AS "name" FROM (SELECT t0."name", t0."id" FROM "teams" t0 ORDER BY t0."id" LIMIT 5 OFFSET $1::bigint) t0 ORDER BY t0."id") r) i`,
      mariadb: "SELECT CONCAT('{\"name\":', IFNULL(JSON_QUOTE(t0.`name`), 'null'), '}') FROM `teams` t0 ORDER BY t0.`id` LIMIT 5 OFFSET ?",
    },
  ],
  [
    'what an index finds is a list of keys where related items are looked through until there are enough',
    'articles',
    'fields=title&filter[status]=draft&filter[comments][text]=x&sort=-id&limit=5',
    {
      sqlite: `SELECT group_concat(json_object('title', CAST(t0."title" AS TEXT))) FROM (SELECT t0."title", t0."id" FROM "articles" t0 WHERE (t0."id" % 61 OR alive(t0."id")) AND t0."id" IN (SELECT t1."id" FROM "articles" t1 WHERE t1."status" = ? AND (t1."id" % 61 OR alive(t1."id"))) AND EXISTS (SELECT 1 FROM "comments" t2 WHERE t2."article" = t0."id" AND (t2."id" % 61 OR alive(t2."id")) AND t2."text" = ?) ORDER BY t0."id" DESC LIMIT 5) t0`,
      postgres: `SELECT string_agg(i.j::text, ',') FROM (SELECT row_to_json(r.*) AS j FROM (SELECT t0."title" AS "title" FROM "articles" t0 WHERE (t0."status" = $1::text AND EXISTS (SELECT 1 FROM "comments" t1 WHERE t1."article" = t0."id" AND t1."text" = $2::text)) ORDER BY t0."id" DESC LIMIT 5) r) i`,
    },
  ],
  [
    'but not in another order',
    'articles',
    'fields=title&filter[status]=draft&filter[comments][text]=x&sort=title&limit=5',
    {
      sqlite: `SELECT group_concat(json_object('title', CAST(t0."title" AS TEXT))) FROM (SELECT t0."title", t0."id" FROM "articles" t0 WHERE (t0."id" % 61 OR alive(t0."id")) AND (t0."status" = ? AND EXISTS (SELECT 1 FROM "comments" t1 WHERE t1."article" = t0."id" AND (t1."id" % 61 OR alive(t1."id")) AND t1."text" = ?)) ORDER BY t0."title", t0."id" LIMIT 5) t0`,
    },
  ],
  [
    'a long list comes item by item',
    'teams',
    'fields=id&limit=-1',
    {
      sqlite: `SELECT json_object('id', CASE WHEN t0."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t0."id" ELSE CAST(t0."id" AS TEXT) END) FROM (SELECT t0."id" FROM "teams" t0 ORDER BY t0."id" LIMIT -1) t0`,
      postgres: 'SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT t0."id" AS "id" FROM "teams" t0 ORDER BY t0."id") r) i',
      mariadb: "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), '}') FROM `teams` t0 ORDER BY t0.`id`",
    },
  ],
  [
    'many-to-one',
    'articles',
    'fields=author.name&limit=2',
    {
      sqlite: `SELECT group_concat(json_object('author', (SELECT json_object('name', CAST(t1."name" AS TEXT)) FROM "authors" t1 WHERE t1."id" = t0."author"))) FROM (SELECT t0."author", t0."id" FROM "articles" t0 ORDER BY t0."id" LIMIT 2) t0`,
      postgres: `SELECT string_agg(i.j::text, ',') FROM (SELECT row_to_json(r.*) AS j FROM (SELECT (SELECT row_to_json(r.*) AS j FROM (SELECT t1."name" AS "name" FROM "authors" t1 WHERE t1."id" = t0."author") r) AS "author" FROM "articles" t0 ORDER BY t0."id" LIMIT 2) r) i`,
      mariadb:
        "SELECT CONCAT('{\"author\":', IFNULL((SELECT CONCAT('{\"name\":', IFNULL(JSON_QUOTE(t1.`name`), 'null'), '}') FROM `authors` t1 WHERE t1.`id` = t0.`author`), 'null'), '}') FROM `articles` t0 ORDER BY t0.`id` LIMIT 2",
    },
  ],
  [
    'one-to-many with its own order and limit',
    'authors',
    'fields=articles.title&limit=1&deep[articles][_limit]=2&deep[articles][_sort]=-title',
    {
      sqlite: `SELECT json_object('articles', (SELECT json_group_array(json_object('title', CAST(t1."title" AS TEXT))) FROM (SELECT t1."title", t1."id" FROM "articles" t1 WHERE t1."author" = t0."id" AND (t1."id" % 61 OR alive(t1."id")) ORDER BY t1."title" DESC, t1."id" DESC LIMIT 2) t1)) FROM (SELECT t0."id" FROM "authors" t0 ORDER BY t0."id" LIMIT 1) t0`,
      postgres: `SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT coalesce((SELECT json_agg(x.*) FROM (SELECT t1."title" AS "title" FROM "articles" t1 WHERE t1."author" = t0."id" ORDER BY t1."title" DESC, t1."id" DESC LIMIT 2) x), '[]'::json) AS "articles" FROM "authors" t0 ORDER BY t0."id" LIMIT 1) r) i`,
      mariadb:
        "SELECT CONCAT('{\"articles\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(CONCAT('{\"title\":', IFNULL(JSON_QUOTE(t1.`title`), 'null'), '}') ORDER BY t1.`title` DESC, t1.`id` DESC SEPARATOR ',' LIMIT 2) FROM `articles` t1 WHERE t1.`author` = t0.`id`), ''), ']'), '}') FROM `authors` t0 ORDER BY t0.`id` LIMIT 1",
      mysql8:
        "SELECT CONCAT('{\"articles\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(CONCAT('{\"title\":', IFNULL(JSON_QUOTE(t1.`title`), 'null'), '}') ORDER BY t1.`title` DESC, t1.`id` DESC SEPARATOR ',') FROM (SELECT t1.`title`, t1.`id` FROM `articles` t1 WHERE t1.`author` = t0.`id` ORDER BY t1.`title` DESC, t1.`id` DESC LIMIT 2) t1), ''), ']'), '}') FROM `authors` t0 ORDER BY t0.`id` LIMIT 1",
    },
  ],
  [
    'a nested offset is part of the text',
    'authors',
    'fields=articles.id&limit=1&deep[articles][_limit]=2&deep[articles][_offset]=4',
    {
      sqlite: `SELECT json_object('articles', (SELECT json_group_array(json_object('id', CASE WHEN t1."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t1."id" ELSE CAST(t1."id" AS TEXT) END)) FROM (SELECT t1."id" FROM "articles" t1 WHERE t1."author" = t0."id" AND (t1."id" % 61 OR alive(t1."id")) ORDER BY t1."id" LIMIT 2 OFFSET 4) t1)) FROM (SELECT t0."id" FROM "authors" t0 ORDER BY t0."id" LIMIT 1) t0`,
      postgres: `SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT coalesce((SELECT json_agg(x.*) FROM (SELECT t1."id" AS "id" FROM (SELECT t1."id" FROM "articles" t1 WHERE t1."author" = t0."id" ORDER BY t1."id" LIMIT 2 OFFSET '4'::bigint) t1 ORDER BY t1."id") x), '[]'::json) AS "articles" FROM "authors" t0 ORDER BY t0."id" LIMIT 1) r) i`,
      mariadb:
        "SELECT CONCAT('{\"articles\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(CONCAT('{\"id\":', IFNULL(t1.`id` + 0, 'null'), '}') ORDER BY t1.`id` SEPARATOR ',' LIMIT 2 OFFSET 4) FROM `articles` t1 WHERE t1.`author` = t0.`id`), ''), ']'), '}') FROM `authors` t0 ORDER BY t0.`id` LIMIT 1",
      mysql8:
        "SELECT CONCAT('{\"articles\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(CONCAT('{\"id\":', IFNULL(t1.`id` + 0, 'null'), '}') ORDER BY t1.`id` SEPARATOR ',') FROM (SELECT t1.`id` FROM `articles` t1 WHERE t1.`author` = t0.`id` ORDER BY t1.`id` LIMIT 2 OFFSET 4) t1), ''), ']'), '}') FROM `authors` t0 ORDER BY t0.`id` LIMIT 1",
    },
  ],
  [
    'many-to-any',
    'blocks',
    'fields=item:teams.name,item:countries.name&limit=1',
    {
      sqlite: `SELECT json_object('item', CASE WHEN t0."collection" = 'teams' THEN (SELECT json_object('name', CAST(t1."name" AS TEXT)) FROM "teams" t1 WHERE t1."id" = CASE WHEN CAST(CAST(t0."item" AS INTEGER) AS TEXT) = t0."item" THEN CAST(t0."item" AS INTEGER) END) WHEN t0."collection" = 'countries' THEN (SELECT json_object('name', CAST(t2."name" AS TEXT)) FROM "countries" t2 WHERE t2."code" = CAST(t0."item" AS TEXT)) ELSE NULL END) FROM (SELECT t0."collection", t0."item", t0."id" FROM "blocks" t0 ORDER BY t0."id" LIMIT 1) t0`,
      postgres: `SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT CASE WHEN t0."collection" = 'teams' THEN to_json((SELECT row_to_json(r.*) AS j FROM (SELECT t1."name" AS "name" FROM "teams" t1 WHERE t1."id" = CASE WHEN t0."item"::text ~ '^-?[0-9]{1,18}$' THEN t0."item"::text::bigint END) r)) WHEN t0."collection" = 'countries' THEN to_json((SELECT row_to_json(r.*) AS j FROM (SELECT t2."name" AS "name" FROM "countries" t2 WHERE t2."code" = t0."item"::text) r)) ELSE to_json(NULL::text) END AS "item" FROM "blocks" t0 ORDER BY t0."id" LIMIT 1) r) i`,
      mariadb:
        "SELECT CONCAT('{\"item\":', CASE WHEN t0.`collection` = 'teams' THEN IFNULL((SELECT CONCAT('{\"name\":', IFNULL(JSON_QUOTE(t1.`name`), 'null'), '}') FROM `teams` t1 WHERE t1.`id` = CASE WHEN t0.`item` REGEXP '^-?[0-9]{1,18}$' THEN CAST(t0.`item` AS SIGNED) END), 'null') WHEN t0.`collection` = 'countries' THEN IFNULL((SELECT CONCAT('{\"name\":', IFNULL(JSON_QUOTE(t2.`name`), 'null'), '}') FROM `countries` t2 WHERE t2.`code` = t0.`item`), 'null') ELSE 'null' END, '}') FROM `blocks` t0 ORDER BY t0.`id` LIMIT 1",
    },
  ],
  [
    'the count of a relation, answered and sorted by',
    'authors',
    'fields=count(articles)&sort=-count(articles)&limit=3',
    {
      sqlite: `SELECT group_concat(json_object('articles_count', (SELECT count(*) FROM "articles" t1 WHERE t1."author" = t0."id"))) FROM (SELECT t0."id", (SELECT count(*) FROM "articles" t2 WHERE t2."author" = t0."id") AS "_o0" FROM "authors" t0 ORDER BY (SELECT count(*) FROM "articles" t2 WHERE t2."author" = t0."id") DESC, t0."id" DESC LIMIT 3) t0`,
      postgres: `SELECT string_agg(i.j::text, ',') FROM (SELECT row_to_json(r.*) AS j FROM (SELECT (SELECT count(*) FROM "articles" t1 WHERE t1."author" = t0."id") AS "articles_count" FROM "authors" t0 ORDER BY (SELECT count(*) FROM "articles" t2 WHERE t2."author" = t0."id") DESC, t0."id" DESC LIMIT 3) r) i`,
      mariadb:
        "SELECT CONCAT('{\"articles_count\":', IFNULL((SELECT count(*) FROM `articles` t1 WHERE t1.`author` = t0.`id`) + 0, 'null'), '}') FROM `authors` t0 ORDER BY (SELECT count(*) FROM `articles` t2 WHERE t2.`author` = t0.`id`) DESC, t0.`id` DESC LIMIT 3",
    },
  ],
  [
    'order through a relation',
    'articles',
    'fields=id&sort=author.name&limit=1',
    {
      sqlite: `SELECT json_object('id', CASE WHEN t0."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t0."id" ELSE CAST(t0."id" AS TEXT) END) FROM (SELECT t0."id", (SELECT t1."name" FROM "authors" t1 WHERE t1."id" = t0."author") AS "_o0" FROM "articles" t0 ORDER BY (SELECT t1."name" FROM "authors" t1 WHERE t1."id" = t0."author"), t0."id" LIMIT 1) t0`,
      postgres:
        'SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT t0."id" AS "id" FROM "articles" t0 ORDER BY (SELECT t1."name" FROM "authors" t1 WHERE t1."id" = t0."author"), t0."id" LIMIT 1) r) i',
      mariadb:
        "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), '}') FROM `articles` t0 ORDER BY (SELECT t1.`name` FROM `authors` t1 WHERE t1.`id` = t0.`author`), t0.`id` LIMIT 1",
    },
  ],
  [
    'search',
    'teams',
    'fields=id&search=7&limit=1',
    {
      sqlite: `SELECT json_object('id', CASE WHEN t0."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t0."id" ELSE CAST(t0."id" AS TEXT) END) FROM (SELECT t0."id" FROM "teams" t0 WHERE (t0."id" % 61 OR alive(t0."id")) AND (t0."id" = ? OR instr(ulower(t0."name"), ?) > 0) ORDER BY t0."id" LIMIT 1) t0`,
      postgres:
        'SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT t0."id" AS "id" FROM "teams" t0 WHERE (t0."id" = $1::bigint OR t0."name" ILIKE $2::text) ORDER BY t0."id" LIMIT 1) r) i',
      mariadb:
        "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), '}') FROM `teams` t0 WHERE (t0.`id` = ? OR LOWER(CONVERT(t0.`name` USING utf8mb4)) COLLATE utf8mb4_bin LIKE ? ESCAPE '|') ORDER BY t0.`id` LIMIT 1",
    },
  ],
];

/** Published articles with their titles, those of author 7 with their status; authors of team 3. */
const { caller } = contextWith([
  { collection: 'articles', action: 'read', rule: { status: { _eq: 'published' } }, fields: ['id', 'title', 'author'] },
  { collection: 'articles', action: 'read', rule: { author: { _eq: 7 } }, fields: ['id', 'status'] },
  { collection: 'authors', action: 'read', rule: { team: { _eq: 3 } }, fields: ['id', 'name', 'articles'] },
]);

const underRules: readonly (readonly [string, string, string, Partial<Record<ReadVendor, string>>])[] = [
  [
    'a field that only some items show, answered and filtered',
    'articles',
    'fields=title,author.name&filter[title][_eq]=x&limit=1',
    {
      sqlite: `SELECT json_object('title', CASE WHEN t0."status" = 'published' THEN CAST(t0."title" AS TEXT) END, 'author', CASE WHEN t0."status" = 'published' THEN (SELECT json_object('name', CAST(t1."name" AS TEXT)) FROM "authors" t1 WHERE t1."id" = t0."author" AND t1."team" = 3) END) FROM (SELECT t0."title", t0."status", t0."author", t0."id" FROM "articles" t0 WHERE (t0."id" % 61 OR alive(t0."id")) AND ((t0."status" = 'published' OR t0."author" = 7) AND CASE WHEN t0."status" = 'published' THEN t0."title" END = ?) ORDER BY t0."id" LIMIT 1) t0`,
      postgres:
        'SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT CASE WHEN t0."status" = \'published\'::text THEN t0."title" END AS "title", CASE WHEN t0."status" = \'published\'::text THEN (SELECT row_to_json(r.*) AS j FROM (SELECT t1."name" AS "name" FROM "authors" t1 WHERE t1."id" = t0."author" AND t1."team" = 3::bigint) r) END AS "author" FROM "articles" t0 WHERE ((t0."status" = \'published\'::text OR t0."author" = 7::bigint) AND CASE WHEN t0."status" = \'published\'::text THEN t0."title" END = $1::text) ORDER BY t0."id" LIMIT 1) r) i',
      mariadb:
        "SELECT CONCAT('{\"title\":', CASE WHEN t0.`status` = 'published' THEN IFNULL(JSON_QUOTE(t0.`title`), 'null') ELSE 'null' END, ',\"author\":', CASE WHEN t0.`status` = 'published' THEN IFNULL((SELECT CONCAT('{\"name\":', IFNULL(JSON_QUOTE(t1.`name`), 'null'), '}') FROM `authors` t1 WHERE t1.`id` = t0.`author` AND t1.`team` = 3), 'null') ELSE 'null' END, '}') FROM `articles` t0 WHERE ((t0.`status` = 'published' OR t0.`author` = 7) AND CASE WHEN t0.`status` = 'published' THEN t0.`title` END = ?) ORDER BY t0.`id` LIMIT 1",
    },
  ],
  [
    'a list behind a column that only some items show',
    'authors',
    'fields=articles&filter[articles][title][_eq]=x&limit=1',
    {
      sqlite: `SELECT json_object('articles', (SELECT json_group_array(CASE WHEN t1."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t1."id" ELSE CAST(t1."id" AS TEXT) END) FROM (SELECT t1."id" FROM "articles" t1 WHERE t1."author" = t0."id" AND (t1."id" % 61 OR alive(t1."id")) AND ((t1."status" = 'published' OR t1."author" = 7) AND t1."status" = 'published') ORDER BY t1."id" LIMIT 100) t1)) FROM (SELECT t0."id" FROM "authors" t0 WHERE (t0."id" % 61 OR alive(t0."id")) AND (t0."team" = 3 AND EXISTS (SELECT 1 FROM "articles" t2 WHERE t2."author" = t0."id" AND (t2."id" % 61 OR alive(t2."id")) AND (((t2."status" = 'published' OR t2."author" = 7) AND t2."status" = 'published') AND CASE WHEN t2."status" = 'published' THEN t2."title" END = ?))) ORDER BY t0."id" LIMIT 1) t0`,
      postgres: `SELECT i.j::text FROM (SELECT row_to_json(r.*) AS j FROM (SELECT coalesce((SELECT json_agg(t1."id") FROM (SELECT t1."id" FROM "articles" t1 WHERE t1."author" = t0."id" AND ((t1."status" = 'published'::text OR t1."author" = 7::bigint) AND t1."status" = 'published'::text) ORDER BY t1."id" LIMIT 100) t1), '[]'::json) AS "articles" FROM "authors" t0 WHERE (t0."team" = 3::bigint AND EXISTS (SELECT 1 FROM "articles" t2 WHERE t2."author" = t0."id" AND (((t2."status" = 'published'::text OR t2."author" = 7::bigint) AND t2."status" = 'published'::text) AND CASE WHEN t2."status" = 'published'::text THEN t2."title" END = $1::text))) ORDER BY t0."id" LIMIT 1) r) i`,
      mariadb:
        "SELECT CONCAT('{\"articles\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(IFNULL(t1.`id` + 0, 'null') ORDER BY t1.`id` SEPARATOR ',' LIMIT 100) FROM `articles` t1 WHERE t1.`author` = t0.`id` AND ((t1.`status` = 'published' OR t1.`author` = 7) AND t1.`status` = 'published')), ''), ']'), '}') FROM `authors` t0 WHERE (t0.`team` = 3 AND EXISTS (SELECT 1 FROM `articles` t2 WHERE t2.`author` = t0.`id` AND (((t2.`status` = 'published' OR t2.`author` = 7) AND t2.`status` = 'published') AND CASE WHEN t2.`status` = 'published' THEN t2.`title` END = ?))) ORDER BY t0.`id` LIMIT 1",
      mysql8:
        "SELECT CONCAT('{\"articles\":', CONCAT('[', IFNULL((SELECT GROUP_CONCAT(IFNULL(t1.`id` + 0, 'null') ORDER BY t1.`id` SEPARATOR ',') FROM (SELECT t1.`id` FROM `articles` t1 WHERE t1.`author` = t0.`id` AND ((t1.`status` = 'published' OR t1.`author` = 7) AND t1.`status` = 'published') ORDER BY t1.`id` LIMIT 100) t1), ''), ']'), '}') FROM `authors` t0 WHERE (t0.`team` = 3 AND EXISTS (SELECT 1 FROM `articles` t2 WHERE t2.`author` = t0.`id` AND (((t2.`status` = 'published' OR t2.`author` = 7) AND t2.`status` = 'published') AND CASE WHEN t2.`status` = 'published' THEN t2.`title` END = ?))) ORDER BY t0.`id` LIMIT 1",
    },
  ],
  [
    'what only some items show is grouped as null',
    'articles',
    'groupBy[]=title&aggregate[count]=status&limit=1',
    {
      sqlite: `SELECT json_object('title', CAST(t1."c0" AS TEXT), 'count', json_object('status', count(t1."c1"))) FROM (SELECT CASE WHEN t0."status" = 'published' THEN t0."title" END AS "c0", CASE WHEN t0."author" = 7 THEN t0."status" END AS "c1" FROM "articles" t0 WHERE (t0."status" = 'published' OR t0."author" = 7)) t1 GROUP BY t1."c0" ORDER BY t1."c0" LIMIT 1`,
      postgres: `SELECT row_to_json(r.*)::text FROM (SELECT t1."c0" AS "title", json_build_object('status'::text, count(t1."c1")) AS "count" FROM (SELECT CASE WHEN t0."status" = 'published'::text THEN t0."title" END AS "c0", CASE WHEN t0."author" = 7::bigint THEN t0."status" END AS "c1" FROM "articles" t0 WHERE (t0."status" = 'published'::text OR t0."author" = 7::bigint)) t1 GROUP BY t1."c0" ORDER BY t1."c0" LIMIT 1) r`,
      mariadb:
        "SELECT CONCAT('{\"title\":', IFNULL(JSON_QUOTE(t1.`c0`), 'null'), ',\"count\":', CONCAT('{\"status\":', COUNT(t1.`c1`), '}'), '}') FROM (SELECT CASE WHEN t0.`status` = 'published' THEN t0.`title` END AS `c0`, CASE WHEN t0.`author` = 7 THEN t0.`status` END AS `c1` FROM `articles` t0 WHERE (t0.`status` = 'published' OR t0.`author` = 7)) t1 GROUP BY t1.`c0` ORDER BY t1.`c0` LIMIT 1",
    },
  ],
];

const vendorsOf = (expected: Partial<Record<ReadVendor, string>>): readonly ReadVendor[] => Object.keys(expected) as ReadVendor[];

describe('readToSql', () => {
  it.each(reads)('%s', (_, collection, search, expected) => {
    expect(readTexts(vendorsOf(expected), collection, search)).toEqual(expected);
  });

  it.each(underRules)('%s', (_, collection, search, expected) => {
    expect(readTexts(vendorsOf(expected), collection, search, { caller })).toEqual(expected);
  });
});
