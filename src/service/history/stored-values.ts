// Values of an item as its history keeps them: in the form answers have, and never what is concealed.

import type { Collection, ColumnField } from '../../core/schema/schema.js';
import { LateValue } from '../../core/sql/late-value.js';

const stars = '**********';

export function storedValues(collection: Collection, values: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
  const stored: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const field = collection.fields.get(name);
    if (field?.kind === 'column') stored[name] = storedValue(field, value);
  }
  return stored;
}

function storedValue(field: ColumnField, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (field.concealed) return stars;
  if (value instanceof LateValue) return value;
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'string') return value;
  if (field.type === 'json' || field.type.startsWith('geometry')) return parseOrText(value);
  if (field.type === 'csv') return value === '' ? [] : value.split(',');
  return field.type === 'dateTime' ? value.replace(/\.000$/, '') : value;
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
