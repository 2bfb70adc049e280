// Formatted text, stored as HTML. The editor understands what people write; markup that it would lose is edited as source instead, until the
// person decides otherwise.

import { lazy, Suspense, useState } from 'react';
import { plainText } from '../../schema/templates.js';
import { useText } from '../../text/use-text.js';
import type { InterfaceProps } from '../interface-props.js';

const RichTextEditor = lazy(async () => ({ default: (await import('./rich-text-editor.js')).RichTextEditor }));
const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.js')).CodeEditor }));

export function RichTextInput({ id, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  const text = useText();
  const [mode, setMode] = useState<'formatted' | 'source'>('formatted');
  const [isLossy, setLossy] = useState(false);
  const current = plainText(value);
  const change = (next: string) => onChange(next === '' && field.column?.nullable === true ? null : next);
  const isSource = mode === 'source' || isLossy;
  return (
    <div className="editor" data-refused={isRefused}>
      {isLossy && (
        <p className="banner quiet notice-inside">
          <span>{text.lossyHtml}</span>
          <button
            type="button"
            className="button small"
            onClick={() => {
              setLossy(false);
              setMode('formatted');
            }}
          >
            {text.editAnyway}
          </button>
        </p>
      )}
      <Suspense fallback={<textarea className="input" aria-label={field.title} value={current} readOnly rows={6} />}>
        {isSource ? (
          <>
            {!isLossy && (
              <div className="editor-bar">
                <button type="button" className="button quiet small" onClick={() => setMode('formatted')}>
                  {text.formatted}
                </button>
              </div>
            )}
            <CodeEditor
              id={id}
              label={field.title}
              value={current}
              language="html"
              isReadOnly={isReadOnly}
              hasLineNumbers={false}
              onChange={change}
            />
          </>
        ) : (
          <RichTextEditor
            id={id}
            label={field.title}
            value={current}
            isReadOnly={isReadOnly}
            onChange={change}
            onLoss={() => setLossy(true)}
            onSource={() => setMode('source')}
          />
        )}
      </Suspense>
    </div>
  );
}
