import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { type WriteVendorName, writeVendors } from '../../../../test/fixtures/write-vendors.js';
import type { Collection } from '../../schema/schema.js';
import { render, type Sql } from '../sql.js';
import { countByValues, selectByValues, type WriteVendor } from './keys-to-sql.js';
import { deleteToSql, updateEach, updateSame } from './update-to-sql.js';

function collection(name: string): Collection {
  const found = newsroomSchema.collections.get(name);
  if (found === undefined) throw new Error(`no collection ${name}`);
  return found;
}

/** The texts of the statements, per vendor. */
const texts = (make: (vendor: WriteVendor) => readonly { readonly statement: Sql }[], name: WriteVendorName): readonly string[] =>
  make(writeVendors[name]).map(({ statement }) => render(statement, (index) => writeVendors[name].syntax.placeholder(index)).text);

const row = (values: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> => new Map(Object.entries(values));

describe('updates', () => {
  const guard = { kind: 'nothing' } as const;

  it.each<[WriteVendorName, string]>([
    ['sqlite', 'UPDATE "teams" AS t0 SET "name" = ? WHERE t0."id" IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) AND 1=0'],
    ['postgres', 'UPDATE "teams" AS t0 SET "name" = $1 WHERE t0."id" = ANY($2::bigint[]) AND 1=0'],
    [
      'mariadb',
      "UPDATE `teams` AS t0 JOIN (SELECT 1) one SET t0.`name` = ? WHERE t0.`id` IN (SELECT k.v FROM JSON_TABLE(?, '$[*]' COLUMNS(v BIGINT PATH '$')) k) AND 1=0",
    ],
  ])('the same values for many keys, guarded (%s)', (name, text) => {
    expect(texts((vendor) => updateSame(vendor, collection('teams'), [[1], [2]], row({ name: 'x' }), guard), name)).toEqual([text]);
  });

  it.each<[WriteVendorName, string]>([
    ['sqlite', 'UPDATE "teams" AS t0 SET "name" = ? WHERE t0."id" = ? AND 1=0'],
    ['postgres', 'UPDATE "teams" AS t0 SET "name" = $1 WHERE t0."id" = $2::bigint AND 1=0'],
    ['mariadb', 'UPDATE `teams` AS t0 SET `name` = ? WHERE t0.`id` = ? AND 1=0'],
  ])('one key, guarded (%s)', (name, text) => {
    expect(texts((vendor) => updateSame(vendor, collection('teams'), [[1]], row({ name: 'x' }), guard), name)).toEqual([text]);
  });

  it.each<[WriteVendorName, string]>([
    [
      'sqlite',
      'WITH sqlite_v(k0, c0) AS (VALUES (?, ?), (?, ?)) UPDATE "teams" AS t0 SET "name" = v.c0 FROM sqlite_v AS v WHERE t0."id" = v.k0 AND 1=0',
    ],
    [
      'mariadb',
      'UPDATE `teams` AS t0 JOIN (SELECT CAST(? AS SIGNED) AS k0, ? AS c0 UNION ALL SELECT CAST(? AS SIGNED) AS k0, ? AS c0) v ON t0.`id` = v.k0 SET t0.`name` = v.c0 WHERE 1=0',
    ],
  ])('different values per key, guarded (%s)', (name, text) => {
    const rows = [
      { key: [1], values: row({ name: 'x' }) },
      { key: [2], values: row({ name: 'y' }) },
    ];
    expect(texts((vendor) => updateEach(vendor, collection('teams'), rows, guard), name)).toEqual([text]);
  });

  it.each<[WriteVendorName, string]>([
    ['sqlite', 'DELETE FROM "lines" AS t0 WHERE ((t0."order" = ? AND t0."place" = ?) OR (t0."order" = ? AND t0."place" = ?))'],
    [
      'postgres',
      'DELETE FROM "lines" AS t0 WHERE ((t0."order" = $1::bigint AND t0."place" = $2::bigint) OR (t0."order" = $3::bigint AND t0."place" = $4::bigint))',
    ],
    ['mariadb', 'DELETE t0 FROM `lines` AS t0 WHERE ((t0.`order` = ? AND t0.`place` = ?) OR (t0.`order` = ? AND t0.`place` = ?))'],
  ])('a delete by keys of several parts (%s)', (name, text) => {
    expect(
      texts(
        (vendor) =>
          deleteToSql(
            vendor,
            collection('lines'),
            [
              [1, 1],
              [1, 2],
            ],
            null,
          ),
        name,
      ),
    ).toEqual([text]);
  });
});

describe('selects', () => {
  it('locks what will be changed, where locks exist', () => {
    const wanted = {
      collection: collection('teams'),
      by: ['name'],
      lists: [['x'], ['y']],
      guard: null,
      locks: true,
      columns: ['id', 'name'],
    };
    const text = (name: WriteVendorName): string => texts((vendor) => [{ statement: selectByValues(vendor, wanted) }], name).join();
    expect(text('postgres')).toBe(
      'SELECT t0."id", t0."name" FROM "teams" t0 WHERE t0."name" = ANY($1::text[]) ORDER BY t0."id" FOR UPDATE',
    );
    expect(text('sqlite')).toBe('SELECT t0."id", t0."name" FROM "teams" t0 WHERE t0."name" IN (SELECT value FROM json_each(?))');
  });

  it('counts in one statement however many keys there are', () => {
    const lists = Array.from({ length: 1000 }, (_, index) => [index]);
    const statement = (vendor: WriteVendor): Sql =>
      countByValues(vendor, { collection: collection('teams'), by: ['id'], lists, guard: null });
    expect(texts((vendor) => [{ statement: statement(vendor) }], 'postgres')).toEqual([
      'SELECT COUNT(*) FROM "teams" t0 WHERE t0."id" = ANY($1::bigint[])',
    ]);
  });
});
