// The flow as it is edited: kept in the browser until it is stored or discarded, stored in one request, and what the service refuses put where it
// belongs.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ApiError, request } from '../api/client.js';
import { browserKeeper, DraftStore } from '../draft/draft-store.js';
import type { Item } from '../draft/item.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { flowKey, type LoadedFlow, readFlow, requestOfFlow } from './automation-data.js';
import { changesOf, type Flow, type Step } from './flow-model.js';

export type Problems = Readonly<Record<string, string>>;

interface Refused {
  /** By the key of the step in the database. */
  readonly steps: ReadonlyMap<string, Problems>;
  /** Of what starts the flow. */
  readonly trigger: Problems;
  /** What belongs nowhere else. */
  readonly messages: readonly string[];
}

const nothingRefused: Refused = { steps: new Map(), trigger: {}, messages: [] };

export interface FlowDraft {
  readonly flow: Flow;
  readonly isChanged: boolean;
  /** The changes are from an earlier visit. */
  readonly isKept: boolean;
  readonly isSaving: boolean;
  /** Somebody else has stored the flow since it was read. */
  readonly isOvertaken: boolean;
  readonly refused: Refused;
  readonly change: (next: Flow) => void;
  /** Resolves to whether the flow is stored as it is shown. */
  readonly save: () => Promise<boolean>;
  /** Returns what brings the changes back. */
  readonly discard: () => () => void;
}

const edited = [
  'name',
  'icon',
  'color',
  'description',
  'status',
  'trigger',
  'accountability',
  'options',
  'operation',
  'operations',
] as const;

export function useFlowDraft(loaded: LoadedFlow, withSteps: boolean): FlowDraft {
  const { unreachable } = useText();
  const cache = useQueryClient();
  const { me } = useStudio().boot;
  const { id } = loaded.flow;
  // What was read first: later states reach the store by saving.
  const [store] = useState(
    () =>
      new DraftStore(
        { ...loaded.flow } as Item,
        browserKeeper(`flow:${me.id}:${id}`, () => loaded.flow.name),
      ),
  );
  const [isSaving, setSaving] = useState(false);
  const [isOvertaken, setOvertaken] = useState(false);
  const [refused, setRefused] = useState(nothingRefused);
  const etag = useRef(loaded.etag);
  const values = useSyncExternalStore(store.subscribe, () => store.values());
  const flow = useMemo(() => values as unknown as Flow, [values]);
  const change = useCallback(
    (next: Flow) => {
      for (const name of edited) store.set(name, next[name]);
      setRefused(nothingRefused);
    },
    [store],
  );
  const take = (read: LoadedFlow, edits: Item) => {
    const { flow: fresh, etag: tag } = read;
    cache.setQueryData(flowKey(id), read);
    etag.current = tag;
    store.replace({ ...fresh } as Item, edits);
  };
  const save = async (): Promise<boolean> => {
    setSaving(true);
    setRefused(nothingRefused);
    try {
      const body = changesOf(store.base as unknown as Flow, flow);
      const { query } = requestOfFlow(id, withSteps);
      await request('PATCH', `/flows/${id}`, { body, query: { fields: query.fields }, ifMatch: etag.current });
      take(await readFlow(id, withSteps), {});
      setOvertaken(false);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        take(await readFlow(id, withSteps), store.edits);
        setOvertaken(true);
      } else
        setRefused(
          error instanceof ApiError && error.status > 0
            ? placeRefusals(error, flow.operations)
            : { ...nothingRefused, messages: [unreachable] },
        );
      return false;
    } finally {
      setSaving(false);
    }
  };
  const discard = () => {
    setRefused(nothingRefused);
    setOvertaken(false);
    return store.discard();
  };
  const isChanged = Object.keys(store.edits).length > 0;
  return { flow, isChanged, isKept: isChanged && store.keptSince !== null, isSaving, isOvertaken, refused, change, save, discard };
}

/** The service names a step by its key. */
function placeRefusals({ entries }: ApiError, steps: readonly Step[]): Refused {
  const placed = new Map<string, Record<string, string>>();
  const trigger: Record<string, string> = {};
  const messages: string[] = [];
  for (const { message, extensions } of entries) {
    const { refusal, name, names, field = '' } = extensions;
    const keys = Array.isArray(names) ? names : [name];
    const found = steps.filter(({ key }) => keys.includes(key));
    if (refusal === 'flow_time_table') trigger['cron'] = message;
    const place = refusal === 'flow_script_template' ? 'options.code' : refusal === 'flow_circle' ? '' : field;
    for (const { id } of found) placed.set(id, { ...placed.get(id), [place]: message });
    messages.push(message);
  }
  return { steps: placed, trigger, messages };
}
