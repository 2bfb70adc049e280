// Tiptap, loaded when a form first shows formatted text, with a bar of what can be done to the selection.

import { Editor } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { StarterKit } from '@tiptap/starter-kit';
import { type FormEvent, useEffect, useReducer, useRef, useState } from 'react';
import { serviceUrl } from '../../api/service-url.js';
import { viewedAs } from '../../api/view-as.js';
import { plainText } from '../../schema/templates.js';
import type { Messages } from '../../text/messages.js';
import { useText } from '../../text/use-text.js';
import { LazyFilePicker } from '../lazy-file-picker.js';

interface RichTextEditorProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly onChange: (html: string) => void;
  /** The editor would lose a part of the text. */
  readonly onLoss: () => void;
  readonly onSource: () => void;
}

const kit = StarterKit.configure({
  // Would add an empty paragraph to every text.
  trailingNode: false,
  link: { openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null } },
});

/** While viewing as another user, the browser would show the pictures that the administrator may see. */
const PictureName = Image.extend({
  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement('span');
      dom.textContent = plainText(node.attrs['alt']) || plainText(node.attrs['src']);
      return { dom };
    };
  },
});

export function RichTextEditor({ id, label, value, isReadOnly, onChange, onLoss, onSource }: RichTextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const latest = useRef({ value, onChange, onLoss });
  latest.current = { value, onChange, onLoss };
  useEffect(() => {
    const { value: before } = latest.current;
    const made = new Editor({
      element: place.current,
      extensions: [kit, viewedAs() === null ? Image : PictureName],
      injectCSS: false,
      content: withoutScripts(before),
      editorProps: { attributes: { id, role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, class: 'prose' } },
      onUpdate: ({ editor: now }) => latest.current.onChange(htmlOf(now)),
    });
    if (losesHtml(before, made.getHTML())) latest.current.onLoss();
    setEditor(made);
    return () => made.destroy();
  }, [id, label]);
  useEffect(() => {
    editor?.setEditable(!isReadOnly, false);
  }, [editor, isReadOnly]);
  // The draft may change from outside: discarded, merged, restored.
  useEffect(() => {
    if (editor !== null && value !== htmlOf(editor) && !editor.isFocused)
      editor.commands.setContent(withoutScripts(value), { emitUpdate: false });
  }, [editor, value]);
  return (
    <>
      {editor !== null && !isReadOnly && <Toolbar editor={editor} label={label} onSource={onSource} />}
      <div ref={place} className="rich-text" />
    </>
  );
}

const htmlOf = (editor: Editor): string => (editor.isEmpty ? '' : editor.getHTML());

interface Tool {
  readonly sign: string;
  readonly name: keyof Messages['tools'];
  readonly active: string | readonly [string, object];
  readonly run: (editor: Editor) => void;
}

const tools: readonly Tool[] = [
  { sign: 'B', name: 'bold', active: 'bold', run: (editor) => editor.chain().focus().toggleBold().run() },
  { sign: 'I', name: 'italic', active: 'italic', run: (editor) => editor.chain().focus().toggleItalic().run() },
  { sign: 'U', name: 'underline', active: 'underline', run: (editor) => editor.chain().focus().toggleUnderline().run() },
  { sign: 'S', name: 'strike', active: 'strike', run: (editor) => editor.chain().focus().toggleStrike().run() },
  ...([1, 2, 3] as const).map(
    (level): Tool => ({
      sign: `H${level}`,
      name: `heading${level}`,
      active: ['heading', { level }],
      run: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
    }),
  ),
  { sign: '•', name: 'bullets', active: 'bulletList', run: (editor) => editor.chain().focus().toggleBulletList().run() },
  { sign: '1.', name: 'numbers', active: 'orderedList', run: (editor) => editor.chain().focus().toggleOrderedList().run() },
  { sign: '❝', name: 'quote', active: 'blockquote', run: (editor) => editor.chain().focus().toggleBlockquote().run() },
  { sign: '{ }', name: 'code', active: 'codeBlock', run: (editor) => editor.chain().focus().toggleCodeBlock().run() },
  { sign: '—', name: 'rule', active: 'horizontalRule', run: (editor) => editor.chain().focus().setHorizontalRule().run() },
];

