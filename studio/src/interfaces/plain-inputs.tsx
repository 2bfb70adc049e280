// Interfaces of single values. What was typed and is no value stays as it is, and is refused in its place.

import { plainText } from '../schema/templates.js';
import type { Reading } from '../schema/typed.js';
import { useLanguage, useText } from '../text/use-text.js';
import { isNumberType } from '../values/read-number.js';
import { choiceValue, numberReading, printValue, readText } from '../values/read-value.js';
import { useTyped } from '../values/use-typed.js';
import type { InterfaceProps } from './interface-props.js';

const shared = ({ id, describedBy, isRefused, field }: InterfaceProps) => ({
  id,
  'aria-describedby': describedBy,
  'aria-invalid': isRefused,
  'aria-required': field.required,
});

export function TextInput(props: InterfaceProps) {
  const language = useLanguage();
  const { field, value, isReadOnly, onChange } = props;
  const isNumber = isNumberType(field.type);
  const read = (text: string): Reading => {
    if (!isNumber) return readText(field, text);
    return text.trim() === '' ? { value: null, fault: null } : numberReading(field.type, text, language);
  };
  const typed = useTyped(value, (held) => printValue(field, held, language), read, onChange);
  return (
    <input
      {...shared(props)}
      className="input"
      inputMode={isNumber ? 'decimal' : undefined}
      autoComplete="off"
      placeholder={plainText(field.options['placeholder'])}
      value={typed.text}
      readOnly={isReadOnly}
      onChange={(event) => typed.change(event.target.value)}
      onBlur={typed.leave}
    />
  );
}

/** A stored hash is never shown: typing replaces it, leaving the field empty keeps it. */
export function HashInput(props: InterfaceProps) {
  const text = useText();
  const { value, stored, isReadOnly, onChange } = props;
  const isStored = stored !== null && stored !== undefined;
  return (
    <input
      {...shared(props)}
      className="input"
      type="password"
      autoComplete="new-password"
      placeholder={isStored ? text.storedSecret : ''}
      value={value === stored ? '' : plainText(value)}
      readOnly={isReadOnly}
      onChange={(event) => onChange(event.target.value === '' ? (stored ?? null) : event.target.value)}
    />
  );
}

export function MultilineInput(props: InterfaceProps) {
  const { field, value, isReadOnly, onChange } = props;
  const typed = useTyped(value, plainText, (text) => readText(field, text), onChange);
  return (
    <textarea
      {...shared(props)}
      className="input"
      rows={Math.min(16, Math.max(4, typed.text.split('\n').length + 1))}
      value={typed.text}
      readOnly={isReadOnly}
      onChange={(event) => typed.change(event.target.value)}
    />
  );
}

/** A box, which always has a value, where the database has one from the beginning; else what is chosen, if anything is. */
export function BooleanInput(props: InterfaceProps) {
  const text = useText();
  const { field, value, isReadOnly, onChange } = props;
  if (field.column?.nullable !== false || field.column.standard.kind !== 'value') return <BooleanChoice {...props} />;
  return (
    <label className="switch">
      <input
        {...shared(props)}
        type="checkbox"
        checked={value === true}
        disabled={isReadOnly}
        onChange={(event) => onChange(event.target.checked)}
      />
      {value === true ? text.yes : text.no}
    </label>
  );
}

function BooleanChoice({ id, labelledBy, describedBy, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  const text = useText();
  const current = value ?? null;
  const choices = [
    [true, text.yes],
    [false, text.no],
    ...(field.column?.nullable === false || field.required ? [] : [[null, text.notSet] as const]),
  ] as const;
  return (
    <div
      id={id}
      role="radiogroup"
      className="choice-list"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-invalid={isRefused}
      aria-required={field.required}
    >
      {choices.map(([choice, label]) => (
        <label key={label} className="switch">
          <input type="radio" name={`${id}-choice`} checked={current === choice} disabled={isReadOnly} onChange={() => onChange(choice)} />
          {label}
        </label>
      ))}
    </div>
  );
}

export function SelectInput(props: InterfaceProps) {
  const text = useText();
  const { field, value, isReadOnly, onChange } = props;
  const choices = field.choices ?? [];
  const mayBeEmpty = field.column?.nullable !== false;
  const isForeign = value !== null && value !== undefined && !choices.some((choice) => choice.value === String(value));
  const read = (chosen: string): unknown => (chosen === '' ? null : choiceValue(field, chosen));
  return (
    <select
      {...shared(props)}
      className="input"
      value={plainText(value)}
      disabled={isReadOnly}
      onChange={(event) => onChange(read(event.target.value))}
    >
      {(mayBeEmpty || (value ?? null) === null) && <option value="">{text.none}</option>}
      {isForeign && <option value={plainText(value)}>{plainText(value)}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}
