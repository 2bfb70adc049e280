// What each kind of step asks for: its options, each with the control that edits it. Options that are not here stay as they are. Pure.

import type { IconName } from '../../primitives/icon.js';
import type { AutomationMessages } from '../../text/english/automation.js';
import type { Options } from '../flow-model.js';
import { readConditions } from './condition-rows.js';

export type StepKind = keyof AutomationMessages['kinds'];
export type OptionName = keyof AutomationMessages['options'];
type Choice = keyof AutomationMessages['choices'] | 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

type Control =
  | 'text'
  | 'long'
  | 'number'
  | 'json'
  | 'code'
  | 'secret'
  | 'choice'
  | 'collection'
  | 'flow'
  | 'keys'
  | 'query'
  | 'rights'
  | 'boolean'
  | 'headers'
  | 'condition';

export interface StepOption {
  /** As it is stored. */
  readonly name: string;
  readonly control: Control;
  /** Of its text, where that is not its name. */
  readonly label?: OptionName;
  readonly hint?: keyof AutomationMessages['optionHints'];
  readonly choices?: readonly Choice[];
  /** What the service takes where nothing is said. */
  readonly standard?: unknown;
  /** Only where other options ask for it. */
  readonly when?: (options: Options) => boolean;
}

/** What a control is given. */
export interface OptionProps {
  readonly label: string;
  readonly hint: string | undefined;
  /** Why the service refused it. */
  readonly problem: string | undefined;
  readonly value: unknown;
  /** Of the whole step. */
  readonly options: Options;
  /** Marks what is not finished. */
  readonly isChecked: boolean;
  /** Undefined: the option is left out. */
  readonly onChange: (value: unknown) => void;
  /** Whether the control has handed on all that it shows. */
  readonly onFinished: (isFinished: boolean) => void;
}

interface KindFacts {
  readonly icon: IconName;
  /** It reaches outside or waits, so that no write can wait for it. */
  readonly isOutward?: boolean;
  readonly options: readonly StepOption[];
}

const option = (name: string, control: Control, more: Partial<StepOption> = {}): StepOption => ({ name, control, ...more });
const collection = option('collection', 'collection');
const rights = option('permissions', 'rights', { standard: '$trigger' });
const emits = option('emitEvents', 'boolean', { standard: true });
const payload = option('payload', 'json', { hint: 'payload' });
const target = [option('key', 'keys', { hint: 'key' }), option('query', 'query')];
const among =
  (name: string, ...values: readonly unknown[]) =>
  (options: Options) =>
    values.includes(options[name]);

export const kinds: Readonly<Record<StepKind, KindFacts>> = {
  condition: { icon: 'branch', options: [option('filter', 'condition')] },
  'item-create': { icon: 'plus', options: [collection, payload, rights, emits] },
  'item-read': { icon: 'eye', options: [collection, ...target, rights] },
  'item-update': { icon: 'edit', options: [collection, ...target, payload, rights, emits] },
  'item-delete': { icon: 'trash', options: [collection, ...target, rights, emits] },
  mail: {
    icon: 'comment',
    isOutward: true,
    options: [
      option('to', 'text', { hint: 'to' }),
      option('subject', 'text'),
      option('type', 'choice', { choices: ['markdown', 'wysiwyg', 'plain'], standard: 'plain' }),
      option('body', 'long', { label: 'message' }),
      option('cc', 'text'),
      option('bcc', 'text'),
      option('replyTo', 'text'),
    ],
  },
  notification: {
    icon: 'bell',
    options: [
      option('recipient', 'keys', { hint: 'recipient' }),
      option('subject', 'text'),
      option('message', 'long'),
      collection,
      option('item', 'text'),
      rights,
    ],
  },
  request: {
    icon: 'globe',
    isOutward: true,
    options: [
      option('method', 'choice', { choices: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], standard: 'GET' }),
      option('url', 'text'),
      option('headers', 'headers'),
      option('body', 'long'),
    ],
  },
  transform: { icon: 'code', options: [option('json', 'json', { hint: 'json' })] },
  exec: { icon: 'code', options: [option('code', 'code', { hint: 'code' })] },
  trigger: {
    icon: 'link',
    options: [
      option('flow', 'flow'),
      option('payload', 'json', { label: 'json', hint: 'trigger' }),
      option('iterationMode', 'choice', { choices: ['parallel', 'serial', 'batch'], standard: 'parallel' }),
      option('batchSize', 'number', { when: among('iterationMode', 'batch') }),
    ],
  },
  'json-web-token': {
    icon: 'key',
    options: [
      option('operation', 'choice', { choices: ['sign', 'verify', 'decode'] }),
      option('payload', 'json', { when: among('operation', 'sign'), hint: 'payload' }),
      option('token', 'text', { when: among('operation', 'verify', 'decode') }),
      option('secret', 'secret', { when: among('operation', 'sign', 'verify'), hint: 'secret' }),
      option('options', 'json', { when: among('operation', 'sign', 'verify') }),
    ],
  },
  'throw-error': {
    icon: 'close',
    options: [option('code', 'text', { label: 'errorCode' }), option('status', 'number', { standard: 500 }), option('message', 'text')],
  },
  log: { icon: 'file', options: [option('message', 'long')] },
  sleep: { icon: 'clock', isOutward: true, options: [option('milliseconds', 'number')] },
};

export const isKnownKind = (type: string): type is StepKind => Object.hasOwn(kinds, type);

export const iconOfKind = (type: string): IconName => (isKnownKind(type) ? kinds[type].icon : 'more');

interface SummedUp {
  readonly type: string;
  readonly options: Options | null;
}

/** One line about what the options say, for the list of steps. */
export function summaryOf(
  { type, options }: SummedUp,
  titleOf: (collection: string) => string,
  operatorOf: (operator: string) => string,
): string {
  const text = (name: string): string => {
    const value = options?.[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  switch (type) {
    case 'item-create':
    case 'item-read':
    case 'item-update':
    case 'item-delete':
      return [titleOf(text('collection')), text('key')].filter(Boolean).join(' · ');
    case 'mail':
      return [text('to'), text('subject')].filter(Boolean).join(' · ');
    case 'notification':
      return text('subject');
    case 'request':
      return [text('method') || 'GET', text('url')].join(' ');
    case 'log':
    case 'throw-error':
      return [text('code'), text('message')].filter(Boolean).join(' · ');
    case 'sleep':
      return text('milliseconds') === '' ? '' : `${text('milliseconds')} ms`;
    case 'condition':
      return conditionText(options?.['filter'], operatorOf);
    default:
      return '';
  }
}

function conditionText(filter: unknown, operatorOf: (operator: string) => string): string {
  if (filter === undefined) return '';
  const rows = readConditions(filter);
  return rows === null
    ? JSON.stringify(filter)
    : rows.map(({ path, operator, value }) => `${path} ${operatorOf(operator)} ${value}`.trim()).join(' · ');
}
