// The rows of a list as its state asks for them, and their number.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { search } from '../api/client.js';
import { keyText } from '../schema/item-key.js';
import type { Collection } from '../schema/model.js';
import { templateOf, templatePaths } from '../schema/templates.js';
import { itemsPath } from '../studio-context.js';
import { type Column, fieldsOf } from './columns.js';
import { type ListSettings, type ListState, narrowing, printSort } from './list-state.js';
import { Rows } from './rows.js';

/** A list that was out of sight for longer than this is read again when it comes back. */
const stale = 10_000;

/** The last list of each collection, which is there at once when somebody comes back to it. */
const kept = new WeakMap<Collection, { readonly query: string; readonly rows: Rows }>();

function rowsOf(collection: Collection, query: string): Rows {
  const known = kept.get(collection);
  if (known?.query === query) return known.rows;
  const rows = new Rows(itemsPath(collection), JSON.parse(query), (row) => keyText(collection, row));
  kept.set(collection, { query, rows });
  return rows;
}

export function useRows(
  collection: Collection,
  columns: readonly Column[],
  state: ListState,
): { readonly rows: Rows; readonly query: string; readonly reload: () => void } {
  const fields = [...new Set([...fieldsOf(collection, columns), ...templatePaths(templateOf(collection))])];
  const sort = state.sort.length === 0 ? {} : { sort: printSort(state.sort) };
  const query = JSON.stringify({ fields, ...narrowing(state), ...sort });
  const rows = useMemo(() => rowsOf(collection, query), [collection, query]);
  useEffect(() => {
    let left = 0;
    const see = () => {
      if (document.hidden) left = Date.now();
      else if (left > 0 && Date.now() - left > stale) rows.refresh();
    };
    rows.start();
    document.addEventListener('visibilitychange', see);
    return () => {
      document.removeEventListener('visibilitychange', see);
      rows.stop();
    };
  }, [rows]);
  return { rows, query, reload: () => rows.refresh() };
}

/** How many items the filter of a list finds; undefined until it is known. */
export function useCount(collection: Collection, state: ListSettings, rows: Rows): number | undefined {
  const narrowed = narrowing(state);
  const { isLoaded } = rows;
  const { data: count } = useQuery({
    queryKey: ['count', collection.name, narrowed],
    queryFn: async ({ signal }) => {
      const query = { ...narrowed, aggregate: { count: '*' } };
      const { data } = await search<readonly { readonly count: number | string }[]>(itemsPath(collection), query, signal);
      return Number(data[0]?.count ?? 0);
    },
    enabled: isLoaded,
  });
  // In another order the number is known before the rows are.
  useEffect(() => {
    if (count !== undefined && isLoaded) rows.setCount(count);
  }, [count, rows, isLoaded]);
  return count;
}
