// EXPLAIN (FORMAT JSON) of PostgreSQL: a tree of nodes.

import type { DatabasePlan, PlanStep } from '../../../core/sql/plan-step.js';
import { isPlainObject } from '../../../core/util/plain-object.js';

type Node = Readonly<Record<string, unknown>>;

export function readPlan(document: unknown): DatabasePlan {
  const roots = (Array.isArray(document) ? document : []).flatMap((entry: unknown) =>
    isPlainObject(entry) ? childrenIn(entry['Plan']) : [],
  );
  const nodes = roots.flatMap(allNodes);
  return {
    steps: nodes.flatMap((node) => stepOf(node) ?? []),
    sorts: nodes.some((node) => node['Node Type'] === 'Sort' || node['Node Type'] === 'Incremental Sort'),
  };
}

const childrenIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value : [value]).filter((entry) => isPlainObject(entry));

const allNodes = (node: Node): readonly Node[] => [node, ...childrenIn(node['Plans']).flatMap(allNodes)];

function stepOf(node: Node): PlanStep | null {
  if (typeof node['Relation Name'] !== 'string') return null;
  const kind = String(node['Node Type']);
  const index = node['Index Name'] ?? allNodes(node).find((inner) => inner['Node Type'] === 'Bitmap Index Scan')?.['Index Name'];
  // An index without a condition gives the order of all rows.
  const searches = kind === 'Bitmap Heap Scan' || kind === 'Tid Scan' || node['Index Cond'] !== undefined;
  return {
    // The partitions of a table have its alias and a number.
    table: String(node['Alias'] ?? node['Relation Name']).replace(/^(t\d+)_\d+$/, '$1'),
    access: searches ? 'search' : 'scan',
    index: typeof index === 'string' ? index : null,
    rows: typeof node['Plan Rows'] === 'number' ? node['Plan Rows'] : null,
  };
}
