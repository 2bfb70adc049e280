// The text of an input whose value is read from it: what was typed stays as it is while it says what the draft holds, and becomes the value
// printed anew when the person goes on or the value changes elsewhere.

import { useState } from 'react';
import { isEqual } from '../draft/draft.js';
import { isTyped, type Reading, typedText } from '../schema/typed.js';

interface TypedInput {
  readonly text: string;
  readonly change: (text: string) => void;
  readonly leave: () => void;
}

export function useTyped(
  value: unknown,
  print: (value: unknown) => string,
  read: (text: string) => Reading,
  onChange: (value: unknown) => void,
): TypedInput {
  const [typed, setTyped] = useState<string | null>(null);
  const isCurrent = typed !== null && !isTyped(value) && isEqual(read(typed).value ?? null, value ?? null);
  return {
    text: isTyped(value) ? value.text : isCurrent ? typed : print(value),
    change: (text) => {
      const reading = read(text);
      setTyped(text);
      onChange(reading.fault === null ? reading.value : typedText(text, reading.fault));
    },
    leave: () => setTyped(null),
  };
}
