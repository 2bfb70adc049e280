// Whose payload each nested item stood in.

import type { BoundItem } from './bound-write.js';
import type { ItemNumber } from './write-steps.js';

export interface Numbering {
  numberOf(item: BoundItem): ItemNumber;
}

export function planParents(numbering: Numbering, items: readonly BoundItem[]): ReadonlyMap<ItemNumber, ItemNumber> {
  const parents = new Map<ItemNumber, ItemNumber>();
  for (const item of items) collect(numbering, item, parents);
  return parents;
}

function collect(numbering: Numbering, item: BoundItem, parents: Map<ItemNumber, ItemNumber>): void {
  if (item.toOne.length + item.toMany.length === 0) return;
  const own = numbering.numberOf(item);
  for (const nested of [...item.toOne.map((entry) => entry.item), ...item.toMany.flatMap((many) => many.entries)]) {
    const number = numbering.numberOf(nested);
    if (number === own || parents.has(number)) continue;
    parents.set(number, own);
    collect(numbering, nested, parents);
  }
}
