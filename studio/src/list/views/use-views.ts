// The saved views of a collection and how the person arranged its columns. They come with the boot answer; changes go to `/presets`.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { request } from '../../api/client.js';
import type { Collection } from '../../schema/model.js';
import type { Preset } from '../../schema/preset.js';
import { useStudio } from '../../studio-context.js';
import type { Widths } from '../columns.js';
import { type ListSettings, viewIn } from '../list-state.js';
import { type Audience, arrangementOf, audienceOf, settingsOf, widthsOf, writeArrangement, writePreset } from './presets.js';

const cacheKey = ['presets'];

export interface Views {
  /** Those with a name, for this collection. */
  readonly views: readonly Preset[];
  /** The one the address names. */
  readonly current: Preset | undefined;
  /** What the address changes. */
  readonly base: ListSettings;
  readonly widths: Widths;
  readonly setWidths: (widths: Widths) => void;
  /** Keeps columns, order and widths for the next visit, unless a view is open: a view changes only when it is saved. */
  readonly arrange: (settings: ListSettings, widths: Widths) => void;
  readonly create: (name: string, audience: Audience, role: string | null, settings: ListSettings) => Promise<Preset>;
  readonly update: (view: Preset, settings: ListSettings) => Promise<void>;
  readonly rename: (view: Preset, name: string) => Promise<void>;
  readonly remove: (view: Preset) => Promise<void>;
}

export function useViews(collection: Collection): Views {
  const { presets, me } = useStudio().boot;
  const cache = useQueryClient();
  const { data: all = presets } = useQuery({
    queryKey: cacheKey,
    queryFn: () => presets,
    initialData: presets,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const store = useCallback(
    (change: (list: readonly Preset[]) => readonly Preset[]) =>
      cache.setQueryData<readonly Preset[]>(cacheKey, (list) => change(list ?? [])),
    [cache],
  );
  const own = useMemo(() => all.filter((preset) => preset.collection === collection.name), [all, collection]);
  const views = own.filter(({ bookmark }) => bookmark !== null);
  const arrangement =
    own.find(({ bookmark, user }) => bookmark === null && user === me.id) ?? own.find(({ bookmark }) => bookmark === null);
  const named = viewIn(useSearch());
  const current = views.find(({ id }) => String(id) === named);
  const base = useMemo(() => (current === undefined ? arrangementOf(arrangement) : settingsOf(current)), [current, arrangement]);
  const [widths, setWidths] = useState<Widths>(() => widthsOf(current ?? arrangement));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view brings its own widths
  useEffect(() => setWidths(widthsOf(current ?? arrangement)), [current?.id]);
  const arrange = useArrange(collection, arrangement?.user === me.id ? arrangement : undefined, store);
  const patch = async (view: Preset, changes: Readonly<Record<string, unknown>>) => {
    await request('PATCH', `/presets/${view.id}`, { body: changes });
    store((list) => list.map((each) => (each.id === view.id ? { ...each, ...changes } : each)));
  };
  return {
    views,
    current,
    base,
    widths,
    setWidths,
    arrange: (settings, next) => current === undefined && arrange(settings, next),
    create: async (bookmark, audience, role, settings) => {
      const owner = { user: audience === 'own' ? me.id : null, role: audience === 'role' ? role : null };
      const body = { bookmark, collection: collection.name, ...owner, ...writePreset(settings, widths, undefined) };
      const { data } = await request<Preset>('POST', '/presets', { body });
      store((list) => [...list, data]);
      return data;
    },
    update: (view, settings) => patch(view, writePreset(settings, widths, view)),
    rename: (view, bookmark) => patch(view, { bookmark }),
    remove: async (view) => {
      await request('DELETE', `/presets/${view.id}`);
      store((list) => list.filter(({ id }) => id !== view.id));
    },
  };
}

type Store = (change: (list: readonly Preset[]) => readonly Preset[]) => void;

/** Written after a pause, so that dragging a column is one request. It is a convenience: a refusal is not shown. */
function useArrange(collection: Collection, stored: Preset | undefined, store: Store): (settings: ListSettings, widths: Widths) => void {
  const { me } = useStudio().boot;
  const timer = useRef(0);
  const latest = useRef(stored);
  latest.current = stored;
  return (settings, widths) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(async () => {
      const before = latest.current;
      const changes = writeArrangement(settings, widths, before);
      try {
        if (before !== undefined) {
          await request('PATCH', `/presets/${before.id}`, { body: changes });
          store((list) => list.map((each) => (each.id === before.id ? { ...each, ...changes } : each)));
        } else {
          const { data } = await request<Preset>('POST', '/presets', { body: { collection: collection.name, user: me.id, ...changes } });
          store((list) => [...list, data]);
        }
      } catch {
        // The columns stay as they are until the page is left.
      }
    }, 800);
  };
}

export const byAudience = (views: readonly Preset[], audience: Audience): readonly Preset[] =>
  views.filter((view) => audienceOf(view) === audience);
