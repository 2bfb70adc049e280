// The rows of all panels of a dashboard. Equal questions are asked once, everybody asks under their own rights, and where the service tells of
// changes the panels of a collection are read again when something in it changes, at most once in a while.

import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { search } from '../api/client.js';
import { follow } from '../live/live-socket.js';
import type { Schema } from '../schema/model.js';
import { templateFor, templatePaths } from '../schema/templates.js';
import { itemsPath, useStudio } from '../studio-context.js';
import { type Asked, type Panel, readPanel } from './panel.js';
import { isByWeek, planReads, type Read, type Row } from './panel-reads.js';

interface PanelRows {
  /** Undefined while nothing is known yet. */
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
}

/** Why a panel is not asked for. */
type Problem = { readonly kind: 'unreadable'; readonly names: readonly string[] } | { readonly kind: 'not by week' };

export type PanelState =
  | { readonly kind: 'nothing asked' }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | ({ readonly kind: 'asked'; readonly asked: Asked } & PanelRows);

type Question = Pick<Panel, 'id' | 'type' | 'options'>;

export function usePanelRows(panels: readonly Question[]): (id: string) => PanelState {
  const { schema } = useStudio().boot;
  const { plan, asked, problems } = useMemo(() => questions(panels, schema), [panels, schema]);
  const answers = useQueries({ queries: plan.reads.map((read) => queryFor(read, schema)) });
  useLivePanels(plan.reads, schema);
  return (id) => {
    const problem = problems.get(id);
    if (problem !== undefined) return { kind: 'problem', problem };
    const [question, read] = [asked.get(id), plan.byPanel.get(id)];
    if (question === undefined || read === undefined) return { kind: 'nothing asked' };
    const answer = answers[plan.reads.indexOf(read)];
    return { kind: 'asked', asked: question, rows: answer?.data, error: answer?.error ?? null };
  };
}

function questions(panels: readonly Question[], schema: Schema) {
  const asked = new Map<string, Asked>();
  const problems = new Map<string, Problem>();
  for (const panel of panels) {
    const read = readPanel(panel);
    if (read === null) continue;
    const problem = problemOf(read, schema);
    if (problem === null) asked.set(panel.id, withFields(read, schema));
    else problems.set(panel.id, problem);
  }
  return { asked, problems, plan: planReads(asked) };
}

/** What a panel asks for and the person may not read; their schema contains only what they may read. */
function problemOf(asked: Asked, schema: Schema): Problem | null {
  const collection = schema.get(asked.collection);
  if (collection === undefined) return { kind: 'unreadable', names: [asked.collection] };
  const names = [asked.field, asked.category, asked.date].filter((name) => name !== null);
  const unknown = names.filter((name) => !collection.fieldsByName.has(name));
  if (unknown.length > 0) return { kind: 'unreadable', names: unknown };
  return isByWeek(asked) && asked.fn.endsWith('Distinct') ? { kind: 'not by week' } : null;
}

function withFields(asked: Asked, schema: Schema): Asked {
  const collection = schema.get(asked.collection);
  if (asked.type !== 'list' || collection === undefined) return asked;
  return { ...asked, fields: [...new Set([...collection.keys, ...templatePaths(templateFor(collection, asked.template))])] };
}

const queryFor = ({ id, collection: name, query }: Read, schema: Schema) => ({
  queryKey: ['panel', name, id],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Row[]> => {
    const collection = schema.get(name);
    return collection === undefined ? [] : (await search<readonly Row[]>(itemsPath(collection), query, signal)).data;
  },
  refetchOnWindowFocus: true,
});

/** Collects changes for this long before it reads, so that a busy collection is not read constantly. */
const gatherMs = 1000;

function useLivePanels(reads: readonly Read[], schema: Schema): void {
  const { isLive } = useStudio().boot;
  const cache = useQueryClient();
  const names = [...new Set(reads.map(({ collection }) => collection))].sort().join('\n');
  useEffect(() => {
    if (!isLive || names === '') return;
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const readAgain = () => {
      timer = null;
      for (const name of changed) void cache.invalidateQueries({ queryKey: ['panel', name] });
      changed.clear();
    };
    const followed = names.split('\n').flatMap((name) => {
      const collection = schema.get(name);
      if (collection === undefined || collection.isSystem || collection.keys.length === 0) return [];
      return [
        follow({ collection: name, query: { fields: collection.keys, limit: 0 } }, ({ event, isReset }) => {
          if (event === 'end' || (event === 'init' && !isReset)) return;
          changed.add(name);
          timer ??= setTimeout(readAgain, gatherMs);
        }),
      ];
    });
    return () => {
      for (const leave of followed) leave();
      if (timer !== null) clearTimeout(timer);
    };
  }, [isLive, names, schema, cache]);
}
