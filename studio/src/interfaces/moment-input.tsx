// Dates and times as text, in the writing of the language: every character that is typed is part of the draft. A button opens the calendar of
// the browser.

import { useRef } from 'react';
import { Icon } from '../primitives/icon.js';
import { useLanguage, useText } from '../text/use-text.js';
import { controlOf, controlText, printMoment, readMoment } from '../values/moments.js';
import { useTyped } from '../values/use-typed.js';
import type { InterfaceProps } from './interface-props.js';

export function MomentInput({ id, describedBy, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  const language = useLanguage();
  const { type } = field;
  const print = (held: unknown) => printMoment(type, held, language);
  const typed = useTyped(value, print, (text) => readMoment(type, text, language), onChange);
  return (
    <div className="with-action">
      <input
        id={id}
        aria-describedby={describedBy}
        aria-invalid={isRefused}
        aria-required={field.required}
        className="input"
        autoComplete="off"
        value={typed.text}
        readOnly={isReadOnly}
        onChange={(event) => typed.change(event.target.value)}
        onBlur={typed.leave}
      />
      {!isReadOnly && <MomentPicker type={type} value={value} onPick={(text) => onChange(readMoment(type, text, language).value)} />}
    </div>
  );
}

interface MomentPickerProps {
  readonly type: string;
  readonly value: unknown;
  /** Called with what `readMoment` reads. */
  readonly onPick: (text: string) => void;
}

/** The input beside keeps the focus, and its text. */
export function MomentPicker({ type, value, onPick }: MomentPickerProps) {
  const text = useText();
  const control = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={control}
        className="native-picker"
        type={controlOf(type)}
        step={type === 'date' ? undefined : 1}
        tabIndex={-1}
        aria-hidden="true"
        value={controlText(type, value)}
        onChange={(event) => onPick(event.target.value)}
      />
      <button
        type="button"
        className="button quiet icon-only"
        aria-label={type === 'time' ? text.pickTime : text.pickDay}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => control.current?.showPicker()}
      >
        <Icon name={type === 'time' ? 'clock' : 'calendar'} />
      </button>
    </>
  );
}
