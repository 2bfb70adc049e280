// Rearranges rows of totals into the form of the selection.

import { numberIfExact } from '../../../core/schema/types/decimal.js';
import type { AggregateEntry, AggregateShape, ValueEntry } from '../compile/compile-aggregate.js';

type Row = Readonly<Record<string, unknown>>;

/** `items`: the JSON texts of the rows, separated by commas. */
export function shapeGroups(items: string, shape: AggregateShape): string {
  const rows = JSON.parse(`[${items}]`) as readonly Row[];
  return JSON.stringify(rows.map((row) => Object.fromEntries(shape.map((entry) => [entry.as, shapeEntry(row, entry)]))));
}

function shapeEntry(row: Row, entry: AggregateEntry): unknown {
  switch (entry.kind) {
    case 'constant':
      return entry.text;
    case 'group':
      return Object.fromEntries(entry.names.map(({ name, as }) => [as, row[name] ?? null]));
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
  return entry.isNumber ? numberIfExact(String(value)) : value;
}
