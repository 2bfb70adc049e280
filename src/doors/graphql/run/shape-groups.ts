// Rows of totals in the form the selection asked for.

import type { AggregateEntry, AggregateShape, ValueEntry } from '../compile/compile-aggregate.js';

type Row = Readonly<Record<string, unknown>>;

/** `items`: the rows' JSON texts joined by commas. */
export function shapeGroups(items: string, shape: AggregateShape): string {
  const rows = JSON.parse(`[${items}]`) as readonly Row[];
  return JSON.stringify(rows.map((row) => Object.fromEntries(shape.map((entry) => [entry.as, shapeEntry(row, entry)]))));
}

function shapeEntry(row: Row, entry: AggregateEntry): unknown {
  switch (entry.kind) {
    case 'constant':
      return entry.text;
    case 'group':
      return Object.fromEntries(entry.names.map((name) => [name, row[name] ?? null]));
    case 'count-all':
      return row['countAll'] ?? null;
    case 'values':
      return Object.fromEntries(entry.values.map((value) => [value.as, shapeValue(row[entry.fn], value)]));
  }
}

function shapeValue(values: unknown, entry: ValueEntry): unknown {
  if (entry.kind === 'constant') return entry.text;
  const value = typeof values === 'object' && values !== null ? (values as Row)[entry.field] : null;
  if (value === null || value === undefined) return null;
  return entry.isNumber ? Number(value) : value;
}
