// The order of fields in a form and of collections in the tree: entries in groups, moved one at a time. Pure, imports no framework.

export interface Placed {
  readonly id: string;
  /** The group it is in; null: none. */
  readonly parent: string | null;
  readonly sort: number | null;
  readonly isGroup: boolean;
}

export interface Arranged extends Placed {
  readonly depth: number;
}

/** Where an entry goes: before another one in a group, or at its end. */
export interface Target {
  readonly parent: string | null;
  readonly before: string | null;
}

/** What an entry is in follows it. A group that does not exist, or that is in itself, counts as none. */
export function arrange(entries: readonly Placed[]): readonly Arranged[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const parentOf = (entry: Placed): string | null => {
    const seen = new Set([entry.id]);
    for (let at = entry.parent; at !== null; at = known.get(at)?.parent ?? null) {
      if (seen.has(at) || known.get(at)?.isGroup !== true) return null;
      seen.add(at);
    }
    return entry.parent;
  };
  const placed = entries.map((entry) => ({ ...entry, parent: parentOf(entry) }));
  const below = (parent: string | null, depth: number): readonly Arranged[] =>
    placed.filter((entry) => entry.parent === parent).flatMap((entry) => [{ ...entry, depth }, ...below(entry.id, depth + 1)]);
  return below(null, 0);
}

/** The entries with one moved, together with what is in it. Undefined: it cannot go there. */
export function moveTo(entries: readonly Placed[], id: string, { parent, before }: Target): readonly Arranged[] | undefined {
  const all = arrange(entries);
  const entry = all.find((each) => each.id === id);
  if (entry === undefined || before === id || isWithin(all, parent, id)) return undefined;
  const rest = all.filter((each) => each !== entry);
  const at = before === null ? rest.length : rest.findIndex((each) => each.id === before);
  const moved = arrange(rest.toSpliced(at, 0, { ...entry, parent }));
  return moved.every((each, index) => each.id === all[index]?.id && each.parent === all[index].parent) ? undefined : moved;
}

function isWithin(all: readonly Placed[], group: string | null, id: string): boolean {
  for (let at = group; at !== null; at = all.find((each) => each.id === at)?.parent ?? null) if (at === id) return true;
  return false;
}

export type Step = 'up' | 'down' | 'in' | 'out';

/** Where one step leads: past a neighbour, into the group above, or out of its own. Undefined: nowhere. */
export function stepTarget(entries: readonly Placed[], id: string, step: Step): Target | undefined {
  const all = arrange(entries);
  const entry = all.find((each) => each.id === id);
  if (entry === undefined) return undefined;
  const siblings = all.filter((each) => each.parent === entry.parent);
  const index = siblings.indexOf(entry);
  const { parent } = entry;
  if (step === 'up') return index === 0 ? undefined : { parent, before: siblings[index - 1]?.id ?? null };
  if (step === 'down') return index === siblings.length - 1 ? undefined : { parent, before: siblings[index + 2]?.id ?? null };
  if (step === 'in') {
    const group = siblings.slice(0, index).findLast((each) => each.isGroup);
    return group === undefined ? undefined : { parent: group.id, before: null };
  }
  const group = all.find((each) => each.id === parent);
  if (group === undefined) return undefined;
  return { parent: group.parent, before: after(all, group) };
}

/** The next one in the same group. */
export function after(all: readonly Placed[], entry: Placed): string | null {
  const siblings = all.filter((each) => each.parent === entry.parent);
  return siblings[siblings.findIndex((each) => each.id === entry.id) + 1]?.id ?? null;
}

/** The places that differ from those stored, numbered through from one. */
export function placesChanged(next: readonly Placed[], stored: readonly Placed[]): readonly Placed[] {
  const known = new Map(stored.map((entry) => [entry.id, entry]));
  return next
    .map((entry, index) => ({ ...entry, sort: index + 1 }))
    .filter((entry) => known.get(entry.id)?.sort !== entry.sort || known.get(entry.id)?.parent !== entry.parent);
}
