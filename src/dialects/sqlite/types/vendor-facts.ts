// What introspection stores in the `vendor` property of tables and columns, and how the sql and ddl folders read it. Core passes these
// facts on without reading them.

import type { RawColumn, RawTable } from '../../../core/schema/raw.js';
import type { Affinity } from './column-types.js';
import type { MomentForm } from './moments.js';
import type { TruthWords } from './truths.js';

interface NamedSql {
  readonly name: string;
  readonly sql: string;
}

export interface TableVendorFacts {
  /** The stored CREATE statement. */
  readonly sql: string;
  /** Those with a CREATE INDEX statement; indexes of constraints have none. */
  readonly indexes: readonly NamedSql[];
  readonly triggers: readonly NamedSql[];
}

export interface ColumnVendorFacts {
  readonly declaredType: string;
  readonly affinity: Affinity;
  /** A generated column whose values are stored. */
  readonly stored: boolean;
  /** The estimated number of distinct values, if an index begins with the column and ANALYZE has counted it. */
  readonly values: number | null;
}

export function tableVendorFacts(table: RawTable): TableVendorFacts {
  const { sql, indexes, triggers } = table.vendor;
  if (typeof sql !== 'string' || !Array.isArray(indexes) || !Array.isArray(triggers)) throw new Error(`no vendor facts of ${table.name}`);
  return { sql, indexes, triggers };
}

/** `ColumnVendorFacts.values`; null also for an expression. */
export function countedValues(column: RawColumn | null): number | null {
  const values = column?.vendor['values'];
  return typeof values === 'number' ? values : null;
}

/** The form in which the column stores moments; null: the service's own form, or unknown. */
export const momentFormOf = (column: RawColumn | null): MomentForm | null => (column?.vendor['form'] as MomentForm | undefined) ?? null;

/** The words by which the column stores booleans; null: numbers. */
export const wordsOf = (column: RawColumn | null): TruthWords | null => (column?.vendor['words'] as TruthWords | undefined) ?? null;

/** A column for times of day of which some are not in their wire form. */
export const hasMixedClocks = (column: RawColumn | null): boolean => column?.vendor['clocks'] === 'mixed';

export const hasAffinity = (column: RawColumn, affinity: Affinity): boolean => column.vendor['affinity'] === affinity;
