// The runs of all flows, or of one: how each ended, when, by whom. What was given up can be begun again at once.

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { relativeText } from '../../displays/show-value.js';
import { ConfirmDialog } from '../../primitives/confirm-dialog.js';
import { FailedRead } from '../../primitives/failed-read.js';
import { showToast } from '../../primitives/toasts.js';
import { useLanguage, useText } from '../../text/use-text.js';
import { flowKey, readFlow, useAutomationText, useFlowRights, useFlows, useStoredName } from '../automation-data.js';
import { AutomationHead, FlowHead } from '../automation-head.js';
import { isQueued } from '../trigger-forms.js';
import { isOpen, pageSize, type Run, readLog, readRuns, replay, requestOfLog, requestOfRuns, runsKey, useNamesPeople } from './run-data.js';

export function RunsPage({ flow }: { readonly flow: string | null }) {
  return flow === null ? <AllRuns /> : <RunsOfFlow id={flow} />;
}

function AllRuns() {
  const text = useAutomationText();
  const { runs } = useFlowRights();
  const { data: flows } = useFlows();
  const [address, setAddress] = useSearchParams();
  const [limit, setLimit] = useState(pageSize);
  const withNames = useNamesPeople();
  const chosen = { flow: address.get('flow') ?? '', state: address.get('state') ?? '' };
  const { data, error } = useRuns(['all', chosen], (signal) => readRuns(chosen, limit, withNames, signal), limit, runs);
  const choose = (name: 'flow' | 'state', value: string) => {
    const next = { ...chosen, [name]: value };
    setAddress(Object.fromEntries(Object.entries(next).filter(([, each]) => each !== '')), { replace: true });
  };
  const isChosen = chosen.flow !== '' || chosen.state !== '';
  return (
    <>
      <AutomationHead request={requestOfRuns(chosen, limit, withNames)}>
        {chosen.state === 'dead' && data !== undefined && data.length > 0 && <ReplayAll runs={data} />}
      </AutomationHead>
      <div className="toolbar run-choices">
        <select className="input" aria-label={text.state} value={chosen.state} onChange={(event) => choose('state', event.target.value)}>
          <option value="">{text.allStates}</option>
          {Object.entries(text.states).map(([state, title]) => (
            <option key={state} value={state}>
              {title}
            </option>
          ))}
        </select>
        <select className="input" aria-label={text.flows} value={chosen.flow} onChange={(event) => choose('flow', event.target.value)}>
          <option value="">{text.allFlows}</option>
          {flows?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="scroll">
        {!runs && <p className="banner quiet notice">{text.notRuns}</p>}
        <FailedRead what={text.runsFailed} error={data === undefined ? error : null} />
        {data?.length === 0 && <NoRuns isChosen={isChosen} />}
        {data !== undefined && data.length > 0 && (
          <RunTable runs={data} nameOf={(id) => flows?.find((each) => each.id === id)?.name ?? text.deletedFlow} />
        )}
        {data?.length === limit && <More onMore={() => setLimit(limit + pageSize)} />}
      </div>
    </>
  );
}

function RunsOfFlow({ id }: { readonly id: string }) {
  const text = useAutomationText();
  const { steps, runs, isAdmin } = useFlowRights();
  const stored = useStoredName();
  const withNames = useNamesPeople();
  const [limit, setLimit] = useState(pageSize);
  const { data: loaded } = useQuery({ queryKey: flowKey(id), queryFn: () => readFlow(id, steps('read')), gcTime: 0 });
  const flow = loaded?.flow;
  const queued = flow !== undefined && isQueued(flow);
  const mayRead = queued ? runs : isAdmin;
  const chosen = { flow: id, state: '' };
  const { data, error } = useRuns(
    [id, queued],
    (signal) => (queued ? readRuns(chosen, limit, withNames, signal) : readLog(stored, id, limit, withNames, signal)),
    limit,
    flow !== undefined && mayRead,
  );
  if (flow === undefined) return <AutomationHead />;
  const request = queued ? requestOfRuns(chosen, limit, withNames) : requestOfLog(stored, id, limit, withNames);
  return (
    <>
      <FlowHead id={id} name={flow.name || id} request={request} />
      <div className="scroll">
        {!mayRead && <p className="banner quiet notice">{text.notRuns}</p>}
        {!queued && flow.accountability === null && <p className="banner quiet notice">{text.notKept}</p>}
        {!queued && flow.accountability === 'activity' && <p className="banner quiet notice">{text.onlyThatItRan}</p>}
        <FailedRead what={text.runsFailed} error={data === undefined ? error : null} />
        {data?.length === 0 && <NoRuns isChosen={false} />}
        {data !== undefined && data.length > 0 && <RunTable runs={data} nameOf={null} />}
        {data?.length === limit && <More onMore={() => setLimit(limit + pageSize)} />}
      </div>
    </>
  );
}

/** Read again as long as one of them may change. */
function useRuns(key: readonly unknown[], read: (signal: AbortSignal) => Promise<readonly Run[]>, limit: number, isEnabled: boolean) {
  return useQuery({
    queryKey: [...runsKey, ...key, limit],
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled: isEnabled,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) === true ? 2_000 : false),
  });
}

