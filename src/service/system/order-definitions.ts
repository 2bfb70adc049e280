// The order in which the system tables can be made: what is pointed at before what points.

import type { SystemDefinition, SystemRelation } from '../../core/schema/system-definition.js';

export interface OrderedDefinition {
  readonly definition: SystemDefinition;
  /** Relations whose target is not there yet when this table is made, because the two point at each other. */
  readonly later: readonly SystemRelation[];
}

export function orderDefinitions(definitions: readonly SystemDefinition[]): readonly OrderedDefinition[] {
  const byName = new Map(definitions.map((definition) => [definition.collection, definition]));
  const ordered: SystemDefinition[] = [];
  const visited = new Set<string>();
  const visit = (definition: SystemDefinition): void => {
    if (visited.has(definition.collection)) return;
    visited.add(definition.collection);
    for (const relation of guarded(definition)) {
      const target = byName.get(relation.related);
      if (target) visit(target);
    }
    ordered.push(definition);
  };
  for (const definition of definitions) visit(definition);
  return ordered.map((definition, index) => {
    const present = new Set(ordered.slice(0, index + 1).map((earlier) => earlier.collection));
    return { definition, later: guarded(definition).filter((relation) => !present.has(relation.related)) };
  });
}

const guarded = (definition: SystemDefinition): readonly SystemRelation[] =>
  definition.relations.filter((relation) => relation.onDelete !== null);
