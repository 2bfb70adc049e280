// One cell: numbers and booleans bare, null empty, everything else quoted. Text that a spreadsheet would run as a formula gets an
// apostrophe in front; a text that is a number is left alone.

const formula = /^[=+\-@\t\r]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

export function writeCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quote(typeof value === 'string' ? value : JSON.stringify(value));
}

export const quote = (text: string): string => `"${neutralise(text).replaceAll('"', '""')}"`;

const neutralise = (text: string): string => (formula.test(text) && !number.test(text) ? `'${text}` : text);
