// Which values a tree of checkboxes stores. `branch` stores the topmost boxes that are wholly checked, `leaf` only boxes without children,
// `indeterminate` also boxes that are checked in part, `exclusive` exactly the boxes that were checked, `all` (the default) every checked box.

import type { Choice } from '../schema/model.js';

export type BoxState = 'on' | 'off' | 'part';

const leavesOf = ({ value, children }: Choice): readonly string[] => children?.flatMap(leavesOf) ?? [value];

/** The leaves that the stored values stand for. A stored branch stands for its leaves, unless some of them are stored themselves. */
export function checkedLeaves(choices: readonly Choice[], stored: ReadonlySet<string>, combining: string): ReadonlySet<string> {
  return new Set(choices.flatMap((choice) => leavesWithin(choice, stored, combining)));
}

function leavesWithin(choice: Choice, stored: ReadonlySet<string>, combining: string): readonly string[] {
  if (choice.children === undefined) return stored.has(choice.value) ? [choice.value] : [];
  const below = choice.children.flatMap((child) => leavesWithin(child, stored, combining));
  return below.length === 0 && stored.has(choice.value) && combining !== 'indeterminate' ? leavesOf(choice) : below;
}

export function boxState(choice: Choice, checked: ReadonlySet<string>): BoxState {
  const leaves = leavesOf(choice);
  const count = leaves.filter((leaf) => checked.has(leaf)).length;
  return count === 0 ? 'off' : count === leaves.length ? 'on' : 'part';
}

/** The leaves after a box was checked or unchecked, with all boxes below it. */
export function toggleBox(choice: Choice, checked: ReadonlySet<string>, isOn: boolean): ReadonlySet<string> {
  const next = new Set(checked);
  for (const leaf of leavesOf(choice)) {
    if (isOn) next.add(leaf);
    else next.delete(leaf);
  }
  return next;
}

export function valuesOf(choices: readonly Choice[], checked: ReadonlySet<string>, combining: string): readonly string[] {
  return choices.flatMap((choice): readonly string[] => {
    const state = boxState(choice, checked);
    if (state === 'off') return [];
    if (choice.children === undefined) return [choice.value];
    const below = valuesOf(choice.children, checked, combining);
    switch (combining) {
      case 'leaf':
        return below;
      case 'branch':
        return state === 'on' ? [choice.value] : below;
      case 'indeterminate':
        return [choice.value, ...below];
      default:
        return state === 'on' ? [choice.value, ...below] : below;
    }
  });
}
