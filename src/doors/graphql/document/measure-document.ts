// Bounds what a document asks for, before anything is looked up or validated: its depth, its fields, its root fields. A fragment counts as
// often as it is used, without being expanded. `measure-overlaps.ts` bounds the work of validation.

import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { invalidQuery } from '../../../core/errors/service-error.js';
import type { QueryLimits } from '../../../core/query/query.js';
import { checkOverlaps } from './measure-overlaps.js';

const MAX_ROOT_FIELDS = 100;
/** All of them are validated, although only one runs. */
const MAX_OPERATIONS = 50;
/** Validation compares every fragment with every other one. */
const MAX_FRAGMENTS = 100;
/** The schema is large, and no client needs it twice in one answer. */
const MAX_SCHEMA_FIELDS = 1;

interface Measure {
  readonly nodes: number;
  /** Nested selections without introspection, which a validation rule bounds. */
  readonly depth: number;
}

const nothing: Measure = { nodes: 0, depth: 0 };

export function checkMeasure(document: DocumentNode, limits: QueryLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  if (fragments.size > MAX_FRAGMENTS) throw invalidQuery(`A document can have at most ${MAX_FRAGMENTS} fragments.`);
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operations.length > MAX_OPERATIONS) throw invalidQuery(`A document can have at most ${MAX_OPERATIONS} operations.`);
  const ruler = new Ruler(fragments);
  let nodes = 0;
  for (const operation of operations) nodes += measureOperation(operation, ruler, limits);
  if (nodes > limits.maxNodes) throw invalidQuery(`The request asks for more than ${limits.maxNodes} fields.`);
  checkOverlaps(document, fragments);
}

/** Returns the number of its fields. */
function measureOperation(operation: OperationDefinitionNode, ruler: Ruler, limits: QueryLimits): number {
  const roots = ruler.rootNames(operation.selectionSet);
  if (roots.length > MAX_ROOT_FIELDS) throw invalidQuery(`At most ${MAX_ROOT_FIELDS} root fields can be asked for at once.`);
  if (roots.filter((name) => name === '__schema').length > MAX_SCHEMA_FIELDS) throw invalidQuery('"__schema" can be asked for once.');
  const { nodes, depth } = ruler.measure(operation.selectionSet);
  // The root and the object around functions are levels without a relation. Compiling enforces the exact bound where relations are followed.
  if (depth > limits.depth + 2) throw invalidQuery(`Relations may be followed at most ${limits.depth} levels deep.`);
  return nodes;
}

class Ruler {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** A fragment within itself counts as nothing, since validation refuses it. */
  readonly #measured = new Map<string, Measure>();

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments;
  }

  measure(set: SelectionSetNode): Measure {
    let nodes = 0;
    let depth = 0;
    for (const selection of set.selections) {
      const part = selection.kind === Kind.FIELD ? this.#field(selection.name.value, selection.selectionSet) : this.#spread(selection);
      nodes += part.nodes;
      depth = Math.max(depth, part.depth);
    }
    return { nodes, depth };
  }

  #field(name: string, set: SelectionSetNode | undefined): Measure {
    const below = set === undefined ? nothing : this.measure(set);
    return { nodes: below.nodes + 1, depth: name.startsWith('__') || set === undefined ? 0 : below.depth + 1 };
  }

  #spread(selection: Exclude<SelectionSetNode['selections'][number], { kind: Kind.FIELD }>): Measure {
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.measure(selection.selectionSet);
    const name = selection.name.value;
    const known = this.#measured.get(name);
    if (known !== undefined) return known;
    this.#measured.set(name, nothing);
    const fragment = this.#fragments.get(name);
    const { nodes, depth } = fragment === undefined ? nothing : this.measure(fragment.selectionSet);
    const measured = { nodes: nodes + 1, depth };
    this.#measured.set(name, measured);
    return measured;
  }

  rootNames(set: SelectionSetNode, seen: ReadonlySet<string> = new Set()): readonly string[] {
    return set.selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection.name.value];
      if (selection.kind === Kind.INLINE_FRAGMENT) return this.rootNames(selection.selectionSet, seen);
      const fragment = this.#fragments.get(selection.name.value);
      if (fragment === undefined || seen.has(fragment.name.value)) return [];
      return this.rootNames(fragment.selectionSet, new Set([...seen, fragment.name.value]));
    });
  }
}
