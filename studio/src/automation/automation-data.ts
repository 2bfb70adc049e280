// What the screens of flows read and write. A flow is read with its steps, and stored with them, in one request each.

import { useQuery } from '@tanstack/react-query';
import { randomKey, request, search } from '../api/client.js';
import type { Item } from '../draft/item.js';
import { type Collection, systemCollection } from '../schema/model.js';
import { type Action, may as mayDo } from '../schema/permissions.js';
import { useMay, useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import type { Flow, FlowFacts } from './flow-model.js';

export const useAutomationText = () => useText('automation');

/** What the person may do with flows. Trying out and running again are for administrators. */
export interface FlowRights {
  readonly flows: (action: Action) => boolean;
  readonly steps: (action: Action) => boolean;
  readonly runs: boolean;
  readonly isAdmin: boolean;
}

export function useFlowRights(): FlowRights {
  const may = useMay();
  const { isAdmin, seen } = useStudio().boot;
  return {
    flows: (action) => may('flows', action),
    steps: (action) => may('operations', action),
    runs: may('runs', 'read'),
    isAdmin: isAdmin && seen === null,
  };
}

export type ListedFlow = Omit<FlowFacts, 'accountability' | 'options'> & { readonly id: string };

export const flowsKey = ['flows'];
export const flowKey = (id: string) => ['flow', id];

export const listRequest = {
  path: '/flows',
  query: { fields: ['id', 'name', 'icon', 'color', 'description', 'status', 'trigger'], sort: ['name', 'id'], limit: 1000 },
};

export function useFlows() {
  return useQuery({
    queryKey: flowsKey,
    queryFn: async ({ signal }) => (await search<readonly ListedFlow[]>(listRequest.path, listRequest.query, signal)).data,
    enabled: useMay()('flows', 'read'),
  });
}

export interface LoadedFlow {
  readonly flow: Flow;
  readonly etag: string | null;
}

const facts = ['id', 'name', 'icon', 'color', 'description', 'status', 'trigger', 'accountability', 'options', 'operation'];
const ofSteps = ['id', 'key', 'name', 'type', 'options', 'resolve', 'reject'].map((field) => `operations.${field}`);

/** Without its steps for people who may not read them. */
export const requestOfFlow = (id: string, withSteps: boolean) => ({
  path: `/flows/${id}`,
  query: {
    fields: [...facts, ...(withSteps ? ofSteps : [])].join(','),
    ...(withSteps ? { deep: JSON.stringify({ operations: { _sort: ['position_y', 'position_x', 'id'], _limit: -1 } }) } : {}),
  },
});

export async function readFlow(id: string, withSteps: boolean): Promise<LoadedFlow> {
  const { path, query } = requestOfFlow(id, withSteps);
  const { data, etag } = await request<Flow>('GET', path, { query });
  return { flow: { ...data, operations: data.operations ?? [] }, etag };
}

export async function createFlow(body: Item): Promise<string> {
  return (await request<{ readonly id: string }>('POST', '/flows', { body, query: { fields: 'id' } })).data.id;
}

/** Keys of steps are made here: they name each other before they are stored. */
export function makeId(): string {
  const hex = randomKey();
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export interface RoleName {
  readonly id: string;
  readonly name: string;
}

/** None when they may not be read. */
export function useRoleNames(): readonly RoleName[] {
  const { permissions } = useStudio().boot;
  const { data } = useQuery({
    queryKey: ['flows', 'roles'],
    queryFn: async ({ signal }) =>
      (await search<readonly RoleName[]>('/roles', { fields: ['id', 'name'], sort: ['name'], limit: 500 }, signal)).data,
    enabled: mayDo(permissions, 'roles', 'read'),
  });
  return data ?? [];
}

/** Collections that flows may name, and those that they name already. */
export function useCollections(named: readonly string[]): readonly Collection[] {
  const { schema } = useStudio().boot;
  return [...schema.values()]
    .filter(({ name, isFolder, isSystem }) => !isFolder && (!isSystem || named.includes(name)))
    .toSorted((left, right) => left.title.localeCompare(right.title));
}

/** Under which name activity and revisions know flows in this database. */
export function useStoredName(): string {
  return systemCollection(useStudio().boot.schema, 'flows')?.name ?? 'service_flows';
}

export const isObject = (value: unknown): value is Options => typeof value === 'object' && value !== null && !Array.isArray(value);
type Options = Readonly<Record<string, unknown>>;
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
export const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
