// The stored rows of a list of related items, as entries without edits, twenty-five at a time.

import { useQuery } from '@tanstack/react-query';
import { search } from '../api/client.js';
import type { Item } from '../draft/draft.js';
import type { StagedEntry } from '../draft/staged.js';
import { plainText } from '../schema/templates.js';
import { itemsPath } from '../studio-context.js';
import { type ListPlan, targetOf } from './relations/plan-list.js';

export const pageSize = 25;

export interface StoredEntries {
  readonly entries: readonly StagedEntry[];
  readonly isLoading: boolean;
  /** Why they could not be read. */
  readonly problem: string | null;
}

export function useStoredEntries(plan: ListPlan, collection: string, itemKey: string | null, pages: number): StoredEntries {
  const { data, error, isFetching } = useQuery({
    queryKey: ['related', collection, plan.read.name, plan.foreignKey, itemKey, pages],
    queryFn: async ({ signal }) => {
      const query = {
        fields: plan.fields,
        filter: { [plan.foreignKey]: { _eq: itemKey } },
        limit: pages * pageSize,
        sort: plan.sortField === null ? [plan.readKey] : [plan.sortField, plan.readKey],
      };
      return (await search<readonly Item[]>(itemsPath(plan.read), query, signal)).data;
    },
    enabled: itemKey !== null,
    placeholderData: (previous) => previous,
  });
  return {
    entries: (data ?? []).map((row) => entryOf(plan, row)),
    isLoading: data === undefined && isFetching,
    problem: error === null ? null : error.message,
  };
}

function entryOf(plan: ListPlan, row: Item): StagedEntry {
  const rowKey = row[plan.readKey];
  const collection = plan.collectionField === null ? {} : { collection: plainText(row[plan.collectionField]) };
  const found = plan.junctionField === null ? row : row[plan.junctionField];
  const key = targetOf(plan, collection)?.key ?? 'id';
  const shown: Item = typeof found === 'object' && found !== null ? (found as Item) : { [key]: found };
  return { $staged: 'entry', id: `row-${plainText(rowKey)}`, row: rowKey, key: shown[key] ?? null, shown, edits: {}, ...collection };
}
