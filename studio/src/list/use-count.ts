// How many items the filter of a list finds; undefined until it is known.

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { search } from '../api/client.js';
import type { Collection } from '../schema/model.js';
import { itemsPath } from '../studio-context.js';
import { type ListSettings, narrowing } from './list-state.js';
import type { Rows } from './rows.js';

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
