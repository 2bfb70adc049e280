// A singleton before its first write: the defaults of its columns, and a key of null.

import type { Output, Shape } from '../plan/bound.js';

export function defaultItem(shape: Shape | null): Readonly<Record<string, unknown>> {
  if (shape?.kind !== 'object') return {};
  return Object.fromEntries(shape.fields.map(({ as, output }) => [as, defaultOf(output)]));
}

function defaultOf(output: Output): unknown {
  if (output.kind === 'to-many' || output.kind === 'groups') return [];
  if (output.kind === 'constant') return output.text;
  if (output.kind === 'object') return Object.fromEntries(output.fields.map((field) => [field.as, defaultOf(field.output)]));
  if (output.kind !== 'scalar' || output.scalar.kind !== 'column') return null;
  const { column, type } = output.scalar.field;
  if (column.primaryKey || column.default?.kind !== 'literal') return null;
  return type === 'json' && typeof column.default.value === 'string' ? parseOrText(column.default.value) : column.default.value;
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
