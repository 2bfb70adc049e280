// Chooses the key of a translated text for a place where a text is written, or makes a new one.

import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import { markKey } from '../schema/translations.js';
import { useMay, useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { TranslationDialog } from './translation-dialog.js';
import { matching, useTranslations, useTranslationsText } from './translations-data.js';
import './translations.css';

export interface PickerProps {
  readonly onPick: (key: string) => void;
  readonly onClose: () => void;
}

/** More are found by typing. */
const mostShown = 50;

export function TranslationPicker({ onPick, onClose }: PickerProps) {
  const text = useTranslationsText();
  const { cancel, loading } = useText();
  const { translate } = useStudio().boot;
  const may = useMay();
  const { data, error } = useTranslations();
  const [searchText, setSearchText] = useState('');
  const [isNew, setNew] = useState(false);
  const pick = (key: string) => {
    onPick(key);
    onClose();
  };
  if (isNew)
    return (
      <TranslationDialog
        translation={null}
        languages={data?.languages ?? []}
        initial={searchText.trim()}
        onSaved={onPick}
        onClose={onClose}
      />
    );
  const found = data === undefined ? [] : matching(data, searchText).slice(0, mostShown);
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal>
        <Dialog className="dialog">
          <Heading slot="title" level={2}>
            {text.pick}
          </Heading>
          <div className="stack">
            <input
              className="input"
              type="search"
              autoFocus
              placeholder={text.find}
              aria-label={text.find}
              value={searchText}
              onChange={(event) => setSearchText(event.target.value)}
            />
            {error !== null && (
              <p className="refusal" role="alert">
                {text.failed} {error.message}
              </p>
            )}
            <ul className="translation-keys">
              {found.map(({ key }) => (
                <li key={key}>
                  <button type="button" aria-label={text.use(key)} onClick={() => pick(key)}>
                    <span>{translate(markKey(key))}</span>
                    <code className="hint">{key}</code>
                  </button>
                </li>
              ))}
            </ul>
            {found.length === 0 && error === null && <p className="hint">{data === undefined ? loading : text.nothingFound}</p>}
            <div className="dialog-actions">
              {may('translations', 'create') && (
                <button type="button" className="button at-start" onClick={() => setNew(true)}>
                  <Icon name="plus" />
                  {text.add}
                </button>
              )}
              <button type="button" className="button" onClick={onClose}>
                {cancel}
              </button>
            </div>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
