// Quotes names and literals for DDL, which takes no parameters. NUL is refused: it would end the text of the statement on the wire.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { TableName } from '../../../core/schema/table-name.js';

export function quoteName(name: string): string {
  return `"${refuseNul(name).replaceAll('"', '""')}"`;
}

export const quoteTable = (table: TableName): string =>
  table.schema === null ? quoteName(table.name) : `${quoteName(table.schema)}.${quoteName(table.name)}`;

export const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');

/** Every session sets standard_conforming_strings, so a backslash needs no escape. */
export function quoteLiteral(value: string | number | boolean): string {
  return `'${refuseNul(String(value)).replaceAll("'", "''")}'`;
}

function refuseNul(text: string): string {
  if (text.includes('\0')) throw invalidPayload('A name or a default value contains the character U+0000.');
  return text;
}
