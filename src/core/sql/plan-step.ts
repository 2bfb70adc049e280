// A database's own plan in words that all vendors share. Each dialect reads its vendor's form (sql/read-plan.ts).

/** One table that a statement reads, in the order of the plan. */
export interface PlanStep {
  /** The alias of the table in the statement, or its name. */
  readonly table: string;
  /** search: an index finds the rows; scan: all rows are read, perhaps in the order of an index. */
  readonly access: 'scan' | 'search';
  /** The index in use; `primary key` where the vendor has no name for it. */
  readonly index: string | null;
  /** How many rows the database expects to find; null: unknown. */
  readonly rows: number | null;
}

export interface DatabasePlan {
  readonly steps: readonly PlanStep[];
  /** Whether rows are sorted after they were found. */
  readonly sorts: boolean;
}
