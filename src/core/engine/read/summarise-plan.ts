// The database's plan as a reader understands it: which collections are read and how, and which indexes would spare reading all of a large one.

import type { IndexDemand } from '../../plan/read/index-demands.js';
import type { Collection } from '../../schema/schema.js';
import type { DatabasePlan, PlanStep } from '../../sql/plan-step.js';

/** How the items of one collection are found. */
interface TableAccess {
  readonly collection: string;
  readonly access: PlanStep['access'];
  readonly index: string | null;
  /** For a scan, the most rows it reads; for a search, the number the database expects to find. null: unknown. */
  readonly rows: number | null;
}

/** The body of a request that makes the index: POST /indexes/{collection}. */
interface IndexSuggestion {
  readonly collection: string;
  readonly fields: readonly string[];
}

export interface PlanSummary {
  readonly tables: readonly TableAccess[];
  /** Whether rows are sorted after they were found. */
  readonly sorts: boolean;
  readonly suggestions: readonly IndexSuggestion[];
}

/** Below this number of rows, a scan costs less than maintaining an index. */
const largeRows = 1000;

export interface SummaryContext {
  /** By the aliases of the statement, which the plan names. */
  readonly collections: ReadonlyMap<string, Collection>;
  readonly demands: readonly IndexDemand[];
  /** The limit of a read without filter and offset, which stops after this many items unless it sorts; null: it may read everything. */
  readonly stopsAt: number | null;
  /** The number of items of a collection, up to a bound. */
  countRows(collection: Collection): Promise<number>;
}

/** Bounds the count statements of one explanation. */
const mostCounts = 8;

export async function summarisePlan({ steps, sorts }: DatabasePlan, context: SummaryContext): Promise<PlanSummary> {
  const counts = new Map<Collection, number>();
  const tables: TableAccess[] = [];
  for (const { table, access, index, rows } of steps) {
    const collection = context.collections.get(table);
    if (collection === undefined) continue;
    if (access === 'scan' && !counts.has(collection) && counts.size < mostCounts)
      counts.set(collection, await context.countRows(collection));
    const scanned = counts.get(collection) ?? null;
    const read = table === 't0' && !sorts && context.stopsAt !== null && scanned !== null ? Math.min(scanned, context.stopsAt) : scanned;
    tables.push({ collection: collection.name, access, index, rows: access === 'scan' ? read : rows });
  }
  return { tables, sorts, suggestions: suggest(tables, context) };
}

function suggest(tables: readonly TableAccess[], { demands }: SummaryContext): readonly IndexSuggestion[] {
  const large = new Set(
    tables.flatMap(({ collection, access, rows }) => (access === 'scan' && (rows ?? 0) >= largeRows ? collection : [])),
  );
  const wanted = demands.filter(
    ({ collection, fields }) => large.has(collection.name) && mayIndex(collection) && !isServed(collection, fields),
  );
  const distinct = new Map(
    wanted.map(({ collection: { name }, fields }) => [JSON.stringify([name, fields]), { collection: name, fields }]),
  );
  return [...distinct.values()];
}

const mayIndex = ({ system, table }: Collection): boolean => !system && table !== null && table.kind === 'table' && table.mirrored !== true;

/** Whether an index already begins with these fields: the database knows it and has decided against it. */
const isServed = ({ table }: Collection, fields: readonly string[]): boolean =>
  table === null ||
  [...table.indexes.map(({ columns }) => columns), table.primaryKey].some((columns) =>
    fields.every((field, place) => columns[place] === field),
  );
