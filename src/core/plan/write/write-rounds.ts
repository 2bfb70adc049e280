// A payload may name one item several times. Items are split into rounds, each of which contains an item at most once. The rounds run one
// after the other, so that the last change wins, as it would in separate requests.

import type { BoundItem, WriteValues } from './bound-write.js';
import { keyText } from './item-key.js';
import type { PlanState } from './plan-state.js';

/**
 * `merges`: whether two payloads that write the same to the same item may count as one. That is not so in lists, where each has a position.
 */
export function splitRounds(state: PlanState, items: readonly BoundItem[], merges: boolean): readonly (readonly BoundItem[])[] {
  const rounds: BoundItem[][] = [];
  const seen = new Map<string, BoundItem[]>();
  for (const item of items) {
    const name = nameOf(item);
    const earlier = name === null ? [] : (seen.get(name) ?? []);
    const same = merges ? earlier.find((other) => isSameItem(other, item)) : undefined;
    if (same !== undefined && same !== item) state.identify(item, same);
    if (same !== undefined) continue;
    const round = rounds[earlier.length] ?? [];
    rounds[earlier.length] = round;
    round.push(item);
    if (name !== null) seen.set(name, [...earlier, item]);
  }
  return rounds;
}

function nameOf({ intent }: BoundItem): string | null {
  switch (intent.kind) {
    case 'create':
      return null;
    case 'update':
    case 'link':
      return keyText(intent.key);
    case 'upsert':
      return keyText(intent.match.values);
  }
}

function isSameItem(a: BoundItem, b: BoundItem): boolean {
  if (a === b) return true;
  if (a.toOne.length + a.toMany.length + b.toOne.length + b.toMany.length > 0) return false;
  if (a.intent.kind === 'link' && b.intent.kind === 'link') return true;
  const [left, right] = [changesOf(a), changesOf(b)];
  return left !== null && right !== null && textOf(left) === textOf(right);
}

const textOf = (values: WriteValues): string =>
  JSON.stringify([...values], (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

function changesOf({ intent }: BoundItem): WriteValues | null {
  if (intent.kind === 'update') return intent.update.values;
  return intent.kind === 'upsert' && intent.update.kind === 'ready' ? intent.update.variant.values : null;
}
