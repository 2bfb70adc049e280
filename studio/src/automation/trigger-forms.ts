// What each way of starting a flow begins with, and how it is shown. Pure.

import type { IconName } from '../primitives/icon.js';
import type { AutomationMessages } from '../text/english/automation.js';
import type { Options } from './flow-model.js';

export type TriggerKind = keyof AutomationMessages['triggers'];

export const triggerKinds: readonly TriggerKind[] = ['event', 'manual', 'schedule', 'webhook', 'operation'];

const icons: Readonly<Record<TriggerKind, IconName>> = {
  event: 'pulse',
  webhook: 'globe',
  schedule: 'clock',
  operation: 'link',
  manual: 'user',
};

export const isTriggerKind = (trigger: string | null): trigger is TriggerKind => trigger !== null && Object.hasOwn(icons, trigger);

export const iconOfTrigger = (trigger: string | null): IconName => (isTriggerKind(trigger) ? icons[trigger] : 'more');

export const firstOptions: Readonly<Record<TriggerKind, Options>> = {
  event: { type: 'action', scope: ['items.create'], collections: [] },
  webhook: { method: 'POST', return: '$last' },
  schedule: { cron: '0 6 * * *' },
  operation: { return: '$last' },
  manual: { collections: [], location: 'both', requireSelection: true },
};

/** Only these are stored and carried out later, so that they can be tried again. */
export const isQueued = ({ trigger, options }: { readonly trigger: string | null; readonly options: Options | null }): boolean =>
  trigger === 'schedule' || (trigger === 'event' && options?.['type'] !== 'filter');

export const colorOf = (color: string | null): string | undefined => (color !== null && /^#[\da-f]{3,8}$/i.test(color) ? color : undefined);
