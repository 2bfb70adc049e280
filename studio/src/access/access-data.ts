// What the screens about access read and write. Each screen reads with one request.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { graphql, request } from '../api/client.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';

export const useAccessText = () => useText('access');

export const actions = ['create', 'read', 'update', 'delete', 'share'] as const;
export type Action = (typeof actions)[number];

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** A policy as given to a role, a person or the public. */
export interface Link {
  readonly id: string;
  readonly policy: Named & { readonly admin_access?: boolean };
}

export interface Role extends Named {
  readonly description: string | null;
  readonly parent: string | null;
  readonly people: number;
  readonly policies: readonly Link[];
}

export interface Person {
  readonly id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
}

/** The policies of the first start are named by keys that Studio translates; other keys are translations of the project. */
export function usePolicyText(): (stored: string | null) => string {
  const text = useAccessText();
  const { translate } = useStudio().boot;
  const own: Readonly<Record<string, string>> = { '$t:public_label': text.public, '$t:public_description': text.publicHint };
  return (stored) => own[stored ?? ''] ?? translate(stored ?? '');
}

export const personName = ({ first_name, last_name, email, id }: Person): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? id);

type Ref = { readonly id: string } | null;

interface RawRole extends Named {
  readonly description: string | null;
  readonly parent: Ref;
  readonly users_func: { readonly count: number };
  readonly policies: readonly Link[];
}

export interface Roles {
  readonly roles: readonly Role[];
  readonly policies: readonly Named[];
  /** What everybody may do. */
  readonly open: readonly Link[];
}

export const rolesRequest = {
  document: `{
  roles(limit: -1, sort: ["name"]) { id name description parent { id } users_func { count } policies(limit: -1) { id policy { id name admin_access } } }
  policies(limit: -1, sort: ["name"]) { id name }
  access(limit: -1, filter: { role: { id: { _null: true } }, user: { id: { _null: true } } }) { id policy { id name } }
}`,
};

export function useRoles(): { readonly data: Roles | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: ['access', 'roles'],
    queryFn: async (): Promise<Roles> => {
      const { roles, policies, access } = await graphql<{
        readonly roles: readonly RawRole[];
        readonly policies: readonly Named[];
        readonly access: readonly Link[];
      }>(rolesRequest.document);
      return {
        roles: roles.map(({ parent, users_func, ...role }) => ({ ...role, parent: parent?.id ?? null, people: users_func.count })),
        policies,
        open: access,
      };
    },
  });
}

export interface StoredPermission {
  readonly id: number;
  readonly collection: string;
  readonly action: string;
  readonly permissions: unknown;
  readonly validation: unknown;
  readonly presets: Readonly<Record<string, unknown>> | null;
  readonly fields: readonly string[] | null;
}

interface PolicyFacts extends Named {
  readonly description: string | null;
  readonly admin_access: boolean;
  readonly app_access: boolean;
  readonly enforce_tfa: boolean;
  readonly ip_access: readonly string[] | null;
}

/** Who has a policy: a role, a person, or the public (both null). */
interface Use {
  readonly id: string;
  readonly role: (Named & { readonly users: readonly Person[] }) | null;
  readonly user: Person | null;
}

export interface Policy extends PolicyFacts {
  readonly uses: readonly Use[];
  readonly permissions: readonly StoredPermission[];
}

const policyFacts = 'id name description admin_access app_access enforce_tfa ip_access';
const person = 'id first_name last_name email';
const uses = `users(limit: -1) { id role { id name users(limit: 5, filter: { status: { _eq: "active" } }) { ${person} } } user { ${person} } }`;

export const policiesRequest = { document: `{ policies(limit: -1, sort: ["name"]) { ${policyFacts} ${uses} } }` };

export function usePolicies(): { readonly data: readonly Omit<Policy, 'permissions'>[] | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: ['access', 'policies'],
    queryFn: async () => {
      type Raw = PolicyFacts & { readonly users: readonly Use[] };
      const { policies } = await graphql<{ readonly policies: readonly Raw[] }>(policiesRequest.document);
      return policies.map(({ users, ...facts }) => ({ ...facts, uses: users }));
    },
  });
}

export function requestOfPolicy(id: string) {
  const fields = `${policyFacts} ${uses} permissions(limit: -1, sort: ["id"]) { id collection action permissions validation presets fields }`;
  return { document: `{ policies(limit: 1, filter: { id: { _eq: ${JSON.stringify(id)} } }) { ${fields} } }` };
}

export function usePolicy(id: string): { readonly data: Policy | null | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: ['access', 'policy', id],
    queryFn: async (): Promise<Policy | null> => {
      type Raw = Omit<Policy, 'uses' | 'permissions'> & { readonly users: readonly Use[]; readonly permissions: readonly RawPermission[] };
      const [found] = (await graphql<{ readonly policies: readonly Raw[] }>(requestOfPolicy(id).document)).policies;
      if (found === undefined) return null;
      const { users, permissions, ...facts } = found;
      return { ...facts, uses: users, permissions: permissions.map((each) => ({ ...each, id: Number(each.id) })) };
    },
    refetchOnWindowFocus: false,
  });
}

type RawPermission = Omit<StoredPermission, 'id'> & { readonly id: number | string };

/** Reloads everything that shows access. */
export function useRefreshAccess(): () => Promise<void> {
  const cache = useQueryClient();
  return async () => {
    await cache.invalidateQueries({ queryKey: ['access'] });
  };
}

export const attach = (to: { readonly role: string } | { readonly user: string } | null, policy: string): Promise<unknown> =>
  request('POST', '/access', { body: { policy, ...to } });

export const detach = ({ id }: { readonly id: string }): Promise<unknown> => request('DELETE', `/access/${encodeURIComponent(id)}`);
