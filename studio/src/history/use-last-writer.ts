// Who wrote an item last, for messages about what somebody else did. Asked only where the person may read it.

import { useQuery } from '@tanstack/react-query';
import { search } from '../api/client.js';
import type { Collection } from '../schema/model.js';
import { namingFields, type Person, personName } from '../schema/person.js';
import { useMay, useStudio } from '../studio-context.js';

interface Written {
  readonly activity: { readonly user: Person | null } | null;
}

/** Null: nobody who can be named, or the person themselves. `change`: tells one change from the next. */
export function useLastWriter({ name }: Collection, itemKey: string | null, change = 0): string | null {
  const { me, permissions } = useStudio().boot;
  const may = useMay();
  const naming = namingFields(permissions);
  const mayAsk = itemKey !== null && naming.length > 0 && may('revisions', 'read') && may('activity', 'read');
  const { data = null } = useQuery({
    queryKey: ['writer', name, itemKey, change],
    queryFn: async ({ signal }) => {
      const filter = { collection: { _eq: name }, item: { _eq: itemKey }, version: { _null: true } };
      const fields = naming.map((field) => `activity.user.${field}`);
      const { data: revisions } = await search<readonly Written[]>('/revisions', { fields, filter, sort: ['-id'], limit: 1 }, signal);
      const writer = revisions[0]?.activity?.user ?? null;
      return writer === null || writer.id === me.id ? null : personName(writer);
    },
    enabled: mayAsk,
    staleTime: 0,
    gcTime: 0,
  });
  return data;
}
