// The stored rows of a list of related items, as entries without edits, twenty-five at a time.

import { useQuery } from '@tanstack/react-query';
import { search } from '../api/client.js';
import type { Item } from '../draft/item.js';
import type { StagedEntry } from '../draft/staged.js';
import { escapeName } from '../schema/field-path.js';
import { keyFields, keyValue } from '../schema/item-key.js';
import type { Collection } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { itemsPath, useStudio } from '../studio-context.js';
import { type ListPlan, targetOf } from './relations/plan-list.js';

export const pageSize = 25;

export interface StoredEntries {
  readonly entries: readonly StagedEntry[];
  readonly isLoading: boolean;
  /** Why they could not be read. */
  readonly problem: string | null;
}

export function useStoredEntries(plan: ListPlan, collection: string, itemKey: string | null, pages: number): StoredEntries {
  const { schema } = useStudio().boot;
  const above = schema.get(collection);
  const { data, error, isFetching } = useQuery({
    queryKey: ['related', collection, plan.read.name, plan.foreignKey, itemKey, pages],
    queryFn: async ({ signal }) => {
      const query = {
        fields: plan.fields,
        filter: { [escapeName(plan.foreignKey)]: pointsAt(above, itemKey) },
        limit: pages * pageSize,
        sort: [...(plan.sortField === null ? [] : [plan.sortField]), ...plan.read.keys].map(escapeName),
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

/** The condition that a reference leads to this item. One to a key of several fields is compared part by part. */
function pointsAt(above: Collection | undefined, itemKey: string | null): Item {
  if (above === undefined || above.keys.length < 2) return { _eq: itemKey };
  return Object.fromEntries(Object.entries(keyFields(above, itemKey)).map(([name, part]) => [escapeName(name), { _eq: part }]));
}

function entryOf(plan: ListPlan, row: Item): StagedEntry {
  const rowKey = keyValue(plan.read, row);
  const collection = plan.collectionField === null ? {} : { collection: plainText(row[plan.collectionField]) };
  const found = plan.junctionField === null ? row : row[plan.junctionField];
  const target = targetOf(plan, collection)?.collection ?? { keys: ['id'] };
  const shown: Item = typeof found === 'object' && found !== null ? (found as Item) : keyFields(target, found);
  const key = keyValue(target, shown) ?? null;
  return { $staged: 'entry', id: `row-${plainText(rowKey)}`, row: rowKey, key, shown, edits: {}, ...collection };
}
