// Names of collections inside of stored values: a text, texts joined by commas, or any JSON that contains such a text as a whole.

import type { ColumnType } from '../../../core/schema/types/field-type.js';

type Rename = (name: string) => string;

/** Renames in a value as it is written: JSON and lists of texts are one text each. The same value if nothing in it is renamed. */
export function renameStored(value: unknown, type: ColumnType, rename: Rename): unknown {
  if (typeof value !== 'string') return renameWithin(value, rename);
  if (type === 'csv') return value.split(',').map(rename).join(',');
  if (type !== 'json') return rename(value);
  const parsed: unknown = JSON.parse(value);
  const renamed = renameWithin(parsed, rename);
  return renamed === parsed ? value : JSON.stringify(renamed);
}

/** The same object if nothing in it is renamed. */
export function renameWithin(value: unknown, rename: Rename): unknown {
  if (typeof value === 'string') return rename(value);
  if (Array.isArray(value)) {
    const renamed = value.map((entry) => renameWithin(entry, rename));
    return renamed.some((entry, index) => entry !== value[index]) ? renamed : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const renamed = entries.map(([key, entry]) => [key, renameWithin(entry, rename)] as const);
  return renamed.some(([, entry], index) => entry !== entries[index]?.[1]) ? Object.fromEntries(renamed) : value;
}
