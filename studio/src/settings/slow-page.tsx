// The statements that took long, as one process of the service lists them, and how the database ran them.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRunningText } from '../activity/activity-data.js';
import { request } from '../api/client.js';
import { relativeText } from '../displays/show-value.js';
import { FailedRead } from '../primitives/failed-read.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import { SystemHead } from './system-head.js';

interface SlowStatement {
  readonly moment: string;
  readonly duration_ms: number;
  readonly sql: string;
  readonly collections: readonly string[];
  readonly plan: readonly string[] | null;
  readonly request_id: string | null;
  readonly failed: boolean;
  readonly unlogged: number;
}

interface SlowStatementReport {
  /** Null: the service does not look for slow statements. */
  readonly threshold_ms: number | null;
  readonly process: string;
  readonly statements: readonly SlowStatement[];
}

const path = '/server/statements/slow';

export function SlowPage() {
  const text = useRunningText();
  const language = useLanguage();
  const [open, setOpen] = useState<SlowStatement | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['slow statements'],
    queryFn: async ({ signal }) => (await request<SlowStatementReport>('GET', path, { signal })).data,
    staleTime: 0,
  });
  return (
    <>
      <SystemHead request={{ path }}>
        <button type="button" className="button" onClick={() => void refetch()}>
          {text.again}
        </button>
      </SystemHead>
      <div className="scroll system">
        <FailedRead what={text.slowFailed} error={data === undefined ? error : null} />
        {data?.threshold_ms === null && (
          <div className="slow-off">
            <h2>{text.slowOff}</h2>
            <p>{text.slowOffHint}</p>
            <code className="code-secret">SLOW_STATEMENT=500ms</code>
          </div>
        )}
        {data !== undefined && data.threshold_ms !== null && (
          <>
            <p className="hint">{text.slowHint(language.number.format(data.threshold_ms), data.process)}</p>
            {data.statements.length === 0 ? <p>{text.noSlow}</p> : <Statements statements={data.statements} onOpen={setOpen} />}
          </>
        )}
      </div>
      {open !== null && <StatementDrawer statement={open} onClose={() => setOpen(null)} />}
    </>
  );
}

interface StatementsProps {
  readonly statements: readonly SlowStatement[];
  readonly onOpen: (statement: SlowStatement) => void;
}

function Statements({ statements, onOpen }: StatementsProps) {
  const text = useRunningText();
  const { slowStatements } = useText();
  const language = useLanguage();
  const titles = useTitles();
  return (
    <table className="running-table slow-table" aria-label={slowStatements}>
      <thead>
        <tr>
          <th scope="col">{text.statement}</th>
          <th scope="col">{text.collections}</th>
          <th scope="col">{text.duration}</th>
          <th scope="col">{text.when}</th>
        </tr>
      </thead>
      <tbody>
        {statements.map((statement, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal statements may end at the same moment
          <tr key={`${statement.moment} ${index}`}>
            <th scope="row">
              <button type="button" className="row-title slow-sql" onClick={() => onOpen(statement)}>
                <code className="cut" dir="ltr">
                  {statement.sql}
                </code>
              </button>
            </th>
            <td>{titles(statement)}</td>
            <td className="number">
              {text.milliseconds(language.number.format(statement.duration_ms))}
              {statement.failed && <span className="part-state error"> {text.failedStatement}</span>}
            </td>
            <td>
              <time dateTime={statement.moment} title={language.dateTime.format(new Date(statement.moment))}>
                {relativeText(language, new Date(statement.moment))}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The names of the collections that a statement reads or writes. */
function useTitles(): (statement: SlowStatement) => string {
  const { schema } = useStudio().boot;
  return ({ collections }) => collections.map((name) => schema.get(name)?.title ?? name).join(', ');
}

function StatementDrawer({ statement, onClose }: { readonly statement: SlowStatement; readonly onClose: () => void }) {
  const text = useRunningText();
  const language = useLanguage();
  const titles = useTitles();
  const { sql, plan, duration_ms, moment, request_id, failed, unlogged } = statement;
  return (
    <SideDrawer title={text.statement} isWide onClose={onClose}>
      <dl className="entry-facts">
        <dt>{text.duration}</dt>
        <dd>
          {text.milliseconds(language.number.format(duration_ms))}
          {failed && <span className="part-state error"> {text.failedStatement}</span>}
        </dd>
        <dt>{text.when}</dt>
        <dd>{language.dateTime.format(new Date(moment))}</dd>
        <dt>{text.collections}</dt>
        <dd>{titles(statement)}</dd>
        <dt>{text.requestId}</dt>
        <dd>{request_id ?? text.ownWork}</dd>
      </dl>
      {unlogged > 0 && <p className="hint">{text.unlogged(language.number.format(unlogged))}</p>}
      <section className="slow-part">
        <h3>{text.plan}</h3>
        {plan === null ? <p className="hint">{text.noPlan}</p> : <pre dir="ltr">{plan.join('\n')}</pre>}
      </section>
      <section className="slow-part">
        <h3>SQL</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
        <pre tabIndex={0} dir="ltr">
          {sql}
        </pre>
      </section>
    </SideDrawer>
  );
}
