// Which fields the service itself has written of which items, for a while: a log of the database reports the items of these writes, but may
// not report what of them has changed.

import type { Change } from '../../core/engine/work/changes.js';
import type { Key } from '../../core/engine/work/work.js';
import { textOfKey } from './visible-items.js';

type ChangedItems = Extract<Change, { kind: 'items' }>;

const keptMs = 10_000;
const maxKept = 10_000;

export class WrittenFields {
  /** In the order in which they were noted. */
  readonly #kept = new Map<string, { readonly fields: readonly string[]; readonly until: number }>();

  note(changes: readonly Change[]): void {
    const now = performance.now();
    for (const change of changes) {
      if (change.kind !== 'items' || change.fields === undefined) continue;
      for (const key of change.keys) this.#keep(placeOf(change, key), change.fields, now + keptMs);
    }
    for (const [place, { until }] of this.#kept) {
      if (until > now && this.#kept.size <= maxKept) break;
      this.#kept.delete(place);
    }
  }

  #keep(place: string, fields: readonly string[], until: number): void {
    const earlier = this.#kept.get(place)?.fields ?? [];
    this.#kept.delete(place);
    this.#kept.set(place, { fields: [...new Set([...earlier, ...fields])], until });
  }

  /** The logged changes, with the fields of those that were noted, which are forgotten. */
  addTo(changes: readonly Change[]): readonly Change[] {
    if (this.#kept.size === 0) return changes;
    return changes.flatMap((change) => (change.kind === 'items' && change.action === 'update' ? this.#divide(change) : [change]));
  }

  #divide(change: ChangedItems): readonly Change[] {
    const known = change.keys.flatMap((key): readonly Change[] => {
      const fields = this.#take(placeOf(change, key));
      return fields === null ? [] : [{ ...change, keys: [key], fields }];
    });
    const found = new Set(known.flatMap((one) => (one.kind === 'items' ? one.keys : [])));
    const unknown = change.keys.filter((key) => !found.has(key));
    return unknown.length === 0 ? known : [...known, { ...change, keys: unknown }];
  }

  #take(place: string): readonly string[] | null {
    const kept = this.#kept.get(place);
    this.#kept.delete(place);
    return kept?.fields ?? null;
  }
}

const placeOf = ({ collection }: ChangedItems, key: Key): string => `${collection}\u0000${textOfKey(key)}`;
