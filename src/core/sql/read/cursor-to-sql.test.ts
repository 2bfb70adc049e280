import { describe, expect, it } from 'vitest';
import { type ReadVendor, readTexts } from '../../../../test/fixtures/read-statements.js';
import type { Window } from '../../plan/read/bind-window.js';

const places: readonly (readonly [string, string, Window, Partial<Record<ReadVendor, string>>])[] = [
  [
    'the first page: one item more, each with its marks',
    'fields=id&limit=2',
    { backwards: false, nulls: null },
    {
      sqlite: `SELECT json_object('id', CASE WHEN t0."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t0."id" ELSE CAST(t0."id" AS TEXT) END), json_array(CAST(t0."id" AS TEXT)) FROM (SELECT t0."id" FROM "articles" t0 ORDER BY t0."id" LIMIT 3) t0`,
      postgres:
        'SELECT (SELECT row_to_json(o.*) FROM (SELECT t0."id" AS "id") o)::text, json_build_array(t0."id"::text)::text FROM "articles" t0 ORDER BY t0."id" LIMIT 3',
      mariadb:
        "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), '}'), CONCAT('[', IFNULL(JSON_QUOTE(CAST(t0.`id` AS CHAR CHARACTER SET utf8mb4)), 'null'), ']') FROM `articles` t0 ORDER BY t0.`id` LIMIT 3",
    },
  ],
  [
    'behind a place',
    'fields=id&sort=-status,title&limit=2',
    { backwards: false, nulls: [false, false, false] },
    {
      sqlite: `SELECT json_object('id', CASE WHEN t0."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t0."id" ELSE CAST(t0."id" AS TEXT) END), json_array(CAST(t0."status" AS TEXT), CAST(t0."title" AS TEXT), CAST(t0."id" AS TEXT)) FROM (SELECT t0."id", t0."status", t0."title" FROM "articles" t0 WHERE (t0."status" <= ? OR t0."status" IS NULL) AND ((t0."status" < ? OR t0."status" IS NULL) OR (t0."status" = ? AND (t0."title" > ? OR (t0."title" = ? AND t0."id" > ?)))) ORDER BY t0."status" DESC, t0."title", t0."id" LIMIT 3) t0`,
      postgres:
        'SELECT (SELECT row_to_json(o.*) FROM (SELECT t0."id" AS "id") o)::text, json_build_array(t0."status"::text, t0."title"::text, t0."id"::text)::text FROM "articles" t0 WHERE t0."status" <= $1::text AND (t0."status" < $2::text OR (t0."status" = $3::text AND (t0."title" > $4::text OR (t0."title" = $5::text AND t0."id" > $6::bigint)))) ORDER BY t0."status" DESC, t0."title", t0."id" LIMIT 3',
      mariadb:
        "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), '}'), CONCAT('[', IFNULL(JSON_QUOTE(CAST(t0.`status` AS CHAR CHARACTER SET utf8mb4)), 'null'), ',', IFNULL(JSON_QUOTE(CAST(t0.`title` AS CHAR CHARACTER SET utf8mb4)), 'null'), ',', IFNULL(JSON_QUOTE(CAST(t0.`id` AS CHAR CHARACTER SET utf8mb4)), 'null'), ']') FROM `articles` t0 WHERE (t0.`status` <= ? OR t0.`status` IS NULL) AND ((t0.`status` < ? OR t0.`status` IS NULL) OR (t0.`status` = ? AND (t0.`title` > ? OR (t0.`title` = ? AND t0.`id` > ?)))) ORDER BY t0.`status` DESC, t0.`title`, t0.`id` LIMIT 3",
    },
  ],
  [
    'behind a null',
    'fields=id&sort=status&limit=2',
    { backwards: false, nulls: [true, false] },
    {
      sqlite: `SELECT json_object('id', CASE WHEN t0."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t0."id" ELSE CAST(t0."id" AS TEXT) END), json_array(CAST(t0."status" AS TEXT), CAST(t0."id" AS TEXT)) FROM (SELECT t0."id", t0."status" FROM "articles" t0 WHERE (t0."status" IS NOT NULL OR (t0."status" IS NULL AND t0."id" > ?)) ORDER BY t0."status", t0."id" LIMIT 3) t0`,
      postgres:
        'SELECT (SELECT row_to_json(o.*) FROM (SELECT t0."id" AS "id") o)::text, json_build_array(t0."status"::text, t0."id"::text)::text FROM "articles" t0 WHERE (t0."status" IS NULL AND t0."id" > $1::bigint) ORDER BY t0."status", t0."id" LIMIT 3',
      mariadb:
        "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), '}'), CONCAT('[', IFNULL(JSON_QUOTE(CAST(t0.`status` AS CHAR CHARACTER SET utf8mb4)), 'null'), ',', IFNULL(JSON_QUOTE(CAST(t0.`id` AS CHAR CHARACTER SET utf8mb4)), 'null'), ']') FROM `articles` t0 WHERE (t0.`status` IS NOT NULL OR (t0.`status` IS NULL AND t0.`id` > ?)) ORDER BY t0.`status`, t0.`id` LIMIT 3",
    },
  ],
  [
    'before a place: the order turned round',
    'fields=id&sort=author.name&limit=2',
    { backwards: true, nulls: [false, false] },
    {
      sqlite: `SELECT json_object('id', CASE WHEN t0."id" BETWEEN -9007199254740991 AND 9007199254740991 THEN t0."id" ELSE CAST(t0."id" AS TEXT) END), json_array(CAST(t0."_o0" AS TEXT), CAST(t0."id" AS TEXT)) FROM (SELECT t0."id", (SELECT t1."name" FROM "authors" t1 WHERE t1."id" = t0."author") AS "_o0" FROM "articles" t0 WHERE ((SELECT t2."name" FROM "authors" t2 WHERE t2."id" = t0."author") <= ? OR (SELECT t2."name" FROM "authors" t2 WHERE t2."id" = t0."author") IS NULL) AND (((SELECT t2."name" FROM "authors" t2 WHERE t2."id" = t0."author") < ? OR (SELECT t2."name" FROM "authors" t2 WHERE t2."id" = t0."author") IS NULL) OR ((SELECT t2."name" FROM "authors" t2 WHERE t2."id" = t0."author") = ? AND t0."id" < ?)) ORDER BY (SELECT t1."name" FROM "authors" t1 WHERE t1."id" = t0."author") DESC, t0."id" DESC LIMIT 3) t0`,
      postgres:
        'SELECT (SELECT row_to_json(o.*) FROM (SELECT t0."id" AS "id") o)::text, json_build_array((SELECT t1."name" FROM "authors" t1 WHERE t1."id" = t0."author")::text, t0."id"::text)::text FROM "articles" t0 WHERE (SELECT t2."name" FROM "authors" t2 WHERE t2."id" = t0."author") <= $1::text AND ((SELECT t2."name" FROM "authors" t2 WHERE t2."id" = t0."author") < $2::text OR ((SELECT t2."name" FROM "authors" t2 WHERE t2."id" = t0."author") = $3::text AND t0."id" < $4::bigint)) ORDER BY (SELECT t1."name" FROM "authors" t1 WHERE t1."id" = t0."author") DESC, t0."id" DESC LIMIT 3',
      mariadb:
        "SELECT CONCAT('{\"id\":', IFNULL(t0.`id` + 0, 'null'), '}'), CONCAT('[', IFNULL(JSON_QUOTE(CAST((SELECT t1.`name` FROM `authors` t1 WHERE t1.`id` = t0.`author`) AS CHAR CHARACTER SET utf8mb4)), 'null'), ',', IFNULL(JSON_QUOTE(CAST(t0.`id` AS CHAR CHARACTER SET utf8mb4)), 'null'), ']') FROM `articles` t0 WHERE ((SELECT t2.`name` FROM `authors` t2 WHERE t2.`id` = t0.`author`) <= ? OR (SELECT t2.`name` FROM `authors` t2 WHERE t2.`id` = t0.`author`) IS NULL) AND (((SELECT t2.`name` FROM `authors` t2 WHERE t2.`id` = t0.`author`) < ? OR (SELECT t2.`name` FROM `authors` t2 WHERE t2.`id` = t0.`author`) IS NULL) OR ((SELECT t2.`name` FROM `authors` t2 WHERE t2.`id` = t0.`author`) = ? AND t0.`id` < ?)) ORDER BY (SELECT t1.`name` FROM `authors` t1 WHERE t1.`id` = t0.`author`) DESC, t0.`id` DESC LIMIT 3",
    },
  ],
];

describe('cursorToSql', () => {
  it.each(places)('%s', (_, search, window, expected) => {
    expect(readTexts(Object.keys(expected) as ReadVendor[], 'articles', search, { window })).toEqual(expected);
  });
});
