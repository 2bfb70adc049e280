// A value of a size that an interface would need seconds for: its beginning and its size, until somebody asks for the whole of it.

import { useMemo } from 'react';
import { sizeText } from '../displays/show-value.js';
import type { Field } from '../schema/model.js';
import { useLanguage } from '../text/use-text.js';

/** Characters that an interface takes without a pause. */
const most = 100_000;
const shown = 400;

/** The text of a value that is too large to be shown at once; null: it is not. */
export function useLargeText(value: unknown): string | null {
  return useMemo(() => {
    if (typeof value === 'string') return value.length > most ? value : null;
    if (typeof value !== 'object' || value === null) return null;
    const text = JSON.stringify(value);
    return text.length > most ? text : null;
  }, [value]);
}

interface LargeValueProps {
  readonly labelledBy: string;
  readonly field: Field;
  readonly text: string;
  readonly onLoad: () => void;
}

export function LargeValue({ labelledBy, field, text, onLoad }: LargeValueProps) {
  const language = useLanguage();
  const { text: words } = language;
  const blob = useMemo(() => new Blob([text]), [text]);
  const download = () => {
    const url = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = url;
    link.download = `${field.name}.${field.type === 'json' ? 'json' : 'txt'}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <fieldset className="large-value" aria-labelledby={labelledBy}>
      <p>{text.slice(0, shown)}…</p>
      <div>
        <span className="hint">{words.largeValue(sizeText(language, blob.size))}</span>
        <button type="button" className="button small" onClick={onLoad}>
          {words.loadValue}
        </button>
        <button type="button" className="button small" onClick={download}>
          {words.downloadValue}
        </button>
      </div>
    </fieldset>
  );
}
