// An option that holds JSON. It is stored as JSON as soon as it is some, so that `{{ path }}` alone in a text becomes the value itself; before that,
// and where a template stands outside of quotes, as the text that it is.

import { useState } from 'react';
import { textOf, useAutomationText } from '../automation-data.js';
import { Labelled } from '../parts.js';
import { ChainInput } from './chain-input.js';
import type { OptionProps } from './step-kinds.js';

export function JsonOption({ label, hint, problem, value, onChange }: OptionProps) {
  const text = useAutomationText();
  // Text that other applications stored although it is JSON stays text: templates in it mean something else.
  const [isText] = useState(() => typeof value === 'string' && readJson(value) !== undefined);
  const [typed, setTyped] = useState(() => (typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : textOf(value)));
  const change = (next: string) => {
    setTyped(next);
    const parsed = isText ? undefined : readJson(next);
    onChange(next.trim() === '' ? undefined : (parsed ?? next));
  };
  const isBroken = typed.trim() !== '' && readJson(typed) === undefined && !typed.includes('{{');
  return (
    <Labelled label={label} hint={isBroken ? text.invalidJson : hint} problem={problem}>
      {(id, describedBy) => (
        <ChainInput
          id={id}
          label={label}
          value={typed}
          rows={Math.min(16, Math.max(5, typed.split('\n').length))}
          isCode
          describedBy={describedBy}
          isRefused={problem !== undefined}
          onChange={change}
        />
      )}
    </Labelled>
  );
}

/** Undefined: it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
