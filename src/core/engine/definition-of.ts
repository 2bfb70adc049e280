// Finds a definition that the service cannot do without.

import type { SystemDefinition } from '../schema/system-definition.js';

export function definitionOf(definitions: readonly SystemDefinition[], collection: string): SystemDefinition {
  const definition = definitions.find((candidate) => candidate.collection === collection);
  if (!definition) throw new Error(`no definition of ${collection}`);
  return definition;
}
