// The facts of a table and a column that only SQLite's own syntax and DDL read, and how they are read.

import type { RawTable } from '../../core/schema/raw.js';
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
}

export function tableVendorFacts(table: RawTable): TableVendorFacts {
  const { sql, indexes, triggers } = table.vendor;
  if (typeof sql !== 'string' || !Array.isArray(indexes) || !Array.isArray(triggers)) throw new Error(`no vendor facts of ${table.name}`);
  return { sql, indexes, triggers };
}
