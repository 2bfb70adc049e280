// What the screens of dashboards read and write. Each screen reads with one request, and the panels of a dashboard with one for each different
// question.

import { type QueryClient, useQuery } from '@tanstack/react-query';
import { request, search } from '../api/client.js';
import type { Action } from '../schema/permissions.js';
import { useMay } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import type { Place, Places } from './layout.js';
import type { Panel } from './panel.js';

export const useInsightsText = () => useText('insights');

export interface DashboardFacts {
  readonly id: string;
  readonly name: string;
  readonly note: string | null;
  readonly color: string | null;
}

export interface Dashboard extends DashboardFacts {
  readonly panels: readonly Panel[];
}

export interface ListedDashboard extends DashboardFacts {
  readonly panels_count: number | string | null;
}

const facts = ['id', 'name', 'note', 'color'];
const panelFields = [
  'id',
  'dashboard',
  'name',
  'icon',
  'color',
  'show_header',
  'note',
  'type',
  'position_x',
  'position_y',
  'width',
  'height',
  'options',
];
/** More panels than these are no overview. */
const mostPanels = 200;

export const listKey = ['dashboards'];
export const dashboardKey = (id: string) => ['dashboard', id];

export const listRequest = { path: '/dashboards', query: { fields: [...facts, 'count(panels)'], sort: ['name'], limit: 500 } };

export function useDashboards(): { readonly data: readonly ListedDashboard[] | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: listKey,
    queryFn: async ({ signal }) => {
      const { path, query } = listRequest;
      return (await search<readonly ListedDashboard[]>(path, query, signal)).data;
    },
  });
}

/** Null: there is none, or none that the person may see. */
export function useDashboard(id: string): { readonly data: Dashboard | null | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: dashboardKey(id),
    queryFn: async ({ signal }): Promise<Dashboard | null> => {
      const { path, query } = requestOfDashboard(id);
      const [found] = (await search<readonly Dashboard[]>(path, query, signal)).data;
      return found ?? null;
    },
    refetchOnWindowFocus: false,
  });
}

export const requestOfDashboard = (id: string) => ({
  path: '/dashboards',
  query: {
    filter: { id: { _eq: id } },
    fields: [...facts, ...panelFields.map((field) => `panels.${field}`)],
    deep: { panels: { _limit: mostPanels, _sort: ['position_y', 'position_x', 'id'] } },
  },
});

/** The dashboard as it will be when the service has stored it. */
export function showPanels(cache: QueryClient, id: string, change: (panels: readonly Panel[]) => readonly Panel[]): void {
  cache.setQueryData<Dashboard | null>(dashboardKey(id), (before) =>
    before === null || before === undefined ? before : { ...before, panels: change(before.panels) },
  );
}

export const placesOf = (panels: readonly Panel[]): Places =>
  new Map(panels.map(({ id, position_x, position_y, width, height }) => [id, { x: position_x, y: position_y, width, height }]));

export const storedPlace = ({ x, y, width, height }: Place) => ({ position_x: x, position_y: y, width, height });

/** Stores the places that differ, in one request. */
export async function savePlaces(before: Places, after: Places): Promise<void> {
  const moved = [...after].filter(([id, place]) => JSON.stringify(before.get(id)) !== JSON.stringify(place));
  if (moved.length === 0) return;
  await request('PATCH', '/panels', { body: moved.map(([id, place]) => ({ id, ...storedPlace(place) })), query: { fields: 'id' } });
}

/** Whether the person may build dashboards, and panels on them. */
export function useMayBuild(): { readonly dashboards: (action: Action) => boolean; readonly panels: (action: Action) => boolean } {
  const may = useMay();
  return { dashboards: (action) => may('dashboards', action), panels: (action) => may('panels', action) };
}
