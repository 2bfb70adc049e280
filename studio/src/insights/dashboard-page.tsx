// One dashboard: its panels, and while it is edited the ways to add, change, move and remove them.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../api/client.js';
import { NothingHere } from '../frame/nothing-here.js';
import { Crumb, type HeadAction, PageHead } from '../frame/page-head.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import {
  type Dashboard,
  dashboardKey,
  listKey,
  placesOf,
  requestOfDashboard,
  savePlaces,
  showPanels,
  storedPlace,
  useDashboard,
  useInsightsText,
  useMayBuild,
} from './dashboard-data.js';
import { DashboardDialog } from './dashboard-dialog.js';
import { freePlace, type Places } from './layout.js';
import { isKnownType, type Panel, textOf } from './panel.js';
import { type PanelDraft, PanelDrawer } from './panel-drawer.js';
import { PanelGrid } from './panel-grid.js';
import { PanelView } from './panel-view.js';
import { usePanelRows } from './use-panel-rows.js';

export function DashboardPage({ id }: { readonly id: string }) {
  const text = useInsightsText();
  const { data, error } = useDashboard(id);
  if (data === null || (error !== null && data === undefined))
    return <NothingHere message={error?.message ?? text.gone} way={{ title: text.dashboards, href: '/dashboards' }} />;
  if (data === undefined) return <PageHead title="…" />;
  return <OpenDashboard dashboard={data} />;
}

const newSize = { width: 16, height: 8 };

function OpenDashboard({ dashboard }: { readonly dashboard: Dashboard }) {
  const text = useInsightsText();
  const may = useMayBuild();
  const cache = useQueryClient();
  const { translate } = useStudio().boot;
  const { id, panels } = dashboard;
  const name = translate(dashboard.name);
  const [isEdited, setEdited] = useState(false);
  const [renames, setRenames] = useState(false);
  const [drawn, setDrawn] = useState<PanelDraft | null>(null);
  const stateOf = usePanelRows(panels);
  const nameOf = (panel: Panel): string =>
    translate(panel.name ?? textOf(panel.options?.['text']) ?? (isKnownType(panel.type) ? text.types[panel.type] : text.untitled));
  const changes = usePanelChanges(id, nameOf);
  const isBuilder = may.panels('update') || may.panels('create');
  const settings: readonly HeadAction[] = may.dashboards('update')
    ? [{ title: text.editDashboard(name), icon: 'edit', run: () => setRenames(true) }]
    : [];
  const build = () => {
    setEdited(true);
    setDrawn(newPanel(dashboard));
  };
  return (
    <>
      <PageHead title={<Title name={name} />} request={requestOfDashboard(id)} more={settings}>
        {isBuilder && panels.length > 0 && (
          <button type="button" className="button" aria-pressed={isEdited} onClick={() => setEdited(!isEdited)}>
            <Icon name={isEdited ? 'check' : 'edit'} />
            {isEdited ? text.done : text.edit}
          </button>
        )}
        {may.panels('create') && panels.length > 0 && (
          <button type="button" className="button primary" aria-label={text.newPanel} onClick={build}>
            <Icon name="plus" />
            <span className="wide-label">{text.newPanel}</span>
          </button>
        )}
      </PageHead>
      <div className="scroll dashboard">
        {dashboard.note !== null && <p className="hint dashboard-note">{translate(dashboard.note)}</p>}
        {panels.length === 0 && <EmptyDashboard onBuild={may.panels('create') ? build : null} />}
        <PanelGrid
          panels={panels}
          isEdited={isEdited && may.panels('update')}
          nameOf={nameOf}
          onPlaced={(before, after) => void changes.place(before, after)}
          actions={(panel) => (
            <PanelActions
              name={nameOf(panel)}
              onEdit={() => setDrawn(panel)}
              onDuplicate={
                may.panels('create') ? () => setDrawn({ ...panel, ...storedPlace(freePlace(placesOf(panels), panel)), id: null }) : null
              }
              onDelete={may.panels('delete') ? () => void changes.remove(panel) : null}
            />
          )}
        >
          {(panel) => <PanelView panel={panel} state={stateOf(panel.id)} />}
        </PanelGrid>
      </div>
      {renames && (
        <DashboardDialog
          dashboard={dashboard}
          panels={panels.length}
          onClose={() => setRenames(false)}
          onSaved={() => {
            void cache.invalidateQueries({ queryKey: dashboardKey(id) });
            void cache.invalidateQueries({ queryKey: listKey });
          }}
        />
      )}
      {drawn !== null && (
        <PanelDrawer
          panel={drawn}
          onClose={() => setDrawn(null)}
          onSaved={(panel) => {
            setDrawn(null);
            changes.show(panel);
          }}
        />
      )}
    </>
  );
}

