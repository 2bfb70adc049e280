// Orders definitions so that a table is created after the tables that its foreign keys refer to.

import type { SystemDefinition, SystemRelation } from '../../core/schema/system-definition.js';

export interface OrderedDefinition {
  readonly definition: SystemDefinition;
  /** Relations whose target is created after this table, because the two refer to each other. Their foreign keys are added afterwards. */
  readonly later: readonly SystemRelation[];
}

export function orderDefinitions(definitions: readonly SystemDefinition[]): readonly OrderedDefinition[] {
  const byName = new Map(definitions.map((definition) => [definition.collection, definition]));
  const ordered: SystemDefinition[] = [];
  const visited = new Set<string>();
  const visit = (definition: SystemDefinition): void => {
    if (visited.has(definition.collection)) return;
    visited.add(definition.collection);
    for (const relation of withForeignKey(definition)) {
      const target = byName.get(relation.related);
      if (target) visit(target);
    }
    ordered.push(definition);
  };
  for (const definition of definitions) visit(definition);
  return ordered.map((definition, index) => {
    const present = new Set(ordered.slice(0, index + 1).map((earlier) => earlier.collection));
    return { definition, later: withForeignKey(definition).filter((relation) => !present.has(relation.related)) };
  });
}

/** Relations with a foreign key. */
const withForeignKey = (definition: SystemDefinition): readonly SystemRelation[] =>
  definition.relations.filter((relation) => relation.onDelete !== null);
