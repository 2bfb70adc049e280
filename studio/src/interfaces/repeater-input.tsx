// The repeater: a list of small records in one json column. Its sub-fields come from the options of the field.

import { useState } from 'react';
import { Icon } from '../primitives/icon.js';
import { subFieldsOf } from '../schema/build-schema.js';
import type { Field } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { isTyped } from '../schema/typed.js';
import { useLanguage } from '../text/use-text.js';
import { CodeInput } from './editors/code-input.js';
import { FieldFault } from './field-fault.js';
import { FieldLabel } from './field-label.js';
import type { InterfaceProps } from './interface-props.js';
import { findPlain } from './plain-interfaces.js';

type Entry = Readonly<Record<string, unknown>>;

export function RepeaterInput(props: InterfaceProps) {
  const { value } = props;
  // What is no list of records is edited as text, and stays as it is until then.
  const isList = value === null || value === undefined || (Array.isArray(value) && value.every(isEntry));
  return isList ? <EntryList {...props} /> : <CodeInput {...props} />;
}

const isEntry = (entry: unknown): entry is Entry => typeof entry === 'object' && entry !== null && !Array.isArray(entry);

function EntryList({ id, labelledBy, field, value, isReadOnly, onChange }: InterfaceProps) {
  const { text, tag } = useLanguage();
  const [open, setOpen] = useState<number | null>(null);
  const entries = Array.isArray(value) ? (value as readonly Entry[]) : [];
  const subFields = subFieldsOf(field, tag);
  const [titleField] = subFields;
  const store = (next: readonly Entry[]) => onChange(next.length === 0 ? null : next);
  const move = (from: number, to: number) => {
    const moved = entries.toSpliced(from, 1);
    store(moved.toSpliced(to, 0, ...entries.slice(from, from + 1)));
    setOpen(open === from ? to : null);
  };
  return (
    <fieldset className="plain-set" aria-labelledby={labelledBy}>
      {entries.length > 0 && (
        <ol className="related-list">
          {placed(entries).map(({ id: place, entry, index }) => (
            <li key={place} className="repeater-entry">
              <div className="row">
                <button
                  type="button"
                  className="row-title"
                  aria-expanded={open === index}
                  onClick={() => setOpen(open === index ? null : index)}
                >
                  {plainText(titleField === undefined ? entry : entry[titleField.name]) || text.unnamed}
                </button>
                {!isReadOnly && (
                  <>
                    <RowButton name="up" label={text.moveUp} isDisabled={index === 0} onPress={() => move(index, index - 1)} />
                    <RowButton
                      name="down"
                      label={text.moveDown}
                      isDisabled={index === entries.length - 1}
                      onPress={() => move(index, index + 1)}
                    />
                    <RowButton name="close" label={text.removeFromList} onPress={() => store(entries.toSpliced(index, 1))} />
                  </>
                )}
              </div>
              {open === index && (
                <div className="form inner">
                  {subFields.map((subField) => (
                    <SubField
                      key={subField.name}
                      id={`${id}-${index}-${subField.name}`}
                      field={subField}
                      value={entry[subField.name]}
                      isReadOnly={isReadOnly}
                      onChange={(next) => store(entries.with(index, { ...entry, [subField.name]: next }))}
                    />
                  ))}
                </div>
              )}
            </li>
          ))}
        </ol>
      )}
      {!isReadOnly && (
        <button
          type="button"
          className="button small"
          onClick={() => {
            store([...entries, {}]);
            setOpen(entries.length);
          }}
        >
          <Icon name="plus" />
          {plainText(field.options['addLabel']) || text.addEntry}
        </button>
      )}
    </fieldset>
  );
}

/** Entries have no key of their own: their place identifies them. */
const placed = (entries: readonly Entry[]) => entries.map((entry, index) => ({ id: `entry-${index}`, entry, index }));

interface RowButtonProps {
  readonly name: 'up' | 'down' | 'close';
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}

const RowButton = ({ name, label, isDisabled = false, onPress }: RowButtonProps) => (
  <button type="button" className="button quiet icon-only" aria-label={label} disabled={isDisabled} onClick={onPress}>
    <Icon name={name} />
  </button>
);

interface SubFieldProps {
  readonly id: string;
  readonly field: Field;
  readonly value: unknown;
  readonly isReadOnly: boolean;
  readonly onChange: (value: unknown) => void;
}

function SubField({ id, field, value, isReadOnly, onChange }: SubFieldProps) {
  const { component: Input, hasLabel } = findPlain(field);
  return (
    <div className={field.width.startsWith('half') ? 'half' : ''} data-field={field.name}>
      <FieldLabel id={id} field={field} hasLabel={hasLabel} />
      <Input
        id={id}
        labelledBy={`${id}-label`}
        describedBy={isTyped(value) ? `${id}-fault` : undefined}
        field={field}
        itemKey={null}
        value={value}
        stored={undefined}
        refusals={[]}
        isReadOnly={isReadOnly}
        isRefused={isTyped(value)}
        onChange={onChange}
      />
      <FieldFault id={`${id}-fault`} value={value} isChecked={false} />
    </div>
  );
}
