// Name, note and colour of a dashboard; it is deleted here as well.

import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import { request } from '../api/client.js';
import { ColorChoice } from '../primitives/color-choice.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { showToast } from '../primitives/toasts.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { TextInput } from '../translations/text-input.js';
import { type DashboardFacts, dashboardKey, listKey, useInsightsText, useMayBuild } from './dashboard-data.js';

interface DashboardDialogProps {
  /** Null: a new one. */
  readonly dashboard: DashboardFacts | null;
  /** How many panels it has. */
  readonly panels: number;
  readonly onSaved: (id: string) => void;
  readonly onClose: () => void;
}

export function DashboardDialog({ dashboard, panels, onSaved, onClose }: DashboardDialogProps) {
  const text = useInsightsText();
  const { unreachable } = useText();
  const { translate } = useStudio().boot;
  const may = useMayBuild();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const id = useId();
  const [asks, setAsks] = useState(false);
  const [color, setColor] = useState(dashboard?.color ?? null);
  const save = async (form: FormData) => {
    const body = { name: String(form.get('name')).trim(), note: String(form.get('note')).trim() || null, color };
    const query = { fields: 'id' };
    const { data } = await (dashboard === null
      ? request<{ readonly id: string }>('POST', '/dashboards', { body, query })
      : request<{ readonly id: string }>('PATCH', `/dashboards/${dashboard.id}`, { body, query }));
    onSaved(data.id);
  };
  const remove = async () => {
    if (dashboard === null) return;
    try {
      await request('DELETE', `/dashboards/${dashboard.id}`);
      cache.removeQueries({ queryKey: dashboardKey(dashboard.id) });
      await cache.invalidateQueries({ queryKey: listKey });
      navigate('/dashboards');
    } catch (error) {
      showToast(error instanceof Error ? error.message : unreachable);
    }
    onClose();
  };
  if (asks && dashboard !== null)
    return (
      <ConfirmDialog
        title={text.deleteDashboard(translate(dashboard.name))}
        hint={text.deleteDashboardHint(panels)}
        action={text.delete}
        onConfirm={remove}
        onCancel={() => setAsks(false)}
      />
    );
  const aside = dashboard !== null && may.dashboards('delete') && (
    <button type="button" className="button danger at-start" onClick={() => setAsks(true)}>
      {text.delete}
    </button>
  );
  return (
    <FormDialog
      title={dashboard === null ? text.newDashboard : text.editDashboard(translate(dashboard.name))}
      action={dashboard === null ? text.create : text.save}
      aside={aside}
      onSubmit={save}
      onClose={onClose}
    >
      <div>
        <label className="label" htmlFor={`${id}-name`}>
          {text.name}
        </label>
        <TextInput id={`${id}-name`} name="name" required maxLength={255} value={dashboard?.name ?? ''} />
      </div>
      <div>
        <label className="label" htmlFor={`${id}-note`}>
          {text.note}
        </label>
        <TextInput id={`${id}-note`} name="note" value={dashboard?.note ?? ''} />
      </div>
      <ColorChoice label={text.color} noColor={text.noColor} color={color} onChange={setColor} />
    </FormDialog>
  );
}
