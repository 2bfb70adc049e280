// Cells as spreadsheets put them on the clipboard and into files: rows of values with tabs or commas between them. A value that holds one of
// those, a line break or a quote is quoted.

export function printCells(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(quote).join('\t')).join('\n');
}

const quote = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A quote counts only at the beginning of a value, as in spreadsheets. A line break at the very end begins no row. */
export function parseCells(text: string, delimiter = '\t'): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  while (at <= source.length) {
    const { value, end } = source[at] === '"' ? readQuoted(source, at, delimiter) : readPlain(source, at, delimiter);
    row.push(value);
    if (source[end] !== delimiter) {
      rows.push(row);
      row = [];
    }
    at = end + 1;
  }
  return rows;
}

interface Read {
  readonly value: string;
  /** Where the separator behind the value is. */
  readonly end: number;
}

function readPlain(source: string, start: number, delimiter: string): Read {
  let end = start;
  while (end < source.length && source[end] !== delimiter && source[end] !== '\n') end += 1;
  return { value: source.slice(start, end), end };
}

function readQuoted(source: string, start: number, delimiter: string): Read {
  let value = '';
  let at = start + 1;
  for (;;) {
    const close = source.indexOf('"', at);
    // Never closed: the quote is a character like any other.
    if (close < 0) return readPlain(source, start, delimiter);
    value += source.slice(at, close);
    if (source[close + 1] !== '"') {
      const { value: rest, end } = readPlain(source, close + 1, delimiter);
      return { value: value + rest, end };
    }
    value += '"';
    at = close + 2;
  }
}
