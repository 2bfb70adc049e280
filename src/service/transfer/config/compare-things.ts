// What a push would do, thing by thing: files, database, and what both had in common last.

import type { Digests } from './pushed.js';
import { digestOfThing, isSameValue, type Thing, thingId } from './thing.js';

export interface ThingDifference {
  readonly id: string;
  readonly kind: string;
  readonly path: string;
  readonly action: 'create' | 'change' | 'remove';
  readonly present: Thing | null;
  readonly wanted: Thing | null;
  /** The parts that differ. */
  readonly parts: readonly string[];
  /** The database was changed since the files were made from it or pushed into it. */
  readonly isConflict: boolean;
}

export interface Bases {
  /** What was last pushed; null: nothing ever was. */
  readonly pushed: Digests | null;
  /** What the folder was last pulled from, or pushed into. */
  readonly folder: Digests | null;
}

/** Things that the files do not have are differences, too: they are removed or left alone. */
export function compareThings(present: readonly Thing[], wanted: readonly Thing[], bases: Bases): readonly ThingDifference[] {
  const [here, there] = [byId(present), byId(wanted)];
  return [...new Set([...there.keys(), ...here.keys()])].toSorted().flatMap((id) => {
    const [one, other] = [here.get(id) ?? null, there.get(id) ?? null];
    const known = one ?? other;
    if (known === null || (one !== null && other !== null && digestOfThing(one) === digestOfThing(other))) return [];
    return [
      {
        id,
        kind: known.kind,
        path: (other ?? known).path,
        action: one === null ? 'create' : other === null ? 'remove' : 'change',
        present: one,
        wanted: other,
        parts: one === null || other === null ? [] : partsOf(one, other),
        isConflict: isChangedSince(id, one, bases),
      },
    ];
  });
}

const byId = (things: readonly Thing[]): ReadonlyMap<string, Thing> => new Map(things.map((thing) => [thingId(thing), thing]));

/**
 * Into a database that nothing was pushed into, the first push writes what it shows. A thing that is gone was removed there if it was pushed; that the
 * folder knew it says nothing, since it may know it from another database.
 */
function isChangedSince(id: string, present: Thing | null, { pushed, folder }: Bases): boolean {
  if (pushed === null) return false;
  if (present === null) return pushed[id] !== undefined;
  return ![pushed[id], folder?.[id]].includes(digestOfThing(present));
}

function partsOf(one: Thing, other: Thing): readonly string[] {
  const names = new Set([...Object.keys(one.document), ...Object.keys(other.document)]);
  return [...names].filter((name) => !isSameValue(one.document[name], other.document[name]));
}
