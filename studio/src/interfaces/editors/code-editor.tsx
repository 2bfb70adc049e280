// CodeMirror, loaded when a form first shows code. It lives in a shadow root: there it adopts its styles, which the content policy would
// refuse as inline styles of the page.

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

export interface CodeEditorProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** The name of a language as metadata has it; an unknown one is plain text. */
  readonly language: string;
  readonly isReadOnly: boolean;
  readonly hasLineNumbers: boolean;
  readonly onChange: (text: string) => void;
}

const html = async () => (await import('@codemirror/lang-html')).html();
const languages: Readonly<Record<string, () => Promise<Extension>>> = {
  json: async () => (await import('@codemirror/lang-json')).json(),
  css: async () => (await import('@codemirror/lang-css')).css(),
  html,
  htmlmixed: html,
  xml: html,
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
  typescript: async () => (await import('@codemirror/lang-javascript')).javascript({ typescript: true }),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
};

/** Marks changes that the draft made, so that they are not reported to the draft again. */
const fromOutside = Annotation.define<boolean>();

const look = EditorView.theme({
  '&': { font: '13px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)', minHeight: '76px' },
  '.cm-scroller': { fontFamily: 'inherit', maxHeight: '60vh', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in oklab, var(--accent), transparent 94%)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent), transparent 75%)',
  },
  '.cm-line': { padding: '0 12px' },
  '.tok-keyword, .tok-bool, .tok-number, .tok-atom, .tok-null': { color: 'var(--amber)' },
  '.tok-string, .tok-url': { color: 'var(--green)' },
  '.tok-propertyName, .tok-typeName, .tok-link': { color: 'var(--accent-ink)' },
  '.tok-comment, .tok-meta': { color: 'var(--ink-3)' },
  '.tok-heading, .tok-strong': { fontWeight: '600' },
  '.tok-emphasis': { fontStyle: 'italic' },
});

export function CodeEditor({ id, label, value, language, isReadOnly, hasLineNumbers, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const access = useRef(new Compartment());
  const grammar = useRef(new Compartment());
  const latest = useRef(onChange);
  latest.current = onChange;
  const first = useRef({ value, isReadOnly });
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first.current.value,
        extensions: [
          ...(hasLineNumbers ? [lineNumbers()] : []),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          syntaxHighlighting(classHighlighter),
          grammar.current.of([]),
          // Tab indents; Escape first lets the keyboard leave the editor, as the manual of CodeMirror recommends.
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          look,
          EditorView.contentAttributes.of({ id, 'aria-label': label }),
          access.current.of(EditorState.readOnly.of(first.current.isReadOnly)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && update.transactions.some((each) => each.annotation(fromOutside) !== true))
              latest.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    // Colours come when the language is loaded; the text can be edited before.
    void languages[language]?.().then((loaded) => view.current === made && made.dispatch({ effects: grammar.current.reconfigure(loaded) }));
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [id, label, language, hasLineNumbers]);
  useEffect(() => {
    const shown = view.current;
    if (shown === null || shown.state.doc.toString() === value) return;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value }, annotations: fromOutside.of(true) });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: access.current.reconfigure(EditorState.readOnly.of(isReadOnly)) });
  }, [isReadOnly]);
  return <div ref={host} className="code-editor" />;
}
