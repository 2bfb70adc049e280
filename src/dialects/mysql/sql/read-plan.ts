// EXPLAIN FORMAT=JSON of MariaDB and MySQL: nested blocks, in which every table is an object under `table`.

import type { DatabasePlan, PlanStep } from '../../../core/sql/plan-step.js';
import { isPlainObject } from '../../../core/util/plain-object.js';

type Block = Readonly<Record<string, unknown>>;

export function readPlan(document: unknown): DatabasePlan {
  const blocks = allBlocks(document);
  return {
    steps: blocks.flatMap((block) => (isPlainObject(block['table']) ? (stepOf(block['table']) ?? []) : [])),
    sorts: blocks.some((block) => block['filesort'] !== undefined || block['using_filesort'] === true),
  };
}

function allBlocks(value: unknown): readonly Block[] {
  if (Array.isArray(value)) return value.flatMap(allBlocks);
  return isPlainObject(value) ? [value, ...Object.values(value).flatMap(allBlocks)] : [];
}

/** `ALL` reads the table, `index` the whole index; everything else looks something up. A derived table has a name in angle brackets. */
function stepOf(table: Block): PlanStep | null {
  const { table_name: name, access_type: access, key, rows = table['rows_examined_per_scan'] } = table;
  if (typeof name !== 'string' || name.startsWith('<')) return null;
  return {
    table: name,
    access: access === 'ALL' || access === 'index' ? 'scan' : 'search',
    index: typeof key === 'string' ? key : null,
    rows: typeof rows === 'number' ? rows : null,
  };
}
