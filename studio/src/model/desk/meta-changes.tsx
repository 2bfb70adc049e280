// What a change says of forms and lists, beside its statements: the interface, the choices, the note, and so on, each as it will be.

import { plainText } from '../../schema/templates.js';
import type { ModelMessages } from '../../text/english/model.js';
import { useText } from '../../text/use-text.js';
import { useModelText } from '../model-base.js';
import type { Change } from './desk.js';

/** By the names that metadata has; others are shown by these. */
const titles: Readonly<Record<string, keyof ModelMessages>> = {
  ...{ interface: 'interface', display: 'display', options: 'options', display_options: 'displayOptions', note: 'note', width: 'width' },
  ...{ required: 'required', readonly: 'readonly', hidden: 'hidden', validation: 'validation', validation_message: 'validationMessage' },
  ...{ translations: 'names', display_template: 'template', singleton: 'singleton', sort_field: 'sortField', versioning: 'versioning' },
  ...{ archive_field: 'archiveField', archive_value: 'archiveValue', unarchive_value: 'unarchiveValue', choices: 'choices' },
};

type Meta = Readonly<Record<string, unknown>>;

/** A new field leaves most of it as usual, which says nothing. */
const isUsual = (value: unknown): boolean => value === null || value === undefined || value === false || value === 'full' || value === '';

function entriesOf({ change, data }: Change): readonly (readonly [string, unknown])[] {
  const { meta } = (data ?? {}) as { readonly meta?: Meta | null };
  const all = Object.entries(meta ?? {}).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (name !== 'options' || typeof value !== 'object' || value === null) return [[name, value]];
    const { choices, ...others } = value as Meta;
    return [
      ...(choices === undefined ? [] : [['choices', choices] as const]),
      ...(Object.keys(others).length === 0 ? [] : [[name, others] as const]),
    ];
  });
  return change.startsWith('create_') ? all.filter(([, value]) => !isUsual(value)) : all;
}

export function MetaChanges({ change }: { readonly change: Change }) {
  const text = useModelText();
  const general = useText();
  const entries = entriesOf(change);
  const words = (name: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? general.yes : general.no;
    if (name === 'choices' && Array.isArray(value)) return value.map(choiceText).join(', ');
    return plainText(value) || general.none;
  };
  if (entries.length === 0) return null;
  return (
    <dl className="facts meta-changes">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{titleIn(text, name)}</dt>
          <dd>{words(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function titleIn(text: ModelMessages, name: string): string {
  const title = text[titles[name] ?? 'none'];
  return name in titles && typeof title === 'string' ? title : name;
}

function choiceText(choice: unknown): string {
  if (typeof choice !== 'object' || choice === null) return plainText(choice);
  const { value, text } = choice as Meta;
  return text === undefined || text === value ? plainText(value) : `${plainText(value)} = ${plainText(text)}`;
}
