// One run: how it ended, what started it, and what each step got and left. An ended one can be begun again.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.js';
import { NothingHere } from '../../frame/nothing-here.js';
import { Crumb, PageHead } from '../../frame/page-head.js';
import { Icon } from '../../primitives/icon.js';
import { showToast } from '../../primitives/toasts.js';
import { useLanguage, useText } from '../../text/use-text.js';
import { flowKey, readFlow, useAutomationText, useFlowRights } from '../automation-data.js';
import { isLogged, isOpen, readWholeRun, replay, requestOfRun, runsKey, useNamesPeople, type WholeRun } from './run-data.js';
import { StateBadge } from './runs-page.js';
import { Data, StepResults } from './step-results.js';

export function RunPage({ flow: flowId, id }: { readonly flow: string; readonly id: string }) {
  const text = useAutomationText();
  const { steps } = useFlowRights();
  const withNames = useNamesPeople();
  const { data, error } = useQuery({
    queryKey: [...runsKey, 'one', id],
    queryFn: ({ signal }) => readWholeRun(id, withNames, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? 1_000 : false),
  });
  // A flow may be gone while its runs stay.
  const { data: loaded } = useQuery({
    queryKey: flowKey(flowId),
    queryFn: () => readFlow(flowId, steps('read')).catch(() => null),
    gcTime: 0,
  });
  const name = data?.extension ?? loaded?.flow.name ?? text.deletedFlow;
  const way = { title: text.runs, href: loaded === null ? '/runs' : `/flows/${flowId}/runs` };
  if (error !== null && data === undefined)
    return <NothingHere message={error instanceof ApiError && error.status === 403 ? text.runGone : error.message} way={way} />;
  const title = (
    <>
      <Crumb href={way.href} title={name} />
      {text.run}
    </>
  );
  return (
    <>
      <PageHead title={title} request={requestOfRun(id, withNames)}>
        {data !== undefined && <ReplayButton run={data} />}
      </PageHead>
      <div className="scroll run-page">
        {data !== undefined && <Facts run={data} />}
        {data !== undefined && data.steps === null && !isOpen(data) && data.error === null && <p className="hint">{text.noData}</p>}
        {data?.steps != null && <StepResults steps={data.steps} known={loaded?.flow.operations ?? []} />}
        {data !== undefined && data.trigger !== null && (
          <details className="run-trigger">
            <summary>{text.ofTrigger}</summary>
            <Data title="$trigger" value={data.trigger} />
          </details>
        )}
      </div>
    </>
  );
}

function Facts({ run }: { readonly run: WholeRun }) {
  const text = useAutomationText();
  const language = useLanguage();
  const hasStepForError = run.steps?.at(-1)?.status === 'reject';
  return (
    <>
      <dl className="run-facts">
        <dt>{text.state}</dt>
        <dd>
          <StateBadge run={run} />
          {run.state !== null && <span className="hint"> {text.stateHints[run.state]}</span>}
        </dd>
        <dt>{text.when}</dt>
        <dd>{language.dateTime.format(new Date(run.begun))}</dd>
        <dt>{text.startedBy}</dt>
        <dd>{run.by ?? text.nobody}</dd>
        {run.durationMs !== null && (
          <>
            <dt>{text.duration}</dt>
            <dd>{text.milliseconds(language.number.format(run.durationMs))}</dd>
          </>
        )}
        {run.attempts > 1 && (
          <>
            <dt>{text.attempts}</dt>
            <dd>{language.number.format(run.attempts)}</dd>
          </>
        )}
      </dl>
      {run.error !== null && !hasStepForError && <Data title={text.error} value={run.error} />}
    </>
  );
}

function ReplayButton({ run }: { readonly run: WholeRun }) {
  const text = useAutomationText();
  const { unreachable } = useText();
  const { isAdmin } = useFlowRights();
  const cache = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  if (!isAdmin || isLogged(run.id) || isOpen(run)) return null;
  const begin = async () => {
    setBusy(true);
    try {
      await replay(run.id);
      showToast(text.replayed);
    } catch (error) {
      showToast(error instanceof Error ? error.message : unreachable);
    }
    await cache.invalidateQueries({ queryKey: runsKey });
    setBusy(false);
  };
  return (
    <button type="button" className="button primary" title={text.replayHint} disabled={isBusy} onClick={() => void begin()}>
      <Icon name="history" />
      {text.replay}
    </button>
  );
}