function NoRuns({ isChosen }: { readonly isChosen: boolean }) {
  const text = useAutomationText();
  return (
    <div className="empty">
      <h2>{isChosen ? text.noMatch : text.noRuns}</h2>
      <p>{text.noRunsHint}</p>
    </div>
  );
}

function More({ onMore }: { readonly onMore: () => void }) {
  const text = useAutomationText();
  return (
    <p className="runs-more">
      <button type="button" className="button" onClick={onMore}>
        {text.more}
      </button>
    </p>
  );
}

interface RunTableProps {
  readonly runs: readonly Run[];
  /** Null: all are of one flow. */
  readonly nameOf: ((flow: string) => string) | null;
}

function RunTable({ runs, nameOf }: RunTableProps) {
  const text = useAutomationText();
  const language = useLanguage();
  return (
    <table className="flow-table run-table" aria-label={text.runs}>
      <thead>
        <tr>
          <th scope="col">{text.when}</th>
          <th scope="col">{text.state}</th>
          {nameOf !== null && <th scope="col">{text.options.flow}</th>}
          <th scope="col">{text.startedBy}</th>
          <th scope="col">{text.duration}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <th scope="row">
              <Link href={`/flows/${run.flow}/runs/${run.id}`}>
                <time dateTime={run.begun} title={language.dateTime.format(new Date(run.begun))}>
                  {language.dateTime.format(new Date(run.begun))}
                </time>
              </Link>
            </th>
            <td>
              <StateBadge run={run} />
              {run.due !== null && run.attempts > 0 && (
                <span className="hint"> {text.nextAttempt(relativeText(language, new Date(run.due)))}</span>
              )}
            </td>
            {nameOf !== null && <td>{run.extension ?? <Link href={`/flows/${run.flow}`}>{nameOf(run.flow)}</Link>}</td>}
            <td>{run.by ?? <span className="hint">{text.nobody}</span>}</td>
            <td className="number">{run.durationMs === null ? '' : text.milliseconds(language.number.format(run.durationMs))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function StateBadge({ run: { state } }: { readonly run: Run }) {
  const text = useAutomationText();
  if (state === null) return <span className="hint">{text.noData}</span>;
  return (
    <span className="run-state" data-state={state} title={text.stateHints[state]}>
      {text.states[state]}
    </span>
  );
}

/** One after the other: each is a request, and what fails stays in the list. */
function ReplayAll({ runs }: { readonly runs: readonly Run[] }) {
  const text = useAutomationText();
  const { unreachable } = useText();
  const { isAdmin } = useFlowRights();
  const { number } = useLanguage();
  const cache = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [isBusy, setBusy] = useState(false);
  if (!isAdmin) return null;
  const count = number.format(runs.length);
  const begin = async () => {
    setAsks(false);
    setBusy(true);
    try {
      for (const { id } of runs) await replay(id);
      showToast(text.replayed);
    } catch (error) {
      showToast(error instanceof Error ? error.message : unreachable);
    }
    setBusy(false);
    await cache.invalidateQueries({ queryKey: runsKey });
  };
  return (
    <>
      <button type="button" className="button primary" disabled={isBusy} onClick={() => setAsks(true)}>
        {text.replayAll(count)}
      </button>
      {asks && (
        <ConfirmDialog
          title={text.replayAllAsk(count)}
          hint={text.replayHint}
          action={text.replay}
          onConfirm={() => void begin()}
          onCancel={() => setAsks(false)}
        />
      )}
    </>
  );
}
