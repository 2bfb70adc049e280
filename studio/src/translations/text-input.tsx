// An input for a text that people read: written as it is, or as the key of a text in several languages, which is shown below.

import { type InputHTMLAttributes, lazy, Suspense, useState } from 'react';
import { Icon } from '../primitives/icon.js';
import { keyOf, markKey } from '../schema/translations.js';
import { useMay, useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';

const Translations = lazy(async () => ({ default: (await import('./translations.js')).Translations }));

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className'> {
  /** What it begins with. */
  readonly value: string;
  readonly onChange?: (value: string) => void;
}

export function TextInput({ value, onChange, ...props }: TextInputProps) {
  const text = useText();
  const { translate } = useStudio().boot;
  const mayRead = useMay()('translations', 'read');
  const [typed, setTyped] = useState(value);
  const [picks, setPicks] = useState(false);
  const change = (next: string) => {
    setTyped(next);
    onChange?.(next);
  };
  return (
    <>
      <div className={mayRead ? 'with-action' : undefined}>
        <input className="input" autoComplete="off" dir="auto" {...props} value={typed} onChange={(event) => change(event.target.value)} />
        {mayRead && (
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={text.pickTranslation}
            title={text.pickTranslation}
            onClick={() => setPicks(true)}
          >
            <Icon name="globe" />
          </button>
        )}
      </div>
      {keyOf(typed) !== null && <p className="hint">{text.shownAs(translate(typed))}</p>}
      {picks && (
        <Suspense fallback={null}>
          <Translations picker={{ onPick: (key) => change(markKey(key)), onClose: () => setPicks(false) }} />
        </Suspense>
      )}
    </>
  );
}
