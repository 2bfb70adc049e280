// One flow: what starts it, and its steps. Everything is changed in a draft, which the browser keeps, and stored in one request.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/client.js';
import { NothingHere } from '../frame/nothing-here.js';
import { PageHead } from '../frame/page-head.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import {
  flowKey,
  flowsKey,
  type LoadedFlow,
  makeId,
  readFlow,
  requestOfFlow,
  useAutomationText,
  useFlowRights,
} from './automation-data.js';
import { FlowHead } from './automation-head.js';
import { FlowDialog } from './flow-dialog.js';
import { insertStep, newKey, type Options, outlineOf, type Place, removeStep, swapSteps } from './flow-model.js';
import { TrialDrawer } from './runs/trial-drawer.js';
import { KindDrawer } from './steps/kind-drawer.js';
import { StepDrawer } from './steps/step-drawer.js';
import type { StepKind } from './steps/step-kinds.js';
import { StepList } from './steps/step-list.js';
import { TriggerCard } from './trigger-card.js';
import { TriggerDrawer } from './trigger-drawer.js';
import { useFlowActions } from './use-flow-actions.js';
import { type FlowDraft, useFlowDraft } from './use-flow-draft.js';

export function FlowPage({ id }: { readonly id: string }) {
  const text = useAutomationText();
  const { automation } = useText();
  const { steps } = useFlowRights();
  const { data, error } = useQuery({
    queryKey: flowKey(id),
    queryFn: () => readFlow(id, steps('read')),
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
  });
  if (error !== null) {
    const isGone = error instanceof ApiError && error.status === 403;
    return <NothingHere message={isGone ? text.gone : error.message} way={{ title: automation, href: '/flows' }} />;
  }
  return data === undefined ? <PageHead title={automation} /> : <FlowEditor loaded={data} />;
}

/** What is open beside the steps. */
type Opened =
  | { readonly kind: 'step'; readonly id: string }
  | { readonly kind: 'new step'; readonly place: Place }
  | { readonly kind: 'trigger' }
  | { readonly kind: 'facts' }
  | { readonly kind: 'trial' };

function FlowEditor({ loaded }: { readonly loaded: LoadedFlow }) {
  const text = useAutomationText();
  const rights = useFlowRights();
  const draft = useFlowDraft(loaded, rights.steps('read'));
  const { flow, refused, change } = draft;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [results, setResults] = useState<Options>({});
  const close = () => setOpened(null);
  const mayChange = rights.flows('update');
  const maySteps = mayChange && rights.steps('create') && rights.steps('update') && rights.steps('delete');
  const isFilter = flow.trigger === 'event' && flow.options?.['type'] === 'filter';
  const { actions, dialog } = useFlowActions(flow, { isChanged: draft.isChanged, onFacts: () => setOpened({ kind: 'facts' }) });
  const add = (place: Place, type: StepKind) => {
    const id = makeId();
    change(insertStep(flow, place, { id, key: newKey(type, flow.operations), name: null, type, options: {} }));
    setOpened({ kind: 'step', id });
  };
  const remove = (id: string) => {
    const step = flow.operations.find((each) => each.id === id);
    change(removeStep(flow, id));
    showToast(text.stepRemoved(step?.name || step?.key || ''), { label: text.undo, run: () => change(flow) });
  };
  const step = opened?.kind === 'step' ? flow.operations.find(({ id }) => id === opened.id) : undefined;
  const { line, loose } = outlineOf(flow);
  return (
    <>
      <FlowHead id={flow.id} name={flow.name || flow.id} more={actions} request={requestOfFlow(flow.id, rights.steps('read'))}>
        {mayChange && <StatusPart draft={draft} />}
        <TrialButton isChanged={draft.isChanged} onOpen={() => setOpened({ kind: 'trial' })} />
        {mayChange && <SaveButtons draft={draft} />}
      </FlowHead>
      <div className="scroll flow-page">
        <Notices draft={draft} mayChange={mayChange} />
        <TriggerCard
          flow={flow}
          isRefused={Object.keys(refused.trigger).length > 0}
          onOpen={mayChange ? () => setOpened({ kind: 'trigger' }) : null}
        />
        {rights.steps('read') ? (
          <StepList
            line={line}
            loose={loose}
            refused={new Set(refused.steps.keys())}
            actions={
              maySteps
                ? {
                    open: (id) => setOpened({ kind: 'step', id }),
                    add: (place) => setOpened({ kind: 'new step', place }),
                    remove,
                    swap: (first, second) => change(swapSteps(flow, first, second)),
                  }
                : null
            }
          />
        ) : (
          <p className="hint">{text.notSteps}</p>
        )}
      </div>
      {step !== undefined && (
        <StepDrawer
          flow={flow}
          step={step}
          results={results}
          problems={refused.steps.get(step.id) ?? {}}
          onChange={(next) => change({ ...flow, operations: flow.operations.map((each) => (each.id === next.id ? next : each)) })}
          onClose={close}
        />
      )}
      {opened?.kind === 'new step' && <KindDrawer isFilter={isFilter} onChoose={(kind) => add(opened.place, kind)} onClose={close} />}
      {opened?.kind === 'trigger' && <TriggerDrawer flow={flow} problems={refused.trigger} onChange={change} onClose={close} />}
      {opened?.kind === 'trial' && <TrialDrawer flow={flow} onResults={setResults} onClose={close} />}
      {opened?.kind === 'facts' && <FlowDialog flow={flow} onSave={(facts) => change({ ...flow, ...facts })} onClose={close} />}
      {dialog}
    </>
  );
}