function Title({ name }: { readonly name: string }) {
  const { dashboards } = useInsightsText();
  return (
    <>
      <Crumb href="/dashboards" title={dashboards} />
      {name}
    </>
  );
}

/** `onBuild` null: the person may not build, and only sees that the dashboard is empty. */
function EmptyDashboard({ onBuild }: { readonly onBuild: (() => void) | null }) {
  const text = useInsightsText();
  return (
    <div className="empty">
      <h2>{text.noPanels}</h2>
      <p>{onBuild === null ? text.noPanelsReader : text.noPanelsHint}</p>
      {onBuild !== null && (
        <button type="button" className="button primary" onClick={onBuild}>
          <Icon name="plus" />
          {text.newPanel}
        </button>
      )}
    </div>
  );
}

function newPanel({ id, panels }: Dashboard): PanelDraft {
  const place = storedPlace(freePlace(placesOf(panels), newSize));
  const kind = { type: 'metric', options: {}, name: null, icon: null, color: null, note: null, show_header: true };
  return { id: null, dashboard: id, ...kind, ...place };
}

/** Shows every change at once, stores it, and offers to undo it. */
function usePanelChanges(id: string, nameOf: (panel: Panel) => string) {
  const text = useInsightsText();
  const { unreachable } = useText();
  const cache = useQueryClient();
  /** Shows a change and stores it; what is refused is shown as it was. */
  const attempt = async (show: () => void, store: () => Promise<unknown>, onDone: () => void) => {
    await cache.cancelQueries({ queryKey: dashboardKey(id) });
    show();
    try {
      await store();
      onDone();
    } catch (error) {
      showToast(error instanceof Error ? error.message : unreachable);
      await cache.invalidateQueries({ queryKey: dashboardKey(id) });
    }
    void cache.invalidateQueries({ queryKey: listKey });
  };
  const put = (places: Places) => () => showPanels(cache, id, (panels) => panels.map((panel) => ({ ...panel, ...placed(places, panel) })));
  const place = (before: Places, after: Places): Promise<void> =>
    attempt(
      put(after),
      () => savePlaces(before, after),
      () =>
        showToast(text.moved, {
          label: text.undo,
          run: () =>
            void attempt(
              put(before),
              () => savePlaces(after, before),
              () => undefined,
            ),
        }),
    );
  const show = (panel: Panel) =>
    showPanels(cache, id, (panels) =>
      panels.some((each) => each.id === panel.id) ? panels.map((each) => (each.id === panel.id ? panel : each)) : [...panels, panel],
    );
  const restore = (panel: Panel) =>
    attempt(
      () => show(panel),
      () => request('POST', '/panels', { body: panel }),
      () => undefined,
    );
  const remove = (panel: Panel): Promise<void> =>
    attempt(
      () => showPanels(cache, id, (panels) => panels.filter((each) => each.id !== panel.id)),
      () => request('DELETE', `/panels/${panel.id}`),
      () => showToast(text.panelDeleted(nameOf(panel)), { label: text.undo, run: () => void restore(panel) }),
    );
  return { place, show, remove };
}

function placed(places: Places, panel: Panel): Partial<Panel> {
  const place = places.get(panel.id);
  return place === undefined ? {} : storedPlace(place);
}

interface PanelActionsProps {
  readonly name: string;
  readonly onEdit: () => void;
  readonly onDuplicate: (() => void) | null;
  readonly onDelete: (() => void) | null;
}

function PanelActions({ name, onEdit, onDuplicate, onDelete }: PanelActionsProps) {
  const text = useInsightsText();
  return (
    <div className="panel-actions">
      <button type="button" className="button quiet icon-only" aria-label={text.editPanel(name)} onClick={onEdit}>
        <Icon name="edit" />
      </button>
      {onDuplicate !== null && (
        <button type="button" className="button quiet icon-only" aria-label={text.duplicatePanel(name)} onClick={onDuplicate}>
          <Icon name="copy" />
        </button>
      )}
      {onDelete !== null && (
        <button type="button" className="button quiet icon-only" aria-label={text.deletePanel(name)} onClick={onDelete}>
          <Icon name="trash" />
        </button>
      )}
    </div>
  );
}
