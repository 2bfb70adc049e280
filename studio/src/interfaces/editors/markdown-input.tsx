// Markdown: the text with its marks, and a preview of what becomes of it.

import { lazy, Suspense, useState } from 'react';
import { plainText } from '../../schema/templates.js';
import { useText } from '../../text/use-text.js';
import type { InterfaceProps } from '../interface-props.js';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.js')).CodeEditor }));
const MarkdownPreview = lazy(async () => ({ default: (await import('./markdown-preview.js')).MarkdownPreview }));

export function MarkdownInput({ id, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  const text = useText();
  const [isPreview, setPreview] = useState(false);
  const current = plainText(value);
  return (
    <div className="editor" data-refused={isRefused}>
      <div className="editor-bar">
        <button type="button" className="button quiet small" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          {text.preview}
        </button>
      </div>
      <Suspense fallback={<textarea className="input" aria-label={field.title} value={current} readOnly rows={6} />}>
        {isPreview ? (
          <MarkdownPreview text={current} />
        ) : (
          <CodeEditor
            id={id}
            label={field.title}
            value={current}
            language="markdown"
            isReadOnly={isReadOnly}
            hasLineNumbers={false}
            onChange={(next) => onChange(next === '' && field.column?.nullable === true ? null : next)}
          />
        )}
      </Suspense>
    </div>
  );
}
