// Why what was typed is no value of its field, said below it. Nobody is told that a number is wrong after its first character: until the person
// goes on, or asks to save, the style sheet hides it.

import { isTyped } from '../schema/typed.js';
import { useText } from '../text/use-text.js';

interface FieldFaultProps {
  readonly id: string;
  readonly value: unknown;
  /** Whether it was asked for by saving. */
  readonly isChecked: boolean;
}

export function FieldFault({ id, value, isChecked }: FieldFaultProps) {
  const text = useText();
  if (!isTyped(value)) return null;
  return (
    <p className={`refusal ${isChecked ? '' : 'fault'}`} id={id} role="alert">
      {text.list.faults[value.fault]}
    </p>
  );
}