function Toolbar({ editor, label, onSource }: { readonly editor: Editor; readonly label: string; readonly onSource: () => void }) {
  const text = useText();
  const [open, setOpen] = useState<'link' | 'picture' | null>(null);
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    editor.on('transaction', refresh);
    return () => {
      editor.off('transaction', refresh);
    };
  }, [editor]);
  const isOn = ({ active }: Tool): boolean => (typeof active === 'string' ? editor.isActive(active) : editor.isActive(...active));
  return (
    <div className="editor-bar" role="toolbar" aria-label={text.toolsOf(label)}>
      {tools.map((tool) => (
        <button
          key={tool.name}
          type="button"
          className={`tool tool-${tool.name}`}
          aria-label={text.tools[tool.name]}
          title={text.tools[tool.name]}
          aria-pressed={isOn(tool)}
          data-sign={tool.sign}
          onClick={() => tool.run(editor)}
        />
      ))}
      <button type="button" className="tool" aria-pressed={editor.isActive('link')} onClick={() => setOpen('link')}>
        {text.tools.link}
      </button>
      <button type="button" className="tool" onClick={() => setOpen('picture')}>
        {text.tools.picture}
      </button>
      <button type="button" className="tool" onClick={onSource}>
        {text.tools.source}
      </button>
      {open === 'link' && <LinkForm editor={editor} onClose={() => setOpen(null)} />}
      {open === 'picture' && (
        <LazyFilePicker
          mode="single"
          picturesOnly
          onPick={([file]) => {
            const { pathname } = serviceUrl(`/assets/${plainText(file?.id)}`);
            editor
              .chain()
              .focus()
              .setImage({ src: pathname, alt: plainText(file?.title) })
              .run();
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

/** The address of the selected text; an empty one removes the link. */
function LinkForm({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) {
  const text = useText();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The form of the item must not take this for its own.
    event.stopPropagation();
    const href = String(new FormData(event.currentTarget).get('href')).trim();
    const chain = editor.chain().focus().extendMarkRange('link');
    if (href === '') chain.unsetLink().run();
    else chain.setLink({ href }).run();
    onClose();
  };
  return (
    <form className="link-form" onSubmit={submit}>
      <input
        className="input"
        name="href"
        aria-label={text.tools.address}
        placeholder="https://"
        defaultValue={plainText(editor.getAttributes('link')['href'])}
        ref={(input) => input?.focus()}
      />
      <button type="submit" className="button small">
        {text.apply}
      </button>
      <button type="button" className="button quiet small" onClick={onClose}>
        {text.cancel}
      </button>
    </form>
  );
}

/** Stored markup without what could run. It is read in a document of its own, where nothing runs and nothing is loaded. */
function withoutScripts(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll('*')) {
    if (running.has(element.localName)) element.remove();
    for (const { name, value } of [...element.attributes])
      if (name.startsWith('on') || /^\s*javascript:/i.test(value)) element.removeAttribute(name);
  }
  return body.innerHTML;
}

const running = new Set(['script', 'iframe', 'object', 'embed', 'style', 'link', 'meta', 'base', 'svg', 'math', 'template']);

const neutral = new Set(['html', 'head', 'body', 'div', 'span', 'br', 'tbody']);
const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', strike: 's', del: 's' };

/** Whether `after`, which the editor made of `before`, lacks an element, an attribute or a text. */
function losesHtml(before: string, after: string): boolean {
  const [had, has] = [factsOf(before), factsOf(after)];
  return [...had].some(([fact, count]) => (has.get(fact) ?? 0) < count);
}

/** How often each element, attribute and piece of text occurs. */
function factsOf(text: string): ReadonlyMap<string, number> {
  const facts = new Map<string, number>();
  const add = (fact: string) => facts.set(fact, (facts.get(fact) ?? 0) + 1);
  const { body } = new DOMParser().parseFromString(text, 'text/html');
  for (const element of body.querySelectorAll('*')) {
    const tag = sameAs[element.localName] ?? element.localName;
    if (!neutral.has(tag)) add(tag);
    for (const { name, value } of element.attributes) add(`${tag} ${name}=${value}`);
  }
  add(`text ${(body.textContent ?? '').replaceAll(/\s+/g, '')}`);
  return facts;
}
