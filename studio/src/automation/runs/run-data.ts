// Runs of flows. Those that follow writes and time tables are stored before they are carried out; those that somebody waits for leave an activity
// with a revision behind, as far as the flow keeps that. Both are shown alike.

import { useQuery } from '@tanstack/react-query';
import { request, search } from '../../api/client.js';
import { type Person, personName } from '../../schema/person.js';
import { useStudio } from '../../studio-context.js';
import type { AutomationMessages } from '../../text/english/automation.js';
import { isObject, useFlowRights, useStoredName } from '../automation-data.js';
import type { Options } from '../flow-model.js';

type RunState = keyof AutomationMessages['states'];

export interface StepResult {
  readonly operation: string;
  readonly key: string;
  readonly status: string;
  readonly options: Options | null;
  readonly result: unknown;
  readonly duration_ms?: number | null;
  readonly left_out?: boolean;
}

/** A run in a list. */
export interface Run {
  readonly id: string;
  readonly flow: string;
  /** The extension that it calls instead of a flow; null: it is of a flow. */
  readonly extension: string | null;
  /** Null: the flow keeps only that it ran. */
  readonly state: RunState | null;
  readonly begun: string;
  /** When it is tried again; null: it has ended, or is under way. */
  readonly due: string | null;
  readonly durationMs: number | null;
  readonly attempts: number;
  /** Null: nobody. */
  readonly by: string | null;
}

export interface WholeRun extends Run {
  readonly trigger: unknown;
  /** Null: they are not kept. */
  readonly steps: readonly StepResult[] | null;
  readonly error: unknown;
}

export const runsKey = ['runs'];
/** Runs that are read with what their steps got and left are long. */
export const pageSize = 30;

interface RawRun {
  readonly id: string;
  readonly flow: string;
  readonly extension: string | null;
  readonly status: RunState;
  readonly due: string | null;
  readonly attempt: number;
  readonly user: Person | string | null;
  readonly created: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly trigger?: unknown;
  readonly steps?: readonly StepResult[] | null;
  readonly error?: unknown;
}

const people = (withNames: boolean): readonly string[] =>
  withNames ? ['id', 'first_name', 'last_name', 'email'].map((field) => `user.${field}`) : ['user'];
const ofRun = ['id', 'flow', 'extension', 'status', 'due', 'attempt', 'created', 'started', 'ended'];

export interface Chosen {
  /** Empty: of all flows. */
  readonly flow: string;
  readonly state: string;
}

export function requestOfRuns({ flow, state }: Chosen, limit: number, withNames: boolean) {
  const filter = { ...(flow === '' ? {} : { flow: { _eq: flow } }), ...(state === '' ? {} : { status: { _eq: state } }) };
  return {
    path: '/runs',
    query: {
      fields: [...ofRun, ...people(withNames)],
      sort: ['-created', 'id'],
      limit,
      ...(Object.keys(filter).length === 0 ? {} : { filter }),
    },
  };
}

export async function readRuns(chosen: Chosen, limit: number, withNames: boolean, signal: AbortSignal): Promise<readonly Run[]> {
  const { path, query } = requestOfRuns(chosen, limit, withNames);
  return (await search<readonly RawRun[]>(path, query, signal)).data.map(readRun);
}

function readRun({ id, flow, extension, status: state, due, attempt: attempts, user, created, started, ended }: RawRun): Run {
  const durationMs = started === null || ended === null ? null : Math.max(0, Date.parse(ended) - Date.parse(started));
  const by = user === null || user === undefined ? null : typeof user === 'string' ? user : personName(user);
  return { id, flow, extension, state, begun: started ?? created, due: state === 'waiting' ? due : null, durationMs, attempts, by };
}

interface RawActivity {
  readonly id: number;
  readonly item: string;
  readonly timestamp: string;
  readonly user?: Person | string | null;
  /** The document of the run, or of it only the steps. */
  readonly revisions?: readonly { readonly data?: unknown; readonly data_steps_json?: unknown }[];
}

export const requestOfLog = (stored: string, flow: string, limit: number, withNames: boolean) => ({
  path: '/activity',
  query: {
    filter: { action: { _eq: 'run' }, collection: { _eq: stored }, item: { _eq: flow } },
    // Without the data of the runs, which may be long.
    fields: ['id', 'item', 'timestamp', 'json(revisions.data, steps)', ...people(withNames)],
    sort: ['-id'],
    limit,
  },
});

export async function readLog(
  stored: string,
  flow: string,
  limit: number,
  withNames: boolean,
  signal: AbortSignal,
): Promise<readonly Run[]> {
  const { path, query } = requestOfLog(stored, flow, limit, withNames);
  return (await search<readonly RawActivity[]>(path, query, signal)).data.map(readEntry);
}

