// Interfaces that offer values to choose from: one of a few, several, a number on a scale, a colour.

import type { Choice, Field } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';
import { choiceValue } from '../values/read-value.js';
import type { InterfaceProps } from './interface-props.js';

/** The choices of a field, and values it holds that are none of them: those stay until the person removes them. */
export function choicesWith(field: Field, values: readonly string[]): readonly Choice[] {
  const choices = field.choices ?? [];
  const foreign = values.filter((value) => !choices.some((choice) => choice.value === value));
  return [...choices, ...foreign.map((value) => ({ value, text: value }))];
}

export function RadioInput({ id, labelledBy, describedBy, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  const text = useText();
  const current = plainText(value);
  return (
    <div
      role="radiogroup"
      className="choice-list"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-invalid={isRefused}
      aria-required={field.required}
    >
      {choicesWith(field, current === '' ? [] : [current]).map((choice) => (
        <label key={choice.value} className="switch">
          <input
            type="radio"
            name={id}
            checked={choice.value === current}
            disabled={isReadOnly}
            onChange={() => onChange(choiceValue(field, choice.value))}
          />
          {choice.text}
        </label>
      ))}
      {current !== '' && !field.required && !isReadOnly && (
        <button type="button" className="button quiet small" onClick={() => onChange(null)}>
          {text.clear}
        </button>
      )}
    </div>
  );
}

export function CheckboxesInput({ labelledBy, describedBy, field, value, isReadOnly, onChange }: InterfaceProps) {
  const chosen = listOf(value);
  const choices = choicesWith(field, chosen);
  const toggle = (changed: string, isOn: boolean) => {
    // The order of the choices, so that the same selection is the same value.
    const next = choices.filter((choice) => (choice.value === changed ? isOn : chosen.includes(choice.value)));
    onChange(next.length === 0 && field.column?.nullable !== false ? null : next.map((choice) => choice.value));
  };
  return (
    <fieldset className="choice-list" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {choices.map((choice) => (
        <label key={choice.value} className="switch">
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            disabled={isReadOnly}
            onChange={(event) => toggle(choice.value, event.target.checked)}
          />
          {choice.text}
        </label>
      ))}
    </fieldset>
  );
}

export const listOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' && value !== '' ? value.split(',') : [];
};

export function SliderInput({ id, describedBy, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  const text = useText();
  const [least, most, step] = [
    number(field.options['minValue'], 0),
    number(field.options['maxValue'], 100),
    number(field.options['stepInterval'], 1),
  ];
  const isSet = value !== null && value !== undefined;
  const shown = isSet ? plainText(value) : text.none;
  return (
    <div className="slider">
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        aria-describedby={describedBy}
        aria-invalid={isRefused}
        aria-valuetext={shown}
        value={isSet ? Number(value) : least}
        disabled={isReadOnly}
        onChange={(event) =>
          onChange(field.type === 'decimal' || field.type === 'bigInteger' ? event.target.value : Number(event.target.value))
        }
      />
      <output htmlFor={id}>{shown}</output>
    </div>
  );
}

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** A colour as text, `#` and hexadecimal digits, with the browser's picker beside it. */
export function ColorInput(props: InterfaceProps) {
  const { id, labelledBy, describedBy, field, value, isReadOnly, isRefused, onChange } = props;
  const current = plainText(value);
  return (
    <div className="color">
      <input
        type="color"
        className={current === '' ? 'unset' : ''}
        aria-labelledby={labelledBy}
        value={/^#[\da-f]{6}/i.test(current) ? current.slice(0, 7) : '#000000'}
        disabled={isReadOnly}
        onChange={(event) => onChange(event.target.value)}
      />
      <input
        id={id}
        className="input"
        aria-describedby={describedBy}
        aria-invalid={isRefused}
        aria-required={field.required}
        placeholder="#3B5BDB"
        value={current}
        readOnly={isReadOnly}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      />
    </div>
  );
}
