// One cell: numbers and booleans bare, null empty, everything else quoted.

/** How a text stands in its cell. */
export type Quote = (text: string) => string;

export function writeCell(value: unknown, quote: Quote): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quote(typeof value === 'string' ? value : JSON.stringify(value));
}

/** As it is, for programs. */
export const quoteRaw: Quote = (text) => `"${text.replaceAll('"', '""')}"`;

const formula = /^[=+\-@\t\r]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** What a spreadsheet would run as a formula gets an apostrophe in front; a text that is a number is left alone. */
export const quoteSafely: Quote = (text) => quoteRaw(formula.test(text) && !number.test(text) ? `'${text}` : text);
