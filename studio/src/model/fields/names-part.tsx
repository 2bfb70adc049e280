// The name of a field or a collection in several languages, as metadata stores them. The form sends them as JSON.

import { useState } from 'react';
import { Icon } from '../../primitives/icon.js';
import { useStudio } from '../../studio-context.js';
import { useLanguage } from '../../text/use-text.js';
import { TextInput } from '../../translations/text-input.js';
import { useModelText } from '../model-base.js';
import type { Values } from './field-changes.js';

interface Name {
  /** Tells apart what has no language yet. */
  readonly id: number;
  readonly language: string;
  readonly translation: string;
  /** As it was stored. */
  readonly stored: Values;
}

export function NamesPart({ stored }: { readonly stored: Values | null }) {
  const text = useModelText();
  const { tag } = useLanguage();
  const { project } = useStudio().boot;
  const [names, setNames] = useState(() => namesIn(stored?.['translations']));
  const change = (id: number, edits: Partial<Name>) => setNames(names.map((each) => (each.id === id ? { ...each, ...edits } : each)));
  const add = () => {
    const free = [tag, project.default_language ?? tag].find((each) => !names.some(({ language }) => language === each)) ?? '';
    setNames([...names, { id: Math.max(0, ...names.map(({ id }) => id)) + 1, language: free, translation: '', stored: {} }]);
  };
  const written = names
    .filter(({ language, translation }) => language.trim() !== '' && translation.trim() !== '')
    .map((each) => ({ ...each.stored, language: each.language.trim(), translation: each.translation.trim() }));
  return (
    <fieldset className="plain-set names-part">
      <legend className="label">{text.names}</legend>
      <input type="hidden" name="translations" value={written.length === 0 ? '' : JSON.stringify(written)} />
      {names.map(({ id, language, translation }, index) => (
        <div key={id} className="name-row">
          <input
            className="input"
            aria-label={text.nameLanguage(index + 1)}
            autoComplete="off"
            dir="ltr"
            maxLength={35}
            value={language}
            onChange={(event) => change(id, { language: event.target.value })}
          />
          <div>
            <TextInput
              aria-label={text.nameText(index + 1)}
              value={translation}
              onChange={(next) => setNames((present) => present.map((each) => (each.id === id ? { ...each, translation: next } : each)))}
            />
          </div>
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={text.removeName(index + 1)}
            onClick={() => setNames(names.filter((each) => each.id !== id))}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <div>
        <button type="button" className="button quiet small" onClick={add}>
          <Icon name="plus" />
          {text.addName}
        </button>
      </div>
    </fieldset>
  );
}

const namesIn = (value: unknown): readonly Name[] =>
  (Array.isArray(value) ? (value as readonly Values[]) : []).map((stored, id) => ({
    id,
    language: String(stored['language'] ?? ''),
    translation: String(stored['translation'] ?? ''),
    stored,
  }));
