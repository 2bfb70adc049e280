// Finds the definition of a system collection.

import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';

/** `collection`: the name that the code has for it. */
export function definitionOf({ definitions, nameOf }: Pick<SystemHome, 'definitions' | 'nameOf'>, collection: string): SystemDefinition {
  const definition = definitions.find((candidate) => candidate.collection === nameOf(collection));
  if (!definition) throw new Error(`no definition of ${collection}`);
  return definition;
}
