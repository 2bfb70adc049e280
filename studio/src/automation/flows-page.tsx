// All flows: what starts each, whether it is active, when it ran last, and how often it failed.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { request } from '../api/client.js';
import { relativeText } from '../displays/show-value.js';
import { FailedRead } from '../primitives/failed-read.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useLanguage, useText } from '../text/use-text.js';
import { createFlow, flowsKey, type ListedFlow, listRequest, useAutomationText, useFlowRights, useFlows } from './automation-data.js';
import { AutomationHead } from './automation-head.js';
import { FlowDialog } from './flow-dialog.js';
import { type FlowRuns, useFlowRuns } from './runs/run-data.js';
import { colorOf, iconOfTrigger, isTriggerKind } from './trigger-forms.js';

export function FlowsPage() {
  const text = useAutomationText();
  const { flows: may } = useFlowRights();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  const { data, error } = useFlows();
  const runsOf = useFlowRuns();
  const create = (
    <button type="button" className="button primary" aria-label={text.newFlow} onClick={() => setAsks(true)}>
      <Icon name="plus" />
      <span className="wide-label">{text.newFlow}</span>
    </button>
  );
  return (
    <>
      <AutomationHead request={listRequest}>{may('create') && data?.length !== 0 && create}</AutomationHead>
      <div className="scroll">
        <FailedRead what={text.failed} error={data === undefined ? error : null} />
        {data?.length === 0 && (
          <div className="empty">
            <h2>{text.noFlows}</h2>
            <p>{text.noFlowsHint}</p>
            {may('create') && (
              <button type="button" className="button primary" onClick={() => setAsks(true)}>
                <Icon name="plus" />
                {text.newFlow}
              </button>
            )}
          </div>
        )}
        {data !== undefined && data.length > 0 && <FlowTable flows={data} runsOf={runsOf} />}
      </div>
      {asks && (
        <FlowDialog
          flow={null}
          onClose={() => setAsks(false)}
          onSave={async (facts) => {
            const id = await createFlow(facts);
            void cache.invalidateQueries({ queryKey: flowsKey });
            navigate(`/flows/${id}`);
          }}
        />
      )}
    </>
  );
}

interface FlowTableProps {
  readonly flows: readonly ListedFlow[];
  readonly runsOf: (id: string) => FlowRuns | null;
}

function FlowTable({ flows, runsOf }: FlowTableProps) {
  const text = useAutomationText();
  return (
    <table className="flow-table" aria-label={text.flows}>
      <thead>
        <tr>
          <th scope="col">{text.name}</th>
          <th scope="col">{text.trigger}</th>
          <th scope="col">{text.lastRun}</th>
          <th scope="col">{text.active}</th>
        </tr>
      </thead>
      <tbody>
        {flows.map((flow) => (
          <FlowRow key={flow.id} flow={flow} runs={runsOf(flow.id)} />
        ))}
      </tbody>
    </table>
  );
}

function FlowRow({ flow, runs }: { readonly flow: ListedFlow; readonly runs: FlowRuns | null }) {
  const text = useAutomationText();
  const language = useLanguage();
  const { id, name, description, color, trigger } = flow;
  const failed = (runs?.failed ?? 0) + (runs?.dead ?? 0);
  return (
    <tr>
      <th scope="row">
        <Link href={`/flows/${id}`} className="flow-link">
          <span className="flow-tile" aria-hidden="true" style={{ '--flow-color': colorOf(color) } as React.CSSProperties}>
            <Icon name={iconOfTrigger(trigger)} />
          </span>
          <span className="flow-card-text">
            <strong>{name || id}</strong>
            {description !== null && description !== '' && <span className="hint cut">{description}</span>}
          </span>
        </Link>
      </th>
      <td>{isTriggerKind(trigger) ? text.triggers[trigger] : (trigger ?? text.noTrigger)}</td>
      <td>
        {runs?.last === undefined || runs.last === null ? (
          <span className="hint">{text.never}</span>
        ) : (
          <time dateTime={runs.last} title={language.dateTime.format(new Date(runs.last))}>
            {relativeText(language, new Date(runs.last))}
          </time>
        )}
        {failed > 0 && (
          <Link href={`/flows/${id}/runs`} className="run-state" data-state="failed">
            {text.failures(language.number.format(failed))}
          </Link>
        )}
      </td>
      <td>
        <StatusSwitch flow={flow} />
      </td>
    </tr>
  );
}

/** Stored at once. Whoever may not change it sees the state. */
function StatusSwitch({ flow: { id, name, status } }: { readonly flow: ListedFlow }) {
  const text = useAutomationText();
  const { unreachable } = useText();
  const { flows: may } = useFlowRights();
  const cache = useQueryClient();
  const [isSending, setSending] = useState(false);
  const isOn = status === 'active';
  const turn = async () => {
    setSending(true);
    try {
      await request('PATCH', `/flows/${id}`, { body: { status: isOn ? 'inactive' : 'active' }, query: { fields: 'id' } });
      showToast(text.switched(!isOn));
    } catch (error) {
      showToast(error instanceof Error ? error.message : unreachable);
    }
    await cache.invalidateQueries({ queryKey: flowsKey });
    setSending(false);
  };
  return (
    <label className="switch">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isSending || !may('update')}
        aria-label={text.activate(name)}
        onChange={() => void turn()}
      />
    </label>
  );
}
