// Which rows are selected: some by their keys, or everything that the list's filter finds.

import { useMemo, useState } from 'react';
import type { Cells } from './edit/use-cells.js';
import type { Rows } from './rows.js';

export interface Selection {
  readonly state: 'none' | 'some' | 'all';
  /** Ids of the selected rows; of everything when `state` is `all`. */
  readonly ids: ReadonlySet<string>;
  has(id: string | null): boolean;
  /** Toggles a row; with `between`, all rows from the last toggled one to this one. */
  toggle(id: string | null, between?: Cells | null): void;
  /** Everything, or nothing when something is selected. */
  toggleAll(): void;
  clear(): void;
}

/** The selection is cleared when the list shows other `rows`. */
export function useSelection(rows: Rows): Selection {
  const [chosen, setChosen] = useState<{
    readonly rows: Rows;
    readonly ids: ReadonlySet<string>;
    readonly all: boolean;
    readonly last: string | null;
  }>({ rows, ids: new Set(), all: false, last: null });
  return useMemo(() => {
    const { ids, all, last } = chosen.rows === rows ? chosen : { ids: new Set<string>(), all: false, last: null };
    const clear = () => setChosen({ rows, ids: new Set(), all: false, last: null });
    return {
      state: all ? 'all' : ids.size > 0 ? 'some' : 'none',
      ids,
      has: (id) => id !== null && (all || ids.has(id)),
      toggle: (id, between = null) => {
        if (id === null || id.startsWith('new:')) return;
        if (all) return clear();
        const next = new Set(ids);
        if (between !== null && last !== null) for (const each of idsBetween(between, last, id)) next.add(each);
        else if (!next.delete(id)) next.add(id);
        setChosen({ rows, ids: next, all: false, last: id });
      },
      toggleAll: () => (all || ids.size > 0 ? clear() : setChosen({ rows, ids, all: true, last: null })),
      clear,
    };
  }, [chosen, rows]);
}

function idsBetween(cells: Cells, one: string, other: string): readonly string[] {
  const [from, to] = [cells.rowOf(one), cells.rowOf(other)];
  if (from === null || to === null) return [other];
  const [first, last] = from < to ? [from, to] : [to, from];
  return Array.from({ length: last - first + 1 }, (_, index) => cells.idOf(first + index)).filter((id) => id !== null);
}
