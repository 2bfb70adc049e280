// A small project as Directus 11 and 12 left it (test/fixtures/directus, made by scripts/make-directus-fixture.mjs), as a script for each
// vendor: types, keys and values in the form that Directus gives them there.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Recording } from './recorded-answers.js';
import type { VendorName } from './vendors.js';

type Value = string | number;

export interface Table {
  readonly name: string;
  /** Name, type, flags (n: not null, a: numbered by the database) and default. */
  readonly columns: readonly (readonly [name: string, type: string, flags?: string, preset?: string])[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly (readonly [column: string, table: string, target: string, onDelete: string])[];
  readonly uniques: readonly (readonly string[])[];
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

export interface DirectusProject {
  readonly tables: readonly Table[];
  /** Contents by their names, in Base64. */
  readonly uploads: Readonly<Record<string, string>>;
  /** Requests and the answers of Directus to them. */
  readonly recorded: Recording;
}

export const readProject = (version: 11 | 12 = 11): DirectusProject =>
  JSON.parse(gunzipSync(readFileSync(new URL(`../fixtures/directus/magazine-${version}.json.gz`, import.meta.url))).toString('utf8'));

export function writeUploads({ uploads }: DirectusProject, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(uploads)) writeFileSync(join(folder, name), Buffer.from(content, 'base64'));
}

interface Form {
  quote(name: string): string;
  readonly types: Readonly<Record<string, string>>;
  numbered(name: string): string;
  readonly before: string;
  readonly after: (tables: readonly Table[]) => string;
  /** Whether foreign keys are part of the table; else they are added at the end. */
  readonly keysInside: boolean;
}

const forms: Readonly<Record<VendorName, Form>> = {
  sqlite: {
    quote: (name) => `"${name}"`,
    types: { timestamp: 'datetime', dateTime: 'datetime', 'numeric(12,4)': 'float', binary: 'blob' },
    numbered: (name) => `"${name}" integer PRIMARY KEY AUTOINCREMENT NOT NULL`,
    before: 'PRAGMA foreign_keys = OFF; BEGIN;',
    after: () => 'COMMIT; PRAGMA foreign_keys = ON;',
    keysInside: true,
  },
  postgres: {
    quote: (name) => `"${name}"`,
    types: { 'char(36)': 'uuid', timestamp: 'timestamptz', dateTime: 'timestamp', float: 'real', binary: 'bytea' },
    numbered: (name) => `"${name}" serial NOT NULL`,
    before: '',
    after: (tables) =>
      tables
        .filter(isNumbered)
        .map(({ name }) => `SELECT setval(pg_get_serial_sequence('"${name}"', 'id'), COALESCE((SELECT max(id) FROM "${name}"), 1));`)
        .join('\n'),
    keysInside: false,
  },
  mysql: {
    quote: (name) => `\`${name}\``,
    types: { dateTime: 'datetime', timestamp: 'timestamp NULL', integer: 'int', float: 'float(8, 2)', binary: 'blob' },
    numbered: (name) => `\`${name}\` int unsigned NOT NULL AUTO_INCREMENT`,
    before: "SET time_zone = '+00:00';",
    after: () => '',
    keysInside: false,
  },
};

const isNumbered = ({ columns }: Table): boolean => columns.some(([, , flags = '']) => flags.includes('a'));

export function projectScript({ tables }: DirectusProject, vendor: VendorName): string {
  const form = forms[vendor];
  const numbered = new Set(tables.filter(isNumbered).map(({ name }) => name));
  const keys = tables.flatMap((table) => (form.keysInside ? [] : table.foreignKeys.map((key) => addKey(form, table.name, key))));
  return [
    form.before,
    ...tables.map((table) => createTable(form, table, vendor, numbered)),
    ...tables.flatMap((table) => insertRows(form, table, vendor)),
    ...keys,
    form.after(tables),
  ].join('\n');
}

const keyClause = ({ quote }: Form, [column, table, target, onDelete]: Table['foreignKeys'][number]): string =>
  `FOREIGN KEY (${quote(column)}) REFERENCES ${quote(table)} (${quote(target)}) ON DELETE ${onDelete}`;

const addKey = (form: Form, table: string, key: Table['foreignKeys'][number]): string =>
  `ALTER TABLE ${form.quote(table)} ADD CONSTRAINT ${form.quote(`${table}_${key[0]}_foreign`)} ${keyClause(form, key)};`;

function createTable(form: Form, table: Table, vendor: VendorName, numbered: ReadonlySet<string>): string {
  const { quote } = form;
  const toNumbered = new Set(table.foreignKeys.filter(([, other]) => numbered.has(other)).map(([column]) => column));
  const lines = table.columns.map(([name, type, flags = '', preset]) => {
    if (flags.includes('a')) return form.numbered(name);
    const unsigned = vendor === 'mysql' && toNumbered.has(name) ? ' unsigned' : '';
    const long = vendor === 'mysql' && (type === 'text' || type === 'json');
    return [
      `${quote(name)} ${form.types[type] ?? type}${unsigned}`,
      flags.includes('n') ? ' NOT NULL' : '',
      preset === undefined || long ? '' : ` DEFAULT ${preset}`,
    ].join('');
  });
  const isInside = vendor === 'sqlite' && isNumbered(table);
  const clauses = [
    ...(isInside || table.primaryKey.length === 0 ? [] : [`PRIMARY KEY (${table.primaryKey.map(quote).join(', ')})`]),
    ...table.uniques.map((columns) => `UNIQUE (${columns.map(quote).join(', ')})`),
    ...(form.keysInside ? table.foreignKeys.map((key) => keyClause(form, key)) : []),
  ];
  return `CREATE TABLE ${quote(table.name)} (${[...lines, ...clauses].join(', ')});`;
}

function insertRows(form: Form, { name, columns, rows }: Table, vendor: VendorName): readonly string[] {
  const types = new Map(columns.map(([column, type]) => [column, type]));
  return rows.map((row) => {
    const names = Object.keys(row);
    const values = names.map((column) => literal(row[column] ?? '', types.get(column) ?? 'text', vendor));
    return `INSERT INTO ${form.quote(name)} (${names.map(form.quote).join(', ')}) VALUES (${values.join(', ')});`;
  });
}

/** Moments are numbers of milliseconds in SQLite and texts elsewhere. */
function literal(value: Value, type: string, vendor: VendorName): string {
  if (vendor === 'postgres' && type === 'boolean') return value === 1 ? 'true' : 'false';
  if (typeof value === 'number') return vendor === 'sqlite' ? String(value) : `'${momentText(value, type, vendor) ?? value}'`;
  const text = vendor === 'mysql' ? value.replaceAll('\\', '\\\\') : value;
  return `'${text.replaceAll("'", "''")}'`;
}

function momentText(value: number, type: string, vendor: VendorName): string | null {
  if (!['date', 'dateTime', 'timestamp'].includes(type)) return null;
  // A TIMESTAMP of MariaDB ends in 2038.
  const text = new Date(vendor === 'mysql' && type === 'timestamp' ? Math.min(value, Date.UTC(2038, 0)) : value).toISOString();
  if (type === 'date') return text.slice(0, 10);
  if (type === 'dateTime') return text.slice(0, 19).replace('T', ' ');
  return text.slice(0, 23).replace('T', ' ');
}
