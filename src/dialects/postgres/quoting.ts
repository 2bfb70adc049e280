// Names and literals inside DDL, where parameters are not allowed. NUL would end the statement's text on the wire.

import { invalidPayload } from '../../core/errors/service-error.js';
import type { TableName } from '../../core/schema/table-name.js';

export function quoteName(name: string): string {
  return `"${refuseNul(name).replaceAll('"', '""')}"`;
}

export const quoteTable = (table: TableName): string =>
  table.schema === null ? quoteName(table.name) : `${quoteName(table.schema)}.${quoteName(table.name)}`;

export const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');

/** standard_conforming_strings is on in every session, so a backslash is a backslash. */
export function quoteLiteral(value: string | number | boolean): string {
  return `'${refuseNul(String(value)).replaceAll("'", "''")}'`;
}

function refuseNul(text: string): string {
  if (text.includes('\0')) throw invalidPayload('A name or a default value contains the character U+0000.');
  return text;
}
