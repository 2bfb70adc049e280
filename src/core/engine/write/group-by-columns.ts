// Groups rows that share a statement: those with the same columns, in any order. Neighbours mostly have the same, so they are compared first.

import { NamedValues } from '../../util/named-values.js';
import type { RunRow } from '../work/run-row.js';

export function groupByColumns<R extends RunRow>(rows: readonly R[]): readonly (readonly R[])[] {
  if (rows.length === 1) return [rows];
  const groups = new Map<string, R[]>();
  let last: R[] = [];
  for (const row of rows) {
    if (!sameColumns(last[0], row)) last = findGroup(groups, row);
    last.push(row);
  }
  return [...groups.values()];
}

function sameColumns(first: RunRow | undefined, row: RunRow): boolean {
  if (first === undefined || first.values.size !== row.values.size) return false;
  if (first.values instanceof NamedValues && row.values instanceof NamedValues && first.values.names === row.values.names) return true;
  for (const name of first.values.keys()) if (!row.values.has(name)) return false;
  return true;
}

function findGroup<R extends RunRow>(groups: Map<string, R[]>, row: R): R[] {
  const name = [...row.values.keys()].sort().join('\n');
  const group = groups.get(name) ?? [];
  groups.set(name, group);
  return group;
}
