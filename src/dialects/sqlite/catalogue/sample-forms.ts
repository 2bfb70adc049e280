// Determines the form in which each column for dates, times and booleans stores its values, by reading a bounded number of rows per table, so
// that the cost of a start does not depend on the size of the file. A column for dates without values gets the form that most others have.

import type { RawColumn, RawTable } from '../../../core/schema/raw.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { isClock, isPlainClock, numberText } from '../types/clocks.js';
import { digitsOf, findForm, isMoment, type MomentForm } from '../types/moments.js';
import { quoteName, quoteText } from '../types/quote.js';
import { findWords } from '../types/truths.js';

/** The number of rows to read from each end of a table. */
const rowsPerEnd = 50;
/** A compound SELECT has at most 500 parts. */
const tablesPerStatement = 100;

type Samples = readonly (readonly unknown[])[];

export async function sampleForms(connection: Connection, tables: readonly RawTable[]): Promise<readonly RawTable[]> {
  const asked = tables.filter((table) => table.kind === 'table' && sampled(table).length > 0);
  const samples = new Map<string, Samples>();
  for (let from = 0; from < asked.length; from += tablesPerStatement) {
    const text = asked
      .slice(from, from + tablesPerStatement)
      .map(sampleText)
      .join(' UNION ALL ');
    for (const [name, values] of await connection.rows({ kind: 'read', text, values: [] }))
      samples.set(String(name), JSON.parse(String(values)));
  }
  if (samples.size === 0) return tables;
  const found = new Map(asked.map((table) => [table.name, formsOf(table, samples.get(table.name) ?? [])]));
  const usual = usualForm([...found.values()].flatMap((forms) => [...forms.values()]));
  return tables.map((table) => {
    const forms = found.get(table.name);
    if (forms === undefined) return table;
    const rows = samples.get(table.name) ?? [];
    return { ...table, columns: table.columns.map((column) => withWords(withForm(column, forms, usual), valuesOf(table, column, rows))) };
  });
}

const sampled = ({ columns }: RawTable): readonly RawColumn[] =>
  columns.filter(({ type }) => isMoment(type) || type === 'time' || type === 'boolean');

/** Selects one row: the name of the table, and a JSON array of sample rows. Blobs are read as NULL, because JSON cannot contain them. */
function sampleText(table: RawTable): string {
  const names = sampled(table).map(({ name }) => quoteName(name));
  const cells = names.map((name) => `CASE typeof(${name}) WHEN 'blob' THEN NULL WHEN 'text' THEN substr(${name}, 1, 40) ELSE ${name} END`);
  const from = `FROM ${quoteName(table.name)}`;
  const [key] = table.columns.filter((column) => column.autoIncrement);
  const last =
    key === undefined
      ? ''
      : ` UNION ALL SELECT * FROM (SELECT ${names.join(', ')} ${from} ORDER BY ${quoteName(key.name)} DESC LIMIT ${rowsPerEnd})`;
  const rows = `SELECT * FROM (SELECT ${names.join(', ')} ${from} LIMIT ${rowsPerEnd})${last}`;
  return `SELECT ${quoteText(table.name)}, json_group_array(json_array(${cells.join(', ')})) FROM (${rows})`;
}

function valuesOf(table: RawTable, column: RawColumn, rows: Samples): readonly unknown[] {
  const index = sampled(table).indexOf(column);
  return index === -1 ? [] : rows.map((row) => row[index] ?? null);
}

type Found = MomentForm | 'text' | null | undefined;

/** By column; undefined if every sample is NULL. */
function formsOf(table: RawTable, rows: Samples): ReadonlyMap<string, Found> {
  return new Map(
    sampled(table)
      .filter(({ type }) => isMoment(type))
      .map((column) => {
        const values = valuesOf(table, column, rows);
        return [column.name, values.every((value) => value === null) ? undefined : findForm(column.type, values)];
      }),
  );
}

/** The unit of the numeric columns if they outnumber the text columns: a program usually stores all its timestamps alike. */
function usualForm(forms: readonly Found[]): MomentForm | null {
  const numbers = forms.filter((form) => typeof form === 'object' && form?.kind === 'number');
  const texts = forms.filter((form) => form !== undefined && !(typeof form === 'object' && form?.kind === 'number'));
  const [first] = numbers;
  return numbers.length > texts.length && typeof first === 'object' ? first : null;
}

function withForm(column: RawColumn, forms: ReadonlyMap<string, Found>, usual: MomentForm | null): RawColumn {
  if (!forms.has(column.name)) return column;
  const own = forms.get(column.name);
  if (own === 'text') return { ...column, type: 'text' };
  const neighbours = usualForm([...forms.values()]) ?? usual;
  const form = own === undefined ? neighbours : own;
  if (form === null) return column;
  return { ...column, fraction: digitsOf(form), vendor: { ...column.vendor, form: own === undefined ? { ...form, mixed: false } : form } };
}

/** What the samples say of booleans and times of day. */
function withWords(column: RawColumn, values: readonly unknown[]): RawColumn {
  if (column.type === 'boolean') {
    const words = findWords(values);
    return words === null ? column : { ...column, vendor: { ...column.vendor, words } };
  }
  if (column.type !== 'time' || values.every((value) => value === null || isPlainClock(value))) return column;
  if (!values.some(isClock)) return { ...column, type: 'text' };
  const hasNumbers = values.some((value) => typeof value === 'number');
  return { ...column, ...(hasNumbers ? { alsoAccepts: numberText } : {}), vendor: { ...column.vendor, clocks: 'mixed' } };
}
