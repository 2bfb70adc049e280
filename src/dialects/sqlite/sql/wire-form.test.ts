import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { render, trusted } from '../../../core/sql/sql.js';
import { readColumn } from '../catalogue/read-column.js';
import { scalarFunctions } from '../driver/functions.js';
import { wireForm } from './wire-form.js';

const database = new Database(':memory:');
for (const { name, call } of scalarFunctions.filter(({ name }) => name === 'moment_form')) database.function(name, { varargs: true }, call);

/** The answer of a column of the declared type for a value that another program has stored. */
function answer(declared: string, value: unknown, special: ColumnType | null = null): unknown {
  database.exec(`DROP TABLE IF EXISTS t; CREATE TABLE t (x ${declared})`);
  database.prepare('INSERT INTO t VALUES (?)').run(value);
  const fact = { table: 't', key: 0, name: 'x', declared, notNull: false, default: null, hidden: 0 };
  const column = readColumn(fact, { source: null, primaryKey: [], indexes: [], kind: 'table', values: new Map() });
  const { text } = render(wireForm({ sql: trusted('x'), type: special ?? column.type, column }, null), () => '?');
  return JSON.parse(String(database.prepare(`SELECT json_object('x', ${text}) FROM t`).pluck().get())).x;
}

it.each(['text', 'varchar(10)', 'integer'])(
  'of %s: bytes are answered as text, including those that SQLite would take for JSON',
  (declared) => {
    for (const text of ['1abc', '\u0001', 'äö', '']) expect(answer(declared, Buffer.from(text))).toBe(text);
    expect(answer(declared, null)).toBeNull();
    expect(answer(declared, 'x"y')).toBe('x"y');
  },
);

it('of numbers in a column that keeps them: a number; of numbers in a column that keeps text: text', () => {
  expect([answer('integer', 7), answer('integer', '12'), answer('text', 7)]).toEqual([7, 12, '7.0']);
});

it.each(['decimal(10,2)', 'real', 'bigint', 'boolean', 'date', 'datetime', 'timestamp', 'time', 'json', 'char(36)', 'blob', 'string'])(
  'of %s: bytes that mean nothing do not end the read',
  (declared) => {
    for (const bytes of ['ff', '31616263', '00', '']) expect(() => answer(declared, Buffer.from(bytes, 'hex')), bytes).not.toThrow();
  },
);

it.each(['json', 'csv', 'uuid', 'hash'] as const)('of text that is answered as %s: no failure either', (special) => {
  for (const bytes of ['ff', '31616263', '00', '']) expect(() => answer('text', Buffer.from(bytes, 'hex'), special), bytes).not.toThrow();
});
