// A key and its texts, one for each language. It is deleted here as well.

import { useId, useState } from 'react';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import { type TranslatedKey, useLanguageName, useOfferedLanguages, useStoreTexts, useTranslationsText } from './translations-data.js';

interface TranslationDialogProps {
  /** Null: a new one. */
  readonly translation: TranslatedKey | null;
  /** Those that other keys have texts in. */
  readonly languages: readonly string[];
  /** What a new one begins with. */
  readonly initial?: string;
  readonly onSaved?: (key: string) => void;
  readonly onClose: () => void;
}

export function TranslationDialog({ translation, languages, initial = '', onSaved, onClose }: TranslationDialogProps) {
  const text = useTranslationsText();
  const { unreachable } = useText();
  const store = useStoreTexts();
  const id = useId();
  const [asks, setAsks] = useState(false);
  const [added, setAdded] = useState<readonly string[]>([]);
  const offered = useOfferedLanguages([...languages, ...added]);
  const save = async (form: FormData) => {
    const key = String(form.get('key')).trim();
    await store(translation, key, new Map(offered.map((language) => [language, String(form.get(`text ${language}`) ?? '').trim()])));
    showToast(text.saved);
    onSaved?.(key);
  };
  const remove = async () => {
    try {
      await store(translation, translation?.key ?? '', new Map());
      showToast(text.deleted);
    } catch (error) {
      showToast(error instanceof Error ? error.message : unreachable);
    }
    onClose();
  };
  if (asks && translation !== null)
    return (
      <ConfirmDialog
        title={text.deleteAsk(translation.key)}
        hint={text.deleteHint(translation.rows.size)}
        action={text.delete}
        onConfirm={() => void remove()}
        onCancel={() => setAsks(false)}
      />
    );
  const aside = translation !== null && (
    <button type="button" className="button danger at-start" onClick={() => setAsks(true)}>
      {text.delete}
    </button>
  );
  return (
    <FormDialog
      title={translation === null ? text.add : text.edit(translation.key)}
      action={text.save}
      aside={aside}
      onSubmit={save}
      onClose={onClose}
    >
      <div>
        <label className="label" htmlFor={`${id}-key`}>
          {text.key}
        </label>
        <input
          id={`${id}-key`}
          name="key"
          className="input"
          required
          maxLength={255}
          autoComplete="off"
          dir="ltr"
          defaultValue={translation?.key ?? initial}
          aria-describedby={`${id}-hint`}
        />
        <p className="hint" id={`${id}-hint`}>
          {text.keyHint}
        </p>
      </div>
      <Texts translation={translation} languages={offered} />
      <AnotherLanguage onAdd={(language) => setAdded([...added, language])} />
    </FormDialog>
  );
}

function Texts({ translation, languages }: Pick<TranslationDialogProps, 'translation' | 'languages'>) {
  const nameOf = useLanguageName();
  const id = useId();
  return languages.map((language) => (
    <div key={language}>
      <label className="label" htmlFor={`${id}-${language}`}>
        {nameOf(language)} <code className="mark">{language}</code>
      </label>
      <textarea
        id={`${id}-${language}`}
        name={`text ${language}`}
        className="input translation-text"
        rows={1}
        lang={language}
        dir="auto"
        defaultValue={translation?.rows.get(language)?.value ?? ''}
      />
    </div>
  ));
}

const tagPattern = '[A-Za-z]{2,3}(?:[\\-_][A-Za-z0-9]{2,8})*';

function AnotherLanguage({ onAdd }: { readonly onAdd: (language: string) => void }) {
  const text = useTranslationsText();
  const id = useId();
  const [tag, setTag] = useState('');
  const isTag = new RegExp(`^${tagPattern}$`).test(tag);
  const add = () => {
    if (!isTag) return;
    onAdd(tag);
    setTag('');
  };
  return (
    <div>
      <label className="label" htmlFor={id}>
        {text.another}
      </label>
      <div className="translation-add">
        <input
          id={id}
          className="input"
          autoComplete="off"
          dir="ltr"
          pattern={tagPattern}
          maxLength={35}
          value={tag}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTag(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <button type="button" className="button" disabled={!isTag} onClick={add}>
          {text.addLanguage}
        </button>
      </div>
      <p className="hint" id={`${id}-hint`}>
        {text.anotherHint}
      </p>
    </div>
  );
}
