// Quotes names and literals for DDL, which takes no parameters.

import { invalidPayload } from '../../../core/errors/service-error.js';

export const quoteName = (name: string): string => `"${refuseNul(name).replaceAll('"', '""')}"`;
export const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');
export const quoteText = (text: string): string => `'${refuseNul(text).replaceAll("'", "''")}'`;

/** SQLite reads a statement only up to the first NUL. */
function refuseNul(text: string): string {
  if (text.includes('\0')) throw invalidPayload('Names and default values may not contain the NUL character.');
  return text;
}
