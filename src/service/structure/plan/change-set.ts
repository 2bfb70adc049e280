// A change of structure as data: the changes of tables and the changes of metadata rows. Planners compute a ChangeSet without a database;
// change/run-change-set.ts runs it, all or nothing.

import { unreachable } from '../../../core/errors/service-error.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';
import { simulateChange } from './simulate-change.js';
import { makeState, type StructureState } from './structure-state.js';

export interface InsertRow {
  readonly kind: 'insert';
  readonly collection: string;
  readonly row: MetaRow;
}

/** A change of rows in a system collection. `where` compares columns for equality. */
export type RowChange =
  | InsertRow
  | { readonly kind: 'update'; readonly collection: string; readonly set: MetaRow; readonly where: MetaRow }
  | { readonly kind: 'delete'; readonly collection: string; readonly where: MetaRow }
  | ConcealKey;

/** Rewrites JSON columns: a value under `key` becomes `instead`, or is removed with its key if `instead` is null. */
export interface ConcealKey {
  readonly kind: 'conceal';
  readonly collection: string;
  readonly documents: readonly string[];
  readonly key: string;
  readonly instead: string | null;
  readonly where: MetaRow;
}

export interface ChangeSet {
  readonly changes: readonly StructureChange[];
  readonly rows: readonly RowChange[];
}

/** Decides what a request changes, or throws a ServiceError to refuse it. Planners do no I/O. */
export type Planner = (state: StructureState) => ChangeSet;

export const emptyChangeSet: ChangeSet = { changes: [], rows: [] };

/** Joins the change sets of several planners. Each planner sees the state that the planners before it would leave. */
export function planAll(state: StructureState, planners: readonly Planner[]): ChangeSet {
  const sets: ChangeSet[] = [];
  let present = state;
  for (const plan of planners) {
    const set = plan(present);
    sets.push(set);
    if (planners.length > 1) present = advance(present, set);
  }
  return { changes: sets.flatMap(({ changes }) => changes), rows: sets.flatMap(({ rows }) => rows) };
}

/** The state that the change would leave. */
export function advance(state: StructureState, { changes, rows }: ChangeSet): StructureState {
  const rowsOf = (collection: string, present: readonly MetaRow[]): readonly MetaRow[] =>
    rows.filter((change) => change.collection === collection).reduce(simulateRow, present);
  return makeState(state, {
    database: changes.reduce((database, change) => simulateChange(database, change, state.ddl), state.database),
    metadata: {
      collections: rowsOf('service_collections', state.metadata.collections),
      fields: rowsOf('service_fields', state.metadata.fields),
      relations: rowsOf('service_relations', state.metadata.relations),
    },
    permissions: rowsOf('service_permissions', state.permissions),
  });
}

function simulateRow(rows: readonly MetaRow[], change: RowChange): readonly MetaRow[] {
  switch (change.kind) {
    case 'insert':
      return [...rows, change.row];
    case 'update':
      return rows.map((row) => (matches(row, change.where) ? { ...row, ...change.set } : row));
    case 'delete':
      return rows.filter((row) => !matches(row, change.where));
    // No planner reads the documents.
    case 'conceal':
      return rows;
    default:
      return unreachable(change);
  }
}

const matches = (row: MetaRow, where: MetaRow): boolean => Object.entries(where).every(([key, value]) => (row[key] ?? null) === value);
