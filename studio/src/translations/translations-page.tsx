// The texts that the project keeps in several languages: keys down, languages across.

import { useState } from 'react';
import { Crumb, PageHead } from '../frame/page-head.js';
import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';
import { TranslationDialog } from './translation-dialog.js';
import {
  matching,
  type TranslatedKey,
  type Translations,
  translationsRequest,
  useLanguageName,
  useTranslations,
  useTranslationsText,
} from './translations-data.js';
import './translations.css';
import { FailedRead } from '../primitives/failed-read.js';

/** More rows than these are shown when asked for. */
const pageSize = 100;

export function TranslationsPage() {
  const text = useTranslationsText();
  const { translations, settings, loading } = useText();
  const { data, error } = useTranslations();
  const [searchText, setSearchText] = useState('');
  const [edited, setEdited] = useState<TranslatedKey | 'new' | null>(null);
  const found = data === undefined ? [] : matching(data, searchText);
  const title = (
    <>
      <Crumb href="/settings" title={settings} />
      {translations}
    </>
  );
  return (
    <>
      <PageHead title={title} request={translationsRequest}>
        <button
          type="button"
          className="button primary"
          aria-label={text.add}
          disabled={data === undefined}
          onClick={() => setEdited('new')}
        >
          <Icon name="plus" />
          <span className="wide-label">{text.add}</span>
        </button>
      </PageHead>
      {data !== undefined && data.keys.length > 0 && (
        <div className="toolbar">
          <input
            className="input search"
            type="search"
            placeholder={text.find}
            aria-label={text.find}
            value={searchText}
            onChange={(event) => setSearchText(event.target.value)}
          />
        </div>
      )}
      <div className="scroll">
        <FailedRead what={text.failed} error={error} />
        {data === undefined && error === null && <p className="hint translations-hint">{loading}</p>}
        {data?.keys.length === 0 && (
          <div className="empty">
            <h2>{text.none}</h2>
            <p>{text.noneHint}</p>
            <p>{text.hint}</p>
          </div>
        )}
        {data !== undefined && data.keys.length > 0 && (
          <>
            <p className="hint translations-hint">{found.length === 0 ? text.nothingFound : text.hint}</p>
            {found.length > 0 && <KeyTable {...data} key={searchText} keys={found} onEdit={setEdited} />}
          </>
        )}
      </div>
      {edited !== null && data !== undefined && (
        <TranslationDialog translation={edited === 'new' ? null : edited} languages={data.languages} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

function KeyTable({ keys, languages, onEdit }: Translations & { readonly onEdit: (translation: TranslatedKey) => void }) {
  const text = useTranslationsText();
  const { translations } = useText();
  const nameOf = useLanguageName();
  const [shown, setShown] = useState(pageSize);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <section className="translations-frame" aria-label={translations} tabIndex={0}>
        <table className="translations" aria-label={translations}>
          <thead>
            <tr>
              <th scope="col">{text.key}</th>
              {languages.map((language) => (
                <th key={language} scope="col">
                  {nameOf(language)} <code className="hint">{language}</code>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keys.slice(0, shown).map((translation) => (
              <tr key={translation.key}>
                <th scope="row">
                  <button
                    type="button"
                    className="row-title"
                    dir="ltr"
                    aria-label={text.edit(translation.key)}
                    title={translation.key}
                    onClick={() => onEdit(translation)}
                  >
                    {translation.key}
                  </button>
                </th>
                {languages.map((language) => (
                  <td key={language} data-language={nameOf(language)} lang={language} dir="auto">
                    {translation.rows.get(language)?.value ?? <span className="hint">{text.missing}</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {keys.length > shown && (
        <p className="translations-hint">
          <button type="button" className="button" onClick={() => setShown(shown + pageSize)}>
            {text.more}
          </button>
        </p>
      )}
    </>
  );
}
