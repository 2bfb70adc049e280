// Small inputs of the builder.

import { type ReactNode, useId } from 'react';
import { TextInput } from '../translations/text-input.js';

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
