// Code and JSON. JSON is edited as text; while it does not parse, the draft keeps the text. Until the editor is loaded, and for people who
// print or have no JavaScript for it, the text is in a plain field.

import { lazy, Suspense } from 'react';
import { plainText } from '../../schema/templates.js';
import { isTyped } from '../../schema/typed.js';
import { printJson, readJson } from '../../values/read-json.js';
import { readText } from '../../values/read-value.js';
import { useTyped } from '../../values/use-typed.js';
import type { InterfaceProps } from '../interface-props.js';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.js')).CodeEditor }));

export function CodeInput(props: InterfaceProps) {
  const { id, field, value, isReadOnly, isRefused, onChange } = props;
  const isJson = field.type === 'json' || field.type.startsWith('geometry');
  const typed = useTyped(value, isJson ? printJson : plainText, isJson ? readJson : (text) => readText(field, text), onChange);
  return (
    <div className="editor" data-refused={isRefused || isTyped(value)}>
      <Suspense fallback={<textarea className="input code" aria-label={field.title} value={typed.text} readOnly rows={6} />}>
        <CodeEditor
          id={id}
          label={field.title}
          value={typed.text}
          language={isJson ? 'json' : plainText(field.options['language'])}
          isReadOnly={isReadOnly}
          hasLineNumbers={field.options['lineNumber'] !== false}
          onChange={typed.change}
        />
      </Suspense>
    </div>
  );
}
