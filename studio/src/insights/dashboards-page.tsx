// All dashboards, and a new one.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { PageHead } from '../frame/page-head.js';
import { FailedRead } from '../primitives/failed-read.js';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { type ListedDashboard, listKey, listRequest, useDashboards, useInsightsText, useMayBuild } from './dashboard-data.js';
import { DashboardDialog } from './dashboard-dialog.js';
import { colorOf } from './panel.js';

export function DashboardsPage() {
  const text = useInsightsText();
  const may = useMayBuild();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  const { data, error } = useDashboards();
  const button = (
    <button type="button" className="button primary" aria-label={text.newDashboard} onClick={() => setAsks(true)}>
      <Icon name="plus" />
      <span className="wide-label">{text.newDashboard}</span>
    </button>
  );
  return (
    <>
      <PageHead title={text.dashboards} request={listRequest}>
        {may.dashboards('create') && data?.length !== 0 && button}
      </PageHead>
      <div className="scroll">
        <FailedRead what={text.failed} error={data === undefined ? error : null} />
        {data?.length === 0 && (
          <div className="empty">
            <h2>{text.noDashboards}</h2>
            <p>{text.noDashboardsHint}</p>
            {may.dashboards('create') && (
              <button type="button" className="button primary" onClick={() => setAsks(true)}>
                <Icon name="plus" />
                {text.newDashboard}
              </button>
            )}
          </div>
        )}
        <ul className="cards home-cards dashboards">
          {data?.map((dashboard) => (
            <Entry key={dashboard.id} dashboard={dashboard} />
          ))}
        </ul>
      </div>
      {asks && (
        <DashboardDialog
          dashboard={null}
          panels={0}
          onClose={() => setAsks(false)}
          onSaved={(id) => {
            void cache.invalidateQueries({ queryKey: listKey });
            navigate(`/dashboards/${id}`);
          }}
        />
      )}
    </>
  );
}

function Entry({ dashboard: { id, name, note, color, panels_count } }: { readonly dashboard: ListedDashboard }) {
  const text = useInsightsText();
  const { translate } = useStudio().boot;
  return (
    <li>
      <Link href={`/dashboards/${id}`}>
        <strong>
          <span className="dashboard-dot" style={{ background: colorOf(color) ?? undefined }} aria-hidden="true" />
          {translate(name)}
        </strong>
        {note !== null && <span className="hint">{translate(note)}</span>}
        {panels_count !== null && panels_count !== undefined && <span className="hint">{text.panelsCount(Number(panels_count))}</span>}
      </Link>
    </li>
  );
}
