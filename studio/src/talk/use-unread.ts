// How many notifications wait for the person. The first number comes with the start of Studio; later ones are asked for when the service tells of
// a change, or where it cannot tell, when the page is looked at again.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { search } from '../api/client.js';
import { follow } from '../live/live-socket.js';
import { systemCollection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';

/** The key of everything that is known of notifications. */
export const notificationsKey = (user: string): readonly string[] => ['notifications', user];

const unreadKey = (user: string): readonly string[] => [...notificationsKey(user), 'unread'];

/** The most items that a subscription starts with. */
const mostCompared = 100;

const waiting = (user: string) => ({ recipient: { _eq: user }, status: { _eq: 'inbox' } });

export function useUnread(): number {
  const { me, unread, isLive } = useStudio().boot;
  const { data } = useQuery({
    queryKey: unreadKey(me.id),
    queryFn: async ({ signal }) => {
      const query = { aggregate: { count: '*' }, filter: waiting(me.id) };
      const { data: found } = await search<readonly { readonly count: number | string }[]>('/notifications', query, signal);
      return Number(found[0]?.count ?? 0);
    },
    initialData: unread,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: isLive ? false : 'always',
  });
  return data;
}

/** Reads notifications again whenever one comes or goes, here or elsewhere. */
export function useLiveNotifications(): void {
  const { me, schema, isLive } = useStudio().boot;
  const cache = useQueryClient();
  const name = systemCollection(schema, 'notifications')?.name;
  useEffect(() => {
    if (!isLive || name === undefined) return;
    const query = { fields: ['id'], filter: waiting(me.id), sort: ['-id'], limit: mostCompared };
    return follow({ collection: name, query }, ({ event, data }) => {
      // Compares the numbers to notice a notification that arrived between the boot answer and the subscription.
      const known = cache.getQueryData<number>(unreadKey(me.id)) ?? 0;
      if (event === 'end' || (event === 'init' && Math.min(known, mostCompared) === (data as readonly unknown[]).length)) return;
      void cache.invalidateQueries({ queryKey: notificationsKey(me.id) });
    });
  }, [isLive, name, me.id, cache]);
}
