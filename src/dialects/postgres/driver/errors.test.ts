import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPostgres, openTestPostgres } from '../../../../test/harness/open-postgres.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { toDatabaseError } from './errors.js';

let database: OpenPostgres;

beforeAll(async () => {
  database = await openTestPostgres('errors');
  await database.run(
    'CREATE TABLE parents (id integer PRIMARY KEY, code text CONSTRAINT parents_code UNIQUE)',
    `CREATE TABLE "chil""dren" (id integer PRIMARY KEY, parent integer CONSTRAINT "to""parent" REFERENCES parents, self integer CONSTRAINT "self_chil""dren" REFERENCES "chil""dren",
      name varchar(3) NOT NULL DEFAULT '', age smallint CONSTRAINT grown CHECK (age > 0), day date, key uuid, data jsonb)`,
    "INSERT INTO parents VALUES (1, 'a')",
    'INSERT INTO "chil""dren" (id, parent) VALUES (1, 1)',
    'INSERT INTO "chil""dren" (id, self) VALUES (2, 1)',
    'CREATE VIEW shown AS SELECT code FROM parents',
  );
});

afterAll(() => database.remove());

async function failure(text: string, values: readonly string[] = []): Promise<DatabaseError> {
  const error: unknown = await database.dialect.driver.run({ kind: 'write', text, values }).catch((reason: unknown) => reason);
  if (!(error instanceof DatabaseError)) throw new Error('did not fail');
  return error;
}

const insert = (columns: string, values: string): string => `INSERT INTO "chil""dren" (id, ${columns}) VALUES (9, ${values})`;

describe('errors of the server', () => {
  it('names table and constraint of a duplicate value', async () => {
    expect(await failure("INSERT INTO parents VALUES (2, 'a')")).toMatchObject({
      kind: 'unique',
      table: 'parents',
      constraint: 'parents_code',
    });
  });

  it('distinguishes a missing parent from a parent that is still referenced', async () => {
    expect(await failure(insert('parent', '77'))).toMatchObject({ kind: 'foreign-key', table: 'chil"dren', constraint: 'to"parent' });
    expect(await failure('DELETE FROM parents')).toMatchObject({ kind: 'restrict', table: 'chil"dren', constraint: 'to"parent' });
    expect(await failure(insert('self', '77'))).toMatchObject({ kind: 'foreign-key' });
    expect(await failure('DELETE FROM "chil""dren" WHERE id = 1')).toMatchObject({ kind: 'restrict' });
  });

  it('names the column that may not be null', async () => {
    expect(await failure(insert('name', 'NULL'))).toMatchObject({ kind: 'not-null', table: 'chil"dren', columns: ['name'] });
  });

  it.each([
    ['too-long', insert('name', "'four'")],
    ['out-of-range', insert('age', '70000')],
    ['check', insert('age', '-1')],
    ['invalid-value', insert('day', "'2024-02-30'")],
    ['invalid-value', insert('day', "'x'")],
    ['invalid-value', insert('key', "'x'")],
    ['invalid-value', insert('data', "'{'")],
    ['invalid-value', insert('data', `'"\\u0000"'`)],
    ['stale-schema', 'SELECT nothing FROM parents'],
    ['stale-schema', 'SELECT 1 FROM nowhere'],
    ['unique', 'CREATE TABLE parents (id integer)'],
    ['restrict', 'ALTER TABLE parents DROP COLUMN code'],
    ['other', 'SELEC 1'],
  ])('calls it %s: %s', async (kind, text) => {
    expect((await failure(text)).kind).toBe(kind);
  });

  it('refuses NUL in a text as an invalid value', async () => {
    expect((await failure('SELECT $1::text', ['a\0b'])).kind).toBe('invalid-value');
  });

  it('reports a lock that was not granted in time', async () => {
    const { driver } = database.dialect;
    const blocked = driver.transaction(async (connection) => {
      await connection.run({ kind: 'write', text: 'LOCK TABLE parents', values: [] });
      return failure("DO $$ BEGIN PERFORM set_config('lock_timeout', '50', true); LOCK TABLE parents; END $$");
    });
    expect((await blocked).kind).toBe('locked');
  });
});

describe('errors of the driver', () => {
  it('reports a lost or refused connection as an unavailable server', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const kinds = [
      refused,
      new AggregateError([refused]),
      new Error('Connection terminated unexpectedly'),
      new Error('timeout expired'),
    ].map((error) => toDatabaseError(error).kind);
    expect(kinds).toEqual(['unavailable', 'unavailable', 'unavailable', 'unavailable']);
    expect(toDatabaseError(new TypeError('a mistake of ours')).kind).toBe('other');
  });

  it.each([
    ['unavailable', ['3D000', '28P01', '28000']],
    ['unavailable', ['53000', '53200', '53300', '53400', '57P01', '57P02', '57P03', '57P04', '57P05', '58000', '58030', 'XX001', 'XX002']],
    ['unavailable', ['08000', '08003', '08004', '08006', '08007', '08P01', '40003']],
    ['broken', ['08001', '22012', '55000', 'HV000']],
    ['read-only', ['25006']],
    ['full', ['53100']],
    ['deadlock', ['40000', '40001', '40P01']],
    ['locked', ['55P03']],
    ['retry', ['55006', '26000', '42P05']],
    ['timeout', ['57014', '25P03']],
    ['too-large', ['54000', '54001', '54011', '54023']],
    ['denied', ['42501']],
    ['other', ['42601', '0A000', 'XX000', '25P02', '99999']],
  ])('calls it %s: %j', (kind, codes) => {
    const kinds = codes.map((code) => toDatabaseError(Object.assign(new Error('no'), { code, severity: 'ERROR' })).kind);
    expect(kinds).toEqual(codes.map(() => kind));
  });

  it('distinguishes a statement that its caller stopped from one that took too long', () => {
    const stopped = Object.assign(new Error('canceling statement due to user request'), { code: '57014', severity: 'ERROR' });
    expect(toDatabaseError(stopped).kind).toBe('cancelled');
  });

  it('distinguishes both violations of a foreign key in other languages', () => {
    const german = (message: string) =>
      toDatabaseError(Object.assign(new Error(message), { code: '23503', severity: 'FEHLER', table: 'kind', constraint: 'kind_fk' })).kind;
    expect(german('Einfügen oder Aktualisieren in Tabelle „kind“ verletzt Fremdschlüssel-Constraint „kind_fk“')).toBe('foreign-key');
    expect(german('Aktualisieren oder Löschen in Tabelle „eltern“ verletzt Fremdschlüssel-Constraint „kind_fk“ von Tabelle „kind“')).toBe(
      'restrict',
    );
  });
});
