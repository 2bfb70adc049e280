// Exports as CSV: a header, then one line per item. Lines are separated by `\n`, without one at the end; without items the file is empty.

import type { AnswerColumn } from '../../../core/plan/read/answer-columns.js';
import { type CsvColumn, type CsvRow, findColumns, givenColumns, hasOpenColumns, valueIn } from './csv-columns.js';
import type { Batches } from './write-formats.js';

/** The most rows that are held back until their columns are known. */
const maxWaiting = 1000;

export interface CsvStyle {
  /** Written before the header. */
  readonly prefix?: string;
  readonly quote?: Quote;
}

export async function* writeCsv(
  batches: Batches,
  columns: readonly AnswerColumn[],
  { prefix = '', quote = quoteSafely }: CsvStyle,
): AsyncGenerator<string> {
  const waiting: string[] = [];
  let known = hasOpenColumns(columns) ? null : givenColumns(columns);
  let isFirst = true;
  for await (const batch of batches) {
    waiting.push(...batch);
    if (waiting.length === 0 || (known === null && waiting.length <= maxWaiting)) continue;
    known ??= givenColumns(columns);
    yield (isFirst ? prefix + writeHeader(known, quote) : '') + writeRows(waiting, known, quote);
    isFirst = false;
    waiting.length = 0;
  }
  if (waiting.length === 0) return;
  const found = findColumns(columns, waiting.map(parseRow));
  yield prefix + writeHeader(found, quote) + writeRows(waiting, found, quote);
}

const parseRow = (text: string): CsvRow => JSON.parse(text);

const writeHeader = (columns: readonly CsvColumn[], quote: Quote): string => columns.map(({ path }) => quote(path.join('.'))).join(',');

/** Parses one row at a time, so that a large batch is in memory only as text. */
function writeRows(texts: readonly string[], columns: readonly CsvColumn[], quote: Quote): string {
  let written = '';
  for (const text of texts) {
    const row = parseRow(text);
    let separator = '\n';
    for (const column of columns) {
      written += separator + writeCell(valueIn(row, column), quote);
      separator = ',';
    }
  }
  return written;
}

/** Writes a text as a cell. */
export type Quote = (text: string) => string;

/** Numbers and booleans are not quoted, null is empty, everything else is quoted. */
function writeCell(value: unknown, quote: Quote): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quote(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Quotes the text unchanged, for programs. */
export const quoteRaw: Quote = (text) => `"${text.replaceAll('"', '""')}"`;

const formula = /^[=+\-@\t\r]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula, unless it is a number. */
const quoteSafely: Quote = (text) => quoteRaw(formula.test(text) && !number.test(text) ? `'${text}` : text);
