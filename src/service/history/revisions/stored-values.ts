// The JSON document of written values for a revision, in the wire form of answers. Concealed values are replaced by stars.

import type { Collection, ColumnField } from '../../../core/schema/schema.js';
import { PendingKey, PendingText } from '../../../core/sql/pending-key.js';
import { Lru } from '../../../core/util/lru.js';

const stars = JSON.stringify('**********');

/** Concatenates the document, so that values that are JSON already are not parsed again; pending keys become parts of a PendingText. */
export function storedValues(collection: Collection, values: ReadonlyMap<string, unknown>): string | PendingText {
  const parts: (string | PendingKey)[] = [];
  let text = '{';
  let separator = '';
  for (const [name, value] of values) {
    const field = collection.fields.get(name);
    if (field?.kind !== 'column') continue;
    text += separator + quoted(name);
    separator = ',';
    if (value instanceof PendingKey && !field.concealed) {
      parts.push(text, value);
      text = '';
    } else text += storedValue(field, value);
  }
  text += '}';
  return parts.length === 0 ? text : new PendingText([...parts, text]);
}

/** Caches the quoted names, which every write of a collection repeats. */
const quotedNames = new Lru<string, string>(5000);

function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
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
