// The structure as a graph: collections as boxes with their key and their relations, and an edge for each relation. Pure.

import type { Collection, Schema } from '../../schema/model.js';

export interface Box {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly BoxRow[];
}

interface BoxRow {
  readonly field: string;
  readonly kind: 'key' | 'm2o' | 'o2m' | 'm2m' | 'm2a';
}

/** From the field that refers to the collection it refers to. A list is the same relation, seen from the other side. */
export interface Edge {
  readonly from: string;
  readonly field: string;
  readonly to: string;
  readonly kind: 'm2o' | 'm2a';
}

export interface Graph {
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
}

export function buildGraph(schema: Schema): Graph {
  const own = [...schema.values()].filter(({ isSystem, isFolder }) => !isSystem && !isFolder);
  const known = new Set(own.map(({ name }) => name));
  return {
    boxes: own.map(({ name, title, ...collection }) => ({ id: name, title, rows: rowsOf(collection) })),
    edges: own.flatMap(edgesOf).filter(({ to }) => known.has(to)),
  };
}

function rowsOf({ fields }: Pick<Collection, 'fields'>): readonly BoxRow[] {
  const keys = fields.filter(({ isKey, relation }) => isKey && relation === null);
  return [
    ...keys.map(({ name }) => ({ field: name, kind: 'key' as const })),
    ...fields.flatMap(({ name, relation }) => (relation === null ? [] : { field: name, kind: relation.kind })),
  ];
}

function edgesOf({ name, fields }: Collection): readonly Edge[] {
  return fields.flatMap(({ name: field, relation }): readonly Edge[] => {
    if (relation?.kind === 'm2o') return [{ from: name, field, to: relation.related, kind: 'm2o' }];
    if (relation?.kind === 'm2a') return relation.allowed.map((to) => ({ from: name, field, to, kind: 'm2a' }));
    return [];
  });
}

/** The collections that are reached from one in so many steps, whichever way a relation points. */
export function around(graph: Graph, center: string, steps: number): ReadonlySet<string> {
  let reached = new Set([center]);
  for (let step = 0; step < steps; step += 1) {
    const next = new Set(reached);
    for (const { from, to } of graph.edges) {
      if (reached.has(from)) next.add(to);
      if (reached.has(to)) next.add(from);
    }
    reached = next;
  }
  return reached;
}

export const only = ({ boxes, edges }: Graph, ids: ReadonlySet<string>): Graph => ({
  boxes: boxes.filter(({ id }) => ids.has(id)),
  edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
});
