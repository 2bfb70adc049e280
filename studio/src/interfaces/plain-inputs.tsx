// Interfaces of single values. Numbers that a double cannot hold (bigInteger, decimal) stay text, so that nothing is rounded.

import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';
import type { InterfaceProps } from './interface-props.js';

const shared = ({ id, describedBy, isRefused, field }: InterfaceProps) => ({
  id,
  'aria-describedby': describedBy,
  'aria-invalid': isRefused,
  'aria-required': field.required,
});

export function TextInput(props: InterfaceProps) {
  const { field, value, isReadOnly, onChange } = props;
  const isNumber = field.type === 'integer' || field.type === 'float';
  const read = (text: string): unknown => {
    if (text === '') return field.column?.nullable === false && !isNumber ? '' : null;
    return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
  };
  return (
    <input
      {...shared(props)}
      className="input"
      inputMode={isNumber || field.type === 'decimal' || field.type === 'bigInteger' ? 'decimal' : undefined}
      autoComplete="off"
      maxLength={field.column?.maxLength ?? undefined}
      placeholder={plainText(field.options['placeholder'] ?? field.column?.defaultValue)}
      value={plainText(value)}
      readOnly={isReadOnly}
      onChange={(event) => onChange(read(event.target.value))}
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
  return (
    <textarea
      {...shared(props)}
      className="input"
      rows={Math.min(16, Math.max(4, plainText(value).split('\n').length + 1))}
      maxLength={field.column?.maxLength ?? undefined}
      value={plainText(value)}
      readOnly={isReadOnly}
      onChange={(event) => onChange(event.target.value === '' && field.column?.nullable === true ? null : event.target.value)}
    />
  );
}

export function BooleanInput(props: InterfaceProps) {
  const text = useText();
  const { value, isReadOnly, onChange } = props;
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

export function SelectInput(props: InterfaceProps) {
  const text = useText();
  const { field, value, isReadOnly, onChange } = props;
  const choices = field.choices ?? [];
  const isForeign = value !== null && value !== undefined && !choices.some((choice) => choice.value === String(value));
  const read = (chosen: string): unknown => {
    if (chosen === '') return null;
    return field.type === 'integer' || field.type === 'float' ? Number(chosen) : chosen;
  };
  return (
    <select
      {...shared(props)}
      className="input"
      value={plainText(value)}
      disabled={isReadOnly}
      onChange={(event) => onChange(read(event.target.value))}
    >
      <option value="">{text.none}</option>
      {isForeign && <option value={plainText(value)}>{plainText(value)}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}

const inputTypes: Readonly<Record<string, string>> = {
  date: 'date',
  time: 'time',
  dateTime: 'datetime-local',
  timestamp: 'datetime-local',
};

/** A timestamp is shown in the person's own zone and stored in UTC; the other types have no zone. */
export function DateInput(props: InterfaceProps) {
  const { field, value, isReadOnly, onChange } = props;
  const shown = field.type === 'timestamp' ? localText(value) : plainText(value);
  const store = (text: string): unknown => {
    if (text === '') return null;
    return field.type === 'timestamp' ? new Date(text).toISOString() : text;
  };
  return (
    <input
      {...shared(props)}
      className="input"
      type={inputTypes[field.type] ?? 'text'}
      step="1"
      value={shown}
      readOnly={isReadOnly}
      onChange={(event) => onChange(store(event.target.value))}
    />
  );
}

function localText(value: unknown): string {
  const moment = new Date(plainText(value));
  if (value === null || value === undefined || Number.isNaN(moment.getTime())) return '';
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
