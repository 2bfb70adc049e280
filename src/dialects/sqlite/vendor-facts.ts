// The facts of a table and a column that only SQLite's own syntax and DDL read, and how they are read.

import type { RawColumn, RawTable } from '../../core/schema/raw.js';
import type { Affinity } from './types.js';

interface NamedSql {
  readonly name: string;
  readonly sql: string;
}

export interface TableVendorFacts {
  /** The CREATE statement as stored. */
  readonly sql: string;
  /** Those made by a statement of their own. */
  readonly indexes: readonly NamedSql[];
  readonly triggers: readonly NamedSql[];
}

export interface ColumnVendorFacts {
  readonly declaredType: string;
  readonly affinity: Affinity;
  /** Of a generated column: kept on disk. */
  readonly stored: boolean;
  /** About how many different values it has, where ANALYZE has counted them in an index that begins with it. */
  readonly values: number | null;
}

export function tableVendorFacts(table: RawTable): TableVendorFacts {
  const { sql, indexes, triggers } = table.vendor;
  if (typeof sql !== 'string' || !Array.isArray(indexes) || !Array.isArray(triggers)) throw new Error(`no vendor facts of ${table.name}`);
  return { sql, indexes, triggers };
}

/** See ColumnVendorFacts; null as well for what is no column. */
export function countedValues(column: RawColumn | null): number | null {
  const values = column?.vendor['values'];
  return typeof values === 'number' ? values : null;
}

export const hasAffinity = (column: RawColumn, affinity: Affinity): boolean => column.vendor['affinity'] === affinity;
