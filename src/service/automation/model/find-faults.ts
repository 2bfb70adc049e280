// What makes a flow unable to run: found when it is saved. A flow of an adopted database may still have such faults; `interpreter.ts` ends
// its runs where they matter.

import { type Refusal, refusal } from '../../../core/errors/refusals.js';
import type { FlowRow, OperationRow } from './flow.js';

export interface Fault {
  /** Of `service_flows` or of `service_operations`. */
  readonly field: 'operation' | 'resolve' | 'reject' | 'key';
  readonly type: 'other_flow' | 'cycle' | 'unique';
  readonly refusal: Refusal;
}

type Node = Pick<OperationRow, 'id' | 'key' | 'resolve' | 'reject'>;

/**
 * `operations`: those of this flow; `others`: ids of operations of other flows. An operation that does not exist yet may be named: it may be
 * stored next.
 */
export function findFaults(
  { operation: first }: Pick<FlowRow, 'operation'>,
  operations: readonly Node[],
  others: ReadonlySet<string>,
): readonly Fault[] {
  const own = new Map(operations.map((node) => [node.id, node]));
  const faults: Fault[] = [];
  if (first !== null && others.has(first)) faults.push(otherFlow('operation'));
  const keys = new Set<string>();
  for (const node of operations) {
    const { key } = node;
    if (keys.has(key)) faults.push({ field: 'key', type: 'unique', refusal: refusal('flow_key_twice', { name: key }) });
    keys.add(key);
    for (const field of ['resolve', 'reject'] as const) {
      const next = node[field];
      if (next !== null && others.has(next)) faults.push(otherFlow(field, key));
    }
  }
  const circle = findCircle(own);
  if (circle !== null)
    faults.push({
      field: 'resolve',
      type: 'cycle',
      refusal: refusal('flow_circle', { names: circle }),
    });
  return faults;
}

/** Behind the operation with this key, or first of all. */
const otherFlow = (field: Fault['field'], key?: string): Fault => ({
  field,
  type: 'other_flow',
  refusal: refusal('flow_other', key === undefined ? {} : { name: key }),
});

/** The keys of the operations of a circle; null without one. Without recursion: a flow may have thousands of operations in a row. */
function findCircle(nodes: ReadonlyMap<string, Node>): readonly string[] | null {
  const done = new Set<string>();
  for (const start of nodes.keys()) {
    const path: string[] = [];
    const stack: { readonly id: string; readonly depth: number }[] = [{ id: start, depth: 0 }];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { id, depth } = top;
      for (const left of path.splice(depth)) done.add(left);
      const known = path.indexOf(id);
      if (known >= 0) return path.slice(known).map((each) => nodes.get(each)?.key ?? each);
      if (done.has(id)) continue;
      const node = nodes.get(id);
      if (node === undefined) continue;
      path.push(id);
      for (const next of new Set([node.resolve, node.reject])) if (next !== null) stack.push({ id: next, depth: path.length });
    }
    for (const left of path) done.add(left);
  }
  return null;
}
