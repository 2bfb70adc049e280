// CSV: a header, then one line per item, lines joined by `\n` and none at the end; nothing at all without items.

import type { AnswerColumn } from '../../../core/plan/answer-columns.js';
import type { Batches } from './batches.js';
import { type Quote, quoteSafely, writeCell } from './csv-cell.js';
import { type CsvColumn, type CsvRow, findColumns, givenColumns, hasOpenColumns, valueIn } from './csv-columns.js';

/** So many rows may wait until their columns are known. */
const WAITING_ROWS = 1000;

export interface CsvStyle {
  /** Before everything. */
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
    if (waiting.length === 0 || (known === null && waiting.length <= WAITING_ROWS)) continue;
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

/** Row by row, so that of a large batch only its texts are in memory at once. */
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
