// What else can be done with a flow: its name and colour, a copy of it, and its end.

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { request } from '../api/client.js';
import type { HeadAction } from '../frame/page-head.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import { createFlow, flowKey, flowsKey, makeId, useAutomationText, useFlowRights } from './automation-data.js';
import { copyOf, type Flow } from './flow-model.js';

interface FlowActionsProps {
  readonly isChanged: boolean;
  readonly onFacts: () => void;
}

export function useFlowActions(
  flow: Flow,
  { onFacts }: FlowActionsProps,
): { readonly actions: readonly HeadAction[]; readonly dialog: ReactNode } {
  const text = useAutomationText();
  const { unreachable } = useText();
  const { flows: may, steps } = useFlowRights();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  const attempt = async (act: () => Promise<string>) => {
    try {
      const place = await act();
      void cache.invalidateQueries({ queryKey: flowsKey });
      navigate(place);
    } catch (error) {
      showToast(error instanceof Error ? error.message : unreachable);
    }
  };
  const duplicate = () =>
    attempt(async () => {
      const id = await createFlow(copyOf(flow, text.copyOf(flow.name), makeId));
      showToast(text.duplicated);
      return `/flows/${id}`;
    });
  const remove = () =>
    attempt(async () => {
      setAsks(false);
      await request('DELETE', `/flows/${flow.id}`);
      cache.removeQueries({ queryKey: flowKey(flow.id) });
      return '/flows';
    });
  const all: readonly (HeadAction & { readonly isThere: boolean })[] = [
    { title: text.settings, icon: 'edit', run: onFacts, isThere: may('update') },
    { title: text.duplicate, icon: 'copy', run: () => void duplicate(), isThere: may('create') && steps('create') && steps('read') },
    { title: text.remove, icon: 'trash', run: () => setAsks(true), isThere: may('delete') },
  ];
  return {
    actions: all.filter(({ isThere }) => isThere),
    dialog: asks && (
      <ConfirmDialog
        title={text.removeAsk(flow.name)}
        hint={text.removeHint}
        action={text.remove}
        onConfirm={() => void remove()}
        onCancel={() => setAsks(false)}
      />
    ),
  };
}
