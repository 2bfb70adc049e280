// Code and JSON. JSON is edited as text; the draft takes it when it parses. Until the editor is loaded, and for people who print or have no
// JavaScript for it, the text is in a plain field.

import { lazy, Suspense, useState } from 'react';
import { plainText } from '../../schema/templates.js';
import { useText } from '../../text/use-text.js';
import type { InterfaceProps } from '../interface-props.js';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.js')).CodeEditor }));

export function CodeInput(props: InterfaceProps) {
  const text = useText();
  const { id, field, value, isReadOnly, isRefused, onChange } = props;
  const isJson = field.type === 'json' || field.type.startsWith('geometry');
  const printed = isJson && value !== null && value !== undefined ? JSON.stringify(value, null, 2) : plainText(value);
  const [typed, setTyped] = useState<string | null>(null);
  const change = (next: string) => {
    if (!isJson) return onChange(next === '' ? null : next);
    const parsed = parseJson(next);
    setTyped(next);
    if (parsed !== undefined) onChange(parsed.value);
  };
  // What was typed counts as long as it says what the draft holds: a discarded draft shows the stored value again.
  const parsedTyped = typed === null ? undefined : parseJson(typed);
  const isBroken = typed !== null && parsedTyped === undefined;
  const isCurrent = isBroken || (parsedTyped !== undefined && JSON.stringify(parsedTyped.value) === JSON.stringify(value ?? null));
  const shown = typed !== null && isCurrent ? typed : printed;
  return (
    <div className="editor" data-refused={isBroken || isRefused}>
      <Suspense fallback={<textarea className="input code" aria-label={field.title} value={shown} readOnly rows={6} />}>
        <CodeEditor
          id={id}
          label={field.title}
          value={shown}
          language={isJson ? 'json' : plainText(field.options['language'])}
          isReadOnly={isReadOnly}
          hasLineNumbers={field.options['lineNumber'] !== false}
          onChange={change}
        />
      </Suspense>
      {isBroken && (
        <p className="refusal" role="alert">
          {text.invalidJson}
        </p>
      )}
    </div>
  );
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
