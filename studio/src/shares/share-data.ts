// The shares of an item: links that open it, and it alone, to everyone who has them.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { graphql, request } from '../api/client.js';
import { useMay } from '../studio-context.js';
import { useText } from '../text/use-text.js';

export const useSharesText = () => useText('shares');

export interface Role {
  readonly id: string;
  readonly name: string;
}

export interface Share {
  readonly id: string;
  readonly name: string | null;
  readonly role?: Role | null;
  /** Masked; null: there is none. */
  readonly password: string | null;
  readonly date_start: string | null;
  readonly date_end: string | null;
  readonly max_uses: number | null;
  readonly times_used: number | null;
}

export interface NewShare {
  readonly name: string | null;
  readonly role: string | null;
  readonly password: string | null;
  readonly date_start: string | null;
  readonly date_end: string | null;
  readonly max_uses: number | null;
}

/** An item, as shares name it. */
export interface Shared {
  readonly collection: string;
  readonly item: string;
}

const mostShares = 100;

/** The links of an item and the roles they can have, in one request. */
export function useShares({ collection, item }: Shared) {
  const mayReadRoles = useMay()('roles', 'read');
  return useQuery({
    queryKey: ['shares', collection, item],
    queryFn: async () => {
      const filter = `{ collection: { _eq: ${JSON.stringify(collection)} }, item: { _eq: ${JSON.stringify(item)} } }`;
      const fields = 'id name password date_start date_end max_uses times_used';
      const query = `{
        shares(limit: ${mostShares}, sort: ["-date_created"], filter: ${filter}) { ${fields} ${mayReadRoles ? 'role { id name }' : ''} }
        ${mayReadRoles ? 'roles(limit: -1, sort: ["name"]) { id name }' : ''}
      }`;
      const { shares, roles = [] } = await graphql<{ readonly shares: readonly Share[]; readonly roles?: readonly Role[] }>(query);
      return { shares, roles };
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}

export function useShareActions({ collection, item }: Shared) {
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: ['shares', collection, item] });
  return {
    async create(share: NewShare): Promise<void> {
      await request('POST', '/shares', { body: { collection, item, ...share }, query: { fields: 'id' } });
      await refresh();
    },
    async remove(id: string): Promise<void> {
      await request('DELETE', `/shares/${encodeURIComponent(id)}`);
      await refresh();
    },
  };
}

export const inviteToShare = (share: string, emails: readonly string[]): Promise<unknown> =>
  request('POST', '/shares/invite', { body: { share, emails } });

/** Where the link leads. */
export const linkOf = (id: string): string => new URL(`shared/${encodeURIComponent(id)}`, document.baseURI).href;

type Bounds = Pick<Share, 'date_start' | 'date_end' | 'max_uses' | 'times_used'>;

/** Whether a link can be opened now, and if not, why. */
export function stateOf({ date_start, date_end, max_uses, times_used }: Bounds, now: number): 'open' | 'over' | 'early' | 'used' {
  if (date_end !== null && Date.parse(date_end) <= now) return 'over';
  if (max_uses !== null && (times_used ?? 0) >= max_uses) return 'used';
  return date_start !== null && Date.parse(date_start) > now ? 'early' : 'open';
}
