// A draft: the edits to one item that are not saved yet, over the item as it was read. Pure, imports no framework.

import type { Edits, Item } from './item.js';
import { isStagedList } from './staged.js';

/** Sets a field; an edit that equals the stored value is no edit. */
export function edit(base: Item, edits: Edits, field: string, value: unknown): Edits {
  const { [field]: _replaced, ...others } = edits;
  return isEqual(base[field] ?? null, value) ? others : { ...others, [field]: value };
}

export const draftValue = (base: Item, edits: Edits, field: string): unknown => (field in edits ? edits[field] : base[field]);

export function isEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [one, other] = [left as Item, right as Item];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isEqual(one[key], other[key]));
}

interface Conflict {
  readonly field: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merge {
  /** Edits that still differ from what is stored now. */
  readonly edits: Edits;
  /** Fields that both sides changed to different values. */
  readonly conflicts: readonly Conflict[];
}

/** Applies edits that were made on `base` to `theirs`, the item as somebody else has saved it meanwhile. */
export function merge(base: Item, edits: Edits, theirs: Item): Merge {
  const kept: Record<string, unknown> = {};
  const conflicts: Conflict[] = [];
  for (const [field, mine] of Object.entries(edits)) {
    if (isEqual(theirs[field] ?? null, mine)) continue;
    kept[field] = mine;
    // Changes to a list name the rows they concern, so they can be applied to any stored state.
    if (isStagedList(mine)) continue;
    if (!isEqual(base[field] ?? null, theirs[field] ?? null)) conflicts.push({ field, base: base[field], mine, theirs: theirs[field] });
  }
  return { edits: kept, conflicts };
}

/** The edits that restore the item as it was before `edits`. */
export const inverse = (base: Item, edits: Edits): Edits =>
  Object.fromEntries(Object.keys(edits).map((field) => [field, base[field] ?? null]));
