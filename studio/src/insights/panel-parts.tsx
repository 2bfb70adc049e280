// Small inputs of the builder.

import { type ReactNode, useId } from 'react';
import { TextInput } from '../translations/text-input.js';
import { useInsightsText } from './dashboard-data.js';

/** Colours that can be told apart, in light and in dark. */
const colors = ['#3b5bdb', '#0c8599', '#2b8a3e', '#e67700', '#d9480f', '#c2255c', '#862e9c', '#495057'];

interface ColorChoiceProps {
  /** Null: that of the project. */
  readonly color: string | null;
  readonly onChange: (color: string | null) => void;
}

export function ColorChoice({ color, onChange }: ColorChoiceProps) {
  const text = useInsightsText();
  const name = useId();
  // A colour that was stored elsewhere can be kept.
  const offered = color === null || colors.includes(color) ? colors : [...colors, color];
  return (
    <fieldset className="plain-set color-choice">
      <legend className="label">{text.color}</legend>
      <div>
        {[null, ...offered].map((each) => (
          <label key={each ?? ''} title={each ?? text.noColor}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={each === color}
              aria-label={each ?? text.noColor}
              onChange={() => onChange(each)}
            />
            <span aria-hidden="true" style={{ background: each ?? 'var(--accent)' }} data-plain={each === null} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** Shown for no choice. */
  readonly none?: string;
  readonly onChange: (value: string) => void;
}

export function Choice({ label, value, choices, none, onChange }: ChoiceProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          {(none !== undefined || !choices.some(([each]) => each === value)) && <option value="">{none ?? ''}</option>}
          {choices.map(([each, title]) => (
            <option key={each} value={each}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface TextPartProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'number';
  readonly onChange: (value: string) => void;
}

export function TextPart({ label, value, type = 'text', onChange }: TextPartProps) {
  return (
    <Labelled label={label}>
      {(id) =>
        type === 'text' ? (
          <TextInput id={id} value={value} onChange={onChange} />
        ) : (
          <input id={id} className="input" type={type} step="any" value={value} onChange={(event) => onChange(event.target.value)} />
        )
      }
    </Labelled>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}
