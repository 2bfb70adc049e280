import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../test/fixtures/newsroom-schema.js';
import { type WriteVendorName, writeVendors } from '../../../test/fixtures/write-vendors.js';
import type { Collection } from '../schema/schema.js';
import { sql } from '../sql/sql.js';
import { written } from '../sql/written.js';
import { canAnswer, insertToSql } from './insert-to-sql.js';
import { KeyBatch } from './key-batch.js';

function collection(name: string): Collection {
  const found = newsroomSchema.collections.get(name);
  if (found === undefined) throw new Error(`no collection ${name}`);
  return found;
}

const row = (values: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> => new Map(Object.entries(values));

describe('insertToSql', () => {
  it.each<[WriteVendorName, string]>([
    ['sqlite', 'INSERT INTO "teams" ("name") VALUES (?), (?) RETURNING "id"'],
    ['postgres', 'INSERT INTO "teams" ("name") VALUES ($1), ($2) RETURNING "id"'],
    ['mariadb', 'INSERT INTO `teams` (`name`) VALUES (?), (?) RETURNING `id`'],
    ['mysql8', 'INSERT INTO `teams` (`name`) VALUES (?), (?)'],
  ])('several rows in one statement (%s)', (name, text) => {
    const [insert] = insertToSql(writeVendors[name], collection('teams'), [row({ name: 'a' }), row({ name: 'b' })], { fields: ['id'] });
    expect(insert).toMatchObject({ kind: 'insert', tables: ['teams'], text, values: ['a', 'b'], count: 2 });
  });

  it.each<[WriteVendorName, string]>([
    ['sqlite', 'INSERT INTO "teams" ("id", "name") VALUES (?, ?)'],
    ['postgres', 'INSERT INTO "teams" ("id", "name") OVERRIDING SYSTEM VALUE VALUES ($1, $2)'],
    ['mariadb', 'INSERT INTO `teams` (`id`, `name`) VALUES (?, ?)'],
  ])('a key given for a generated column (%s)', (name, text) => {
    expect(insertToSql(writeVendors[name], collection('teams'), [row({ id: 7, name: 'a' })], { fields: [] })).toMatchObject([
      { text, count: 1 },
    ]);
  });

  it.each<[WriteVendorName, string]>([
    ['sqlite', 'INSERT INTO "teams" ("id") VALUES (NULL), (NULL) RETURNING "id"'],
    ['postgres', 'INSERT INTO "teams" ("id") VALUES (DEFAULT), (DEFAULT) RETURNING "id"'],
    ['mariadb', 'INSERT INTO `teams` (`id`) VALUES (DEFAULT), (DEFAULT) RETURNING `id`'],
  ])('rows of defaults alone (%s)', (name, text) => {
    expect(insertToSql(writeVendors[name], collection('teams'), [row({}), row({})], { fields: ['id'] })).toMatchObject([
      { text, count: 2 },
    ]);
  });

  it('splits only where the parameters end', () => {
    const rows = Array.from({ length: 40_000 }, (_, index) => row({ name: `n${index}`, email: null }));
    const counts = (name: WriteVendorName): readonly number[] =>
      insertToSql(writeVendors[name], collection('authors'), rows, { fields: ['id'] }).map(({ count }) => count);
    expect(counts('sqlite')).toEqual([16_000, 16_000, 8000]);
    expect(counts('postgres')).toEqual([32_500, 7500]);
  });

  it.each<[WriteVendorName, string]>([
    ['sqlite', 'RETURNING "id"'],
    ['postgres', `RETURNING "id", set_config('tain.keys4', concat(current_setting('tain.keys4', true), "id", ','), true)`],
    ['mariadb', 'RETURNING `id`'],
  ])('stores the keys of a batch for later statements, where the driver does not (%s)', (name, returning) => {
    const batch = new KeyBatch(4, 2);
    const [insert] = insertToSql(writeVendors[name], collection('teams'), [row({ name: 'a' }), row({ name: 'b' })], {
      fields: ['id'],
      batch,
    });
    expect(insert?.text.endsWith(returning)).toBe(true);
  });

  it.each<[WriteVendorName, string]>([
    ['sqlite', '(?, ?), (?, ?)'],
    ['postgres', `($1, split_part(current_setting('tain.keys0'), ',', 2)::integer), ($2, $3)`],
    ['mariadb', '(?, CAST((@tain_keys0 + 1 * @@auto_increment_increment) AS SIGNED)), (?, ?)'],
  ])('refers to pending keys, in few rows as in many (%s)', (name, rows) => {
    const pending = new KeyBatch(0, 2).key(1);
    const two = [row({ name: 'a', team: pending }), row({ name: 'b', team: 5 })];
    const [few] = insertToSql(writeVendors[name], collection('authors'), two, { fields: [] });
    expect(few?.text).toContain(`VALUES ${rows}`);
    const many = [...two, ...Array.from({ length: 30 }, () => row({ name: 'c', team: 6 }))];
    const [bulk] = insertToSql(writeVendors[name], collection('authors'), many, { fields: [] });
    expect(bulk?.text).toContain(`VALUES ${rows}, (`);
    expect(bulk?.pending ?? []).toEqual(name === 'sqlite' ? [{ at: 1, pending }] : []);
  });
});

it('an answer with parameters is returned by few rows only', () => {
  const { syntax } = writeVendors.postgres;
  const bound = sql`${syntax.param(written('x'), 'string', null)}`;
  expect([canAnswer(bound, 16), canAnswer(bound, 17), canAnswer(sql`"id"`, 17)]).toEqual([true, false, true]);
});
