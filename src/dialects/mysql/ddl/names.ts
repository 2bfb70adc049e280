// Names of tables, keys and constraints in DDL. A name has at most 64 characters.

import { createHash } from 'node:crypto';
import type { TableName } from '../../../core/schema/table-name.js';
import { quoteName } from '../types/quote.js';

const maxLength = 64;
const digits = 8;

/** Cuts a name that is too long and appends a hash of all of it, so that the result is unique and always the same. */
export const fitName = (name: string): string =>
  name.length <= maxLength
    ? name
    : `${name.slice(0, maxLength - digits - 1)}_${createHash('sha256').update(name).digest('hex').slice(0, digits)}`;

export const indexName = (table: TableName, columns: readonly string[], unique: boolean): string =>
  fitName(`${table.name}_${columns.join('_')}_${unique ? 'unique' : 'index'}`);

export const quoteTable = (table: TableName): string =>
  table.schema === null ? quoteName(table.name) : `${quoteName(table.schema)}.${quoteName(table.name)}`;

export const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');
