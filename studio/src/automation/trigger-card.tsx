// What starts a flow, in a line above its steps.

import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { textOf, textsOf, useAutomationText } from './automation-data.js';
import type { Flow } from './flow-model.js';
import { colorOf, iconOfTrigger, isTriggerKind } from './trigger-forms.js';

interface TriggerCardProps {
  readonly flow: Flow;
  readonly isRefused: boolean;
  /** Null: the person may not change it. */
  readonly onOpen: (() => void) | null;
}

export function TriggerCard({ flow, isRefused, onOpen }: TriggerCardProps) {
  const text = useAutomationText();
  const summary = useSummary(flow);
  const title = isTriggerKind(flow.trigger) ? text.triggers[flow.trigger] : (flow.trigger ?? text.noTrigger);
  const content = (
    <>
      <span className="flow-tile solid" aria-hidden="true" style={{ '--flow-color': colorOf(flow.color) } as React.CSSProperties}>
        <Icon name={iconOfTrigger(flow.trigger)} />
      </span>
      <span className="flow-card-text">
        <strong>{title}</strong>
        {summary !== '' && (
          <span className="hint cut" dir="auto">
            {summary}
          </span>
        )}
      </span>
    </>
  );
  return (
    <div className="flow-card" data-refused={isRefused}>
      {onOpen === null ? (
        content
      ) : (
        <button type="button" className="flow-card-open" onClick={onOpen}>
          <span className="visually-hidden">{text.editTrigger}</span>
          {content}
        </button>
      )}
    </div>
  );
}

function useSummary({ trigger, options }: Flow): string {
  const text = useAutomationText();
  const { schema } = useStudio().boot;
  const collections = textsOf(options?.['collections']).map((name) => schema.get(name)?.title ?? name);
  const names: Readonly<Record<string, string | undefined>> = text.eventNames;
  switch (trigger) {
    case 'event': {
      const events = textsOf(options?.['scope']).map((scope) => names[scope] ?? scope);
      const moment = text.moments[options?.['type'] === 'filter' ? 'filter' : 'action'];
      return [collections.join(', ') || text.noCollections, events.join(', '), moment].filter(Boolean).join(' · ');
    }
    case 'manual':
      return collections.join(', ') || text.noCollections;
    case 'schedule': {
      const cron = textOf(options?.['cron']);
      const known: Readonly<Record<string, string | undefined>> = text.crons;
      return [known[cron] ?? cron, textOf(options?.['timezone'])].filter(Boolean).join(' · ');
    }
    case 'webhook':
      return textOf(options?.['method']) || 'GET';
    default:
      return '';
  }
}
