// The versions of an item: drafts beside what is published.

import { useQuery } from '@tanstack/react-query';
import { search } from '../api/client.js';
import type { Collection } from '../schema/model.js';

export interface Version {
  readonly id: string;
  readonly key: string;
  readonly name: string | null;
}

/** Undefined until they are read. */
export function useVersions({ name }: Collection, itemKey: string): readonly Version[] | undefined {
  const { data } = useQuery({
    queryKey: ['versions', name, itemKey],
    queryFn: async ({ signal }) => {
      const filter = { collection: { _eq: name }, item: { _eq: itemKey } };
      return (await search<readonly Version[]>('/versions', { fields: ['id', 'key', 'name'], filter, sort: ['key'], limit: 100 }, signal))
        .data;
    },
  });
  return data;
}

export const nameOfVersion = ({ name, key }: Version): string => name ?? key;
