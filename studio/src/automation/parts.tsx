// Small parts of the forms of flows: a label with its input, what is said below it, and a choice among few.

import { type ReactNode, useId } from 'react';

interface PartProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Why the service refused it. */
  readonly problem?: string | undefined;
}

interface LabelledProps extends PartProps {
  readonly children: (id: string, describedBy: string | undefined) => ReactNode;
}

export function Labelled({ label, hint, problem, children }: LabelledProps) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children(id, described === '' ? undefined : described)}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p className="refusal" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface TextPartProps extends PartProps {
  readonly value: string;
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

export function TextPart({ label, hint, problem, value, rows, isCode = false, placeholder, onChange }: TextPartProps) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(id, describedBy) => {
        const common = {
          ...{ id, value, placeholder, autoComplete: 'off', className: isCode ? 'input code' : 'input' },
          dir: isCode ? ('ltr' as const) : ('auto' as const),
          'aria-describedby': describedBy,
          'aria-invalid': problem !== undefined,
          onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.target.value),
        };
        return rows === undefined ? <input {...common} /> : <textarea {...common} rows={rows} />;
      }}
    </Labelled>
  );
}

interface ChoiceProps extends PartProps {
  readonly value: string;
  /** One that may not be chosen is shown all the same: it may be what is stored. */
  readonly choices: readonly (readonly [value: string, text: string, isOffered?: boolean])[];
  /** Shown for no choice. */
  readonly none?: string;
  readonly onChange: (value: string) => void;
}

export function Choice({ label, hint, problem, value, choices, none, onChange }: ChoiceProps) {
  const isKnown = value === '' || choices.some(([each]) => each === value);
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(id, describedBy) => (
        <select
          id={id}
          className="input"
          value={value}
          aria-describedby={describedBy}
          aria-invalid={problem !== undefined}
          onChange={(event) => onChange(event.target.value)}
        >
          {(none !== undefined || !choices.some(([each]) => each === '')) && <option value="">{none ?? ''}</option>}
          {choices.map(([each, title, isOffered = true]) => (
            <option key={each} value={each} disabled={!isOffered}>
              {title}
            </option>
          ))}
          {!isKnown && <option value={value}>{value}</option>}
        </select>
      )}
    </Labelled>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export const Switch = ({ label, isOn, onChange }: SwitchProps) => (
  <label className="switch check-line">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);

interface ChecksProps {
  readonly legend: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly chosen: readonly string[];
  readonly problem?: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Any of several. What is chosen and not offered stays. */
export function Checks({ legend, choices, chosen, problem, onChange }: ChecksProps) {
  const offered = [...choices, ...chosen.filter((each) => !choices.some(([value]) => value === each)).map((each) => [each, each] as const)];
  return (
    <fieldset className="plain-set">
      <legend className="label">{legend}</legend>
      <div className="flow-checks">
        {offered.map(([value, title]) => (
          <label key={value} className="switch">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) => onChange(event.target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))}
            />
            <span className="cut">{title}</span>
          </label>
        ))}
      </div>
      {problem !== undefined && <p className="refusal">{problem}</p>}
    </fieldset>
  );
}
