// Bounds the work of validation, which compares all pairs of fields with the same name in the answer, and all that is selected below them.
// This walk merges fields as validation would and counts the comparisons without making them.

import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { invalidQuery } from '../../../core/errors/service-error.js';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Fields visited and compared. Documents written by people or tools need hundreds. */
const MAX_COMPARISONS = 20_000;
/** A fragment that contains itself would never end; validation refuses it. */
const MAX_LEVELS = 40;

export function checkOverlaps(document: DocumentNode, fragments: Fragments): void {
  const meter = new Meter(fragments);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION)
      meter.count([definition.selectionSet], 0);
  }
}

class Meter {
  readonly #fragments: Fragments;
  #comparisons = 0;

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  /** Counts the comparisons in selections that are merged into one object. */
  count(sets: readonly SelectionSetNode[], level: number): void {
    if (level > MAX_LEVELS) return;
    const byName = new Map<string, FieldNode[]>();
    const seen = new Set<string>();
    for (const set of sets) this.#collect(set, byName, seen);
    for (const fields of byName.values()) {
      this.#spend((fields.length * (fields.length - 1)) / 2);
      const below = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0) this.count(below, level + 1);
    }
  }

  #collect(set: SelectionSetNode, byName: Map<string, FieldNode[]>, seen: Set<string>): void {
    for (const selection of set.selections) {
      this.#spend(1);
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const known = byName.get(name);
        if (known === undefined) byName.set(name, [selection]);
        else known.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) this.#collect(selection.selectionSet, byName, seen);
      else {
        const fragment = this.#fragments.get(selection.name.value);
        if (fragment === undefined || seen.has(fragment.name.value)) continue;
        seen.add(fragment.name.value);
        this.#collect(fragment.selectionSet, byName, seen);
      }
    }
  }

  #spend(comparisons: number): void {
    this.#comparisons += comparisons;
    if (this.#comparisons > MAX_COMPARISONS) throw invalidQuery('The document repeats the same fields too often.');
  }
}
