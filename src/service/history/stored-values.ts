// Values of an item as its history keeps them: a JSON document in the form answers have, and never what is concealed.

import type { Collection, ColumnField } from '../../core/schema/schema.js';
import { LateText, LateValue } from '../../core/sql/late-value.js';

const stars = JSON.stringify('**********');

/** Written piece by piece: what is JSON already is not read again, and keys that are still on their way find their places. */
export function storedValues(collection: Collection, values: ReadonlyMap<string, unknown>): string | LateText {
  const parts: (string | LateValue)[] = [];
  let text = '{';
  let separator = '';
  for (const [name, value] of values) {
    const field = collection.fields.get(name);
    if (field?.kind !== 'column') continue;
    text += separator + quoted(name);
    separator = ',';
    if (value instanceof LateValue && !field.concealed) {
      parts.push(text, value);
      text = '';
    } else text += storedValue(field, value);
  }
  text += '}';
  return parts.length === 0 ? text : new LateText([...parts, text]);
}

/** Names come again with every write. */
const quotedNames = new Map<string, string>();
const mostNames = 5000;

function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  if (quotedNames.size >= mostNames) quotedNames.clear();
  const made = `${JSON.stringify(name)}:`;
  quotedNames.set(name, made);
  return made;
}

function storedValue(field: ColumnField, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (field.concealed) return stars;
  if (typeof value === 'bigint') return `"${value}"`;
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field.type === 'json' || field.type.startsWith('geometry')) return value;
  if (field.type === 'csv') return value === '' ? '[]' : JSON.stringify(value.split(','));
  return JSON.stringify(field.type === 'dateTime' ? value.replace(/\.000$/, '') : value);
}
