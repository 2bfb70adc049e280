// A change of structure as data: what happens to tables and what to the rows that speak of them. Planned without a database, run as one.

import { unreachable } from '../../core/errors/service-error.js';
import type { MetaRow } from '../../core/schema/meta-row.js';
import type { Metadata } from '../../core/schema/schema.js';
import type { StructureChange } from '../../core/vendor/ddl.js';
import { simulateChange } from './simulate-change.js';
import { makeState, type StructureState } from './structure-state.js';

export interface InsertRow {
  readonly kind: 'insert';
  readonly collection: string;
  readonly row: MetaRow;
}

export type RowChange =
  | InsertRow
  | { readonly kind: 'update'; readonly collection: string; readonly set: MetaRow; readonly where: MetaRow }
  | { readonly kind: 'delete'; readonly collection: string; readonly where: MetaRow };

export interface Unit {
  readonly changes: readonly StructureChange[];
  readonly rows: readonly RowChange[];
}

export type Plan = (state: StructureState) => Unit;

export const emptyUnit: Unit = { changes: [], rows: [] };

const joinUnits = (units: readonly Unit[]): Unit => ({
  changes: units.flatMap((unit) => unit.changes),
  rows: units.flatMap((unit) => unit.rows),
});

/** Each plan sees what the ones before it would have done. */
export function planAll(state: StructureState, plans: readonly Plan[]): Unit {
  const units: Unit[] = [];
  let present = state;
  for (const plan of plans) {
    const unit = plan(present);
    units.push(unit);
    if (plans.length > 1) present = advance(present, unit);
  }
  return joinUnits(units);
}

function advance(state: StructureState, unit: Unit): StructureState {
  const database = unit.changes.reduce((facts, change) => simulateChange(facts, change, state.rules.dialect.ddl), state.database);
  const rowsOf = (collection: string, rows: readonly MetaRow[]): readonly MetaRow[] =>
    unit.rows.filter((change) => change.collection === collection).reduce(simulateRow, rows);
  const metadata: Metadata = {
    collections: rowsOf('service_collections', state.metadata.collections),
    fields: rowsOf('service_fields', state.metadata.fields),
    relations: rowsOf('service_relations', state.metadata.relations),
  };
  return makeState(state.rules, database, metadata, rowsOf('service_permissions', state.permissions));
}

function simulateRow(rows: readonly MetaRow[], change: RowChange): readonly MetaRow[] {
  switch (change.kind) {
    case 'insert':
      return [...rows, change.row];
    case 'update':
      return rows.map((row) => (isMeant(row, change.where) ? { ...row, ...change.set } : row));
    case 'delete':
      return rows.filter((row) => !isMeant(row, change.where));
    default:
      return unreachable(change);
  }
}

const isMeant = (row: MetaRow, where: MetaRow): boolean => Object.entries(where).every(([key, value]) => (row[key] ?? null) === value);
