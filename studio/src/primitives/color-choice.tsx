// One of few colours, or that of the project.

import { useId } from 'react';
import './color-choice.css';

/** Colours that can be told apart, in light and in dark. */
const colors = ['#3b5bdb', '#0c8599', '#2b8a3e', '#e67700', '#d9480f', '#c2255c', '#862e9c', '#495057'];

interface ColorChoiceProps {
  readonly label: string;
  readonly noColor: string;
  /** Null: that of the project. */
  readonly color: string | null;
  readonly onChange: (color: string | null) => void;
}

export function ColorChoice({ label, noColor, color, onChange }: ColorChoiceProps) {
  const name = useId();
  // A colour that was stored elsewhere can be kept.
  const offered = color === null || colors.includes(color) ? colors : [...colors, color];
  return (
    <fieldset className="plain-set color-choice">
      <legend className="label">{label}</legend>
      <div>
        {[null, ...offered].map((each) => (
          <label key={each ?? ''} title={each ?? noColor}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={each === color}
              aria-label={each ?? noColor}
              onChange={() => onChange(each)}
            />
            <span aria-hidden="true" style={{ background: each ?? 'var(--accent)' }} data-plain={each === null} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
