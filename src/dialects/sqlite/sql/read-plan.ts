// EXPLAIN QUERY PLAN of SQLite: one line per table, in words.

import type { DatabasePlan, PlanStep } from '../../../core/sql/plan-step.js';

const line =
  /^(SCAN|SEARCH) (\S+)(?: EXISTS)?(?: USING (AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?(?:INDEX (.+?)|(?:INTEGER )?(PRIMARY KEY)))?(?: \(.*)?$/;

export function readPlan(document: unknown): DatabasePlan {
  const lines = Array.isArray(document) ? document.map(String) : [];
  // A subquery has the alias of what it stands for, and is scanned itself after its own tables: the last line of that alias.
  const derived = new Map<string, number>();
  for (const text of lines) {
    const alias = /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(text)?.[1];
    if (alias !== undefined) derived.set(alias, (derived.get(alias) ?? 0) + 1);
  }
  const steps = lines.flatMap((text) => readLine(text) ?? []).toReversed();
  const own = steps.filter(({ table }) => {
    const left = derived.get(table) ?? 0;
    derived.set(table, left - 1);
    return left <= 0;
  });
  return { steps: own.toReversed(), sorts: lines.some((text) => /^USE TEMP B-TREE FOR .*ORDER BY/.test(text)) };
}

/** An automatic index is made for this one statement, of all rows. */
function readLine(text: string): PlanStep | null {
  const found = line.exec(text.replace(/ LEFT-JOIN$/, ''));
  if (found === null) return null;
  const [, verb, table = '', automatic, index, key] = found;
  if (automatic !== undefined) return { table, access: 'scan', index: null, rows: null };
  return { table, access: verb === 'SEARCH' ? 'search' : 'scan', index: index ?? (key === undefined ? null : 'primary key'), rows: null };
}
