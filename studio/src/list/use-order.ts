// The manual order of a collection: a moved row is shown at its new place at once, and the move is sent as one request after a pause.

import { useEffect, useMemo, useRef } from 'react';
import { request } from '../api/client.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection } from '../schema/model.js';
import { fieldsFor } from '../schema/permissions.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import type { ListState } from './list-state.js';
import type { Rows } from './rows.js';

export interface Order {
  /** False when the row cannot go there. */
  move(from: number, to: number): boolean;
}

interface Way {
  readonly item: unknown;
  readonly from: number;
  readonly to: number;
  readonly timer: number;
}

const rest = 400;

/** Null when the list is in another order, or may not be changed. */
export function useOrder(collection: Collection, state: ListState, rows: Rows): Order | null {
  const text = useText();
  const { permissions, seen } = useStudio().boot;
  const way = useRef<Way | null>(null);
  const { sortField, key, name } = collection;
  const isAllowed = sortField !== null && fieldsFor(permissions, collection, 'update')(sortField);
  const isOwn = state.sort.length === 0 || (state.sort.length === 1 && state.sort[0]?.field === sortField && !state.sort[0].descending);
  const isPossible = key !== null && isOwn && isAllowed && seen === null;
  const latest = useRef({ rows, text });
  latest.current = { rows, text };
  const actions = useMemo(() => {
    const keyAt = (index: number): unknown => (key === null ? undefined : latest.current.rows.row(index)?.[key]);
    const put = async (item: unknown, to: unknown): Promise<boolean> => {
      try {
        await request('POST', `/utils/sort/${encodeURIComponent(name)}`, { body: { item, to } });
        return true;
      } catch (error) {
        showToast(error instanceof Error ? error.message : latest.current.text.unreachable);
        return false;
      } finally {
        // The sort values of the rows in between have changed, too.
        latest.current.rows.refresh();
      }
    };
    const send = () => {
      const { current } = way;
      way.current = null;
      if (current === null) return;
      clearTimeout(current.timer);
      const { item, from, to } = current;
      if (from === to) return;
      // The row that had the new place before, and the row that has the old place now.
      const [target, follower] = [keyAt(to > from ? to - 1 : to + 1), keyAt(from)];
      void put(item, target).then(
        (isDone) =>
          isDone && showToast(latest.current.text.list.moved, { label: latest.current.text.undo, run: () => void put(item, follower) }),
      );
    };
    const move = (from: number, to: number): boolean => {
      const item = keyAt(from);
      if (way.current !== null && way.current.item !== item) send();
      if (item === undefined || keyAt(to) === undefined || !latest.current.rows.move(from, to)) return false;
      clearTimeout(way.current?.timer);
      way.current = { item, from: way.current?.from ?? from, to, timer: window.setTimeout(send, rest) };
      return true;
    };
    return { move, send };
  }, [name, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that is left, or put into another order, leaves nothing unsent
  useEffect(() => actions.send, [actions, rows]);
  return isPossible ? actions : null;
}
