// Makes a fixture of a project that Directus left on SQLite: its tables in a form that every vendor can be given (test/harness/directus-project.ts),
// its uploads, and a recording of its answers.
//   node scripts/make-directus-fixture.mjs database.sqlite uploads recorded.jsonl test/fixtures/directus/name.json.gz

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';

const [file, uploads, recorded, out] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const all = (sql, ...values) => database.prepare(sql).all(...values);

/** Columns that Directus declares as `datetime`, both timestamps and plain dates with a time: its own tables have two of the latter. */
const marked = new Set(
  all(
    "select collection, field from directus_fields where special like '%cast-timestamp%' or special like '%date-created%' or special like '%date-updated%'",
  ).map(({ collection, field }) => `${collection}.${field}`),
);
const momentOf = (table, column) => {
  if (table.startsWith('directus_')) return /^date_(start|end)$/.test(column) ? 'dateTime' : 'timestamp';
  return marked.has(`${table}.${column}`) ? 'timestamp' : 'dateTime';
};

function readTable({ name, sql }) {
  const columns = all('select * from pragma_table_info(?)', name);
  const keys = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const isNumbered = /autoincrement/i.test(sql);
  return {
    name,
    columns: columns.map(({ name: column, type, notnull, dflt_value: preset, pk }) => {
      const kind = type.toLowerCase() === 'datetime' ? momentOf(name, column) : type.toLowerCase();
      const flags = `${notnull ? 'n' : ''}${isNumbered && pk ? 'a' : ''}`;
      const given = preset === null || /^null$/i.test(preset) ? null : preset;
      return given !== null ? [column, kind, flags, given] : flags !== '' ? [column, kind, flags] : [column, kind];
    }),
    primaryKey: keys.map(({ name: column }) => column),
    foreignKeys: all('select * from pragma_foreign_key_list(?)', name).map((key) => [key.from, key.table, key.to ?? 'id', key.on_delete]),
    uniques: all("select name from pragma_index_list(?) where [unique] = 1 and origin <> 'pk'", name).map(({ name: index }) =>
      all('select name from pragma_index_info(?)', index).map(({ name: column }) => column),
    ),
    rows: all(`select * from "${name}"`).map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))),
  };
}

const project = {
  tables: all("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid").map(readTable),
  uploads: Object.fromEntries(readdirSync(uploads).map((name) => [name, readFileSync(join(uploads, name)).toString('base64')])),
  recorded: readFileSync(recorded, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
};
writeFileSync(out, gzipSync(JSON.stringify(project), { level: 9 }));