function readEntry({ id, item, timestamp, user, revisions }: RawActivity): WholeRun {
  const [revision] = revisions ?? [];
  const found = revision?.data ?? (revision === undefined ? null : { steps: revision.data_steps_json });
  const document = isObject(found) ? found : null;
  const chain = isObject(document?.['data']) ? document['data'] : {};
  const steps = Array.isArray(document?.['steps'])
    ? (document['steps'] as readonly StepResult[]).map((step) => ({ ...step, result: chain[step.key] ?? null }))
    : null;
  const last = steps?.at(-1);
  const hasFailed = last !== undefined && last.status !== 'resolve';
  return {
    ...{ id: String(id), flow: item, extension: null, begun: timestamp, due: null, attempts: 1 },
    state: document === null ? null : hasFailed ? 'failed' : 'ok',
    durationMs:
      steps?.reduce<number | null>(
        (sum, { duration_ms }) => (sum === null || typeof duration_ms !== 'number' ? null : sum + duration_ms),
        0,
      ) ?? null,
    by: user === null || user === undefined ? null : typeof user === 'string' ? user : personName(user),
    trigger: chain['$trigger'] ?? null,
    steps,
    error: hasFailed ? (chain['$last'] ?? null) : null,
  };
}

export const isLogged = (id: string): boolean => /^\d+$/.test(id);

export const requestOfRun = (id: string, withNames: boolean) =>
  isLogged(id)
    ? { path: `/activity/${id}`, query: { fields: ['id', 'item', 'timestamp', 'revisions.data', ...people(withNames)].join(',') } }
    : { path: `/runs/${id}`, query: { fields: [...ofRun, 'trigger', 'steps', 'error', ...people(withNames)].join(',') } };

export async function readWholeRun(id: string, withNames: boolean, signal: AbortSignal): Promise<WholeRun> {
  const { path, query } = requestOfRun(id, withNames);
  if (isLogged(id)) return readEntry((await request<RawActivity>('GET', path, { query, signal })).data);
  const { data } = await request<RawRun>('GET', path, { query, signal });
  const steps = Array.isArray(data.steps) ? (data.steps as readonly StepResult[]) : null;
  return { ...readRun(data), trigger: data.trigger ?? null, steps, error: data.error ?? null };
}

/** For administrators. */
export const replay = (id: string): Promise<unknown> => request('POST', `/runs/${id}/replay`);

/** Whether the run can still change. */
export const isOpen = ({ state }: Run): boolean => state === 'waiting' || state === 'running';

export interface FlowRuns {
  readonly last: string | null;
  readonly failed: number;
  readonly dead: number;
}

interface Counted {
  readonly flow: string;
  readonly status: string;
  readonly count: number | string;
  readonly max: { readonly created: string };
}

/** Null: the person may not read runs, so that nobody can say. */
export function useFlowRuns(): (id: string) => FlowRuns | null {
  const { runs, isAdmin } = useFlowRights();
  const stored = useStoredName();
  const { data } = useQuery({
    queryKey: [...runsKey, 'counts'],
    queryFn: async ({ signal }) => {
      const query = { aggregate: { count: '*', max: ['created'] }, groupBy: ['flow', 'status'], limit: -1 };
      const counts = (await search<readonly Counted[]>('/runs', query, signal)).data;
      return { counts, logged: isAdmin ? await readLastLogged(stored, signal) : [] };
    },
    enabled: runs,
    staleTime: 0,
  });
  if (data === undefined) return () => null;
  return (id) => {
    const own = data.counts.filter(({ flow }) => flow === id);
    const count = (state: RunState) => Number(own.find(({ status }) => status === state)?.count ?? 0);
    const times = [...own.map(({ max }) => max.created), ...data.logged.flatMap(({ item, max }) => (item === id ? [max.timestamp] : []))];
    return { last: times.toSorted().at(-1) ?? null, failed: count('failed'), dead: count('dead') };
  };
}

interface LastLogged {
  readonly item: string;
  readonly max: { readonly timestamp: string };
}

async function readLastLogged(stored: string, signal: AbortSignal): Promise<readonly LastLogged[]> {
  const filter = { action: { _eq: 'run' }, collection: { _eq: stored } };
  const query = { aggregate: { max: ['timestamp'] }, groupBy: ['item'], filter, limit: -1 };
  return (await search<readonly LastLogged[]>('/activity', query, signal)).data;
}

/** Whether the names of people may be read along. */
export function useNamesPeople(): boolean {
  const { isAdmin, seen } = useStudio().boot;
  return isAdmin && seen === null;
}