function StatusPart({ draft: { flow, change } }: { readonly draft: FlowDraft }) {
  const text = useAutomationText();
  return (
    <label className="switch flow-status">
      <input
        type="checkbox"
        checked={flow.status === 'active'}
        onChange={(event) => change({ ...flow, status: event.target.checked ? 'active' : 'inactive' })}
      />
      {text.active}
    </label>
  );
}

/** What is stored is tried out, so it has to be what is shown. */
function TrialButton({ isChanged, onOpen }: { readonly isChanged: boolean; readonly onOpen: () => void }) {
  const text = useAutomationText();
  const { isAdmin } = useFlowRights();
  if (!isAdmin) return null;
  return (
    <button
      type="button"
      className="button"
      aria-label={text.tryOut}
      title={isChanged ? text.trySave : text.tryOut}
      disabled={isChanged}
      onClick={onOpen}
    >
      <Icon name="pulse" />
      <span className="wide-label">{text.tryOut}</span>
    </button>
  );
}

function SaveButtons({ draft: { isChanged, isSaving, save, discard } }: { readonly draft: FlowDraft }) {
  const text = useAutomationText();
  const { saving } = useText();
  const cache = useQueryClient();
  const store = async () => {
    if (!(await save())) return;
    showToast(text.saved);
    await cache.invalidateQueries({ queryKey: flowsKey });
  };
  return (
    <>
      {isChanged && <span className="save-state wide-label">{text.unsaved}</span>}
      {isChanged && (
        <button
          type="button"
          className="button quiet"
          aria-label={text.discard}
          title={text.discard}
          onClick={() => showToast(text.discard, { label: text.undo, run: discard() })}
        >
          <Icon name="undo" />
        </button>
      )}
      <button type="button" className="button primary" disabled={isSaving || !isChanged} onClick={() => void store()}>
        {isSaving ? saving : text.save}
      </button>
    </>
  );
}

function Notices({ draft: { isKept, isOvertaken, refused }, mayChange }: { readonly draft: FlowDraft; readonly mayChange: boolean }) {
  const text = useAutomationText();
  return (
    <>
      {!mayChange && <p className="banner quiet">{text.readOnly}</p>}
      {isKept && <p className="banner quiet">{text.keptDraft}</p>}
      {isOvertaken && (
        <p className="banner" role="alert">
          {text.overtaken}
        </p>
      )}
      {refused.messages.length > 0 && (
        <p className="banner" role="alert">
          {[text.notSaved, ...refused.messages].join(' ')}
        </p>
      )}
    </>
  );
}
