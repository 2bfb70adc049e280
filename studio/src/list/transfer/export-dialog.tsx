// Takes the items of a list out into a file that the service writes: everything the filter finds, or the whole collection.

import { type FormEvent, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { serviceUrl } from '../../api/service-url.js';
import type { Collection } from '../../schema/model.js';
import { itemsPath } from '../../studio-context.js';
import { useLanguage } from '../../text/use-text.js';
import { type Column, fieldsOf } from '../columns.js';
import { type ListState, narrowing, printSort } from '../list-state.js';

export interface ExportDialogProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly state: ListState;
  readonly count: number | undefined;
  readonly onClose: () => void;
}

const formats = ['csv', 'json', 'xml', 'yaml'] as const;

export function ExportDialog({ collection, columns, state, count, onClose }: ExportDialogProps) {
  const { text, number } = useLanguage();
  const [isEverything, setEverything] = useState(false);
  const isNarrowed = Object.keys(narrowing(state)).length > 0;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const narrowed = isEverything ? {} : narrowing(state);
    const url = exportUrl(collection, {
      ...narrowed,
      ...(form.get('fields') === 'shown' ? { fields: fieldsOf(collection, columns).join(',') } : {}),
      ...(state.sort.length === 0 ? {} : { sort: printSort(state.sort).join(',') }),
      export: String(form.get('format')),
    });
    download(url);
    onClose();
  };
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal>
        <Dialog className="dialog">
          <Heading slot="title" level={2}>
            {text.list.exportItems}
          </Heading>
          <form className="stack" onSubmit={submit}>
            <fieldset className="plain-set">
              <legend className="label">{text.list.format}</legend>
              <div className="choice-list">
                {formats.map((format, index) => (
                  <label key={format} className="switch radio">
                    <input type="radio" name="format" value={format} defaultChecked={index === 0} />
                    {format.toUpperCase()}
                  </label>
                ))}
              </div>
            </fieldset>
            {isNarrowed && (
              <fieldset className="plain-set">
                <legend className="label">{text.list.whichItems}</legend>
                <label className="switch radio">
                  <input type="radio" checked={!isEverything} onChange={() => setEverything(false)} />
                  {count === undefined ? text.list.foundItems : `${text.list.foundItems} (${number.format(count)})`}
                </label>
                <label className="switch radio">
                  <input type="radio" checked={isEverything} onChange={() => setEverything(true)} />
                  {text.list.everyItem}
                </label>
              </fieldset>
            )}
            <fieldset className="plain-set">
              <legend className="label">{text.columns}</legend>
              <label className="switch radio">
                <input type="radio" name="fields" value="shown" defaultChecked />
                {text.list.shownColumns}
              </label>
              <label className="switch radio">
                <input type="radio" name="fields" value="all" />
                {text.list.everyField}
              </label>
            </fieldset>
            <div className="dialog-actions">
              <button type="button" className="button" onClick={onClose}>
                {text.cancel}
              </button>
              <button type="submit" className="button primary">
                {text.list.download}
              </button>
            </div>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function exportUrl(collection: Collection, query: Readonly<Record<string, unknown>>): URL {
  const url = serviceUrl(itemsPath(collection));
  for (const [name, value] of Object.entries({ ...query, limit: -1 }))
    url.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return url;
}

/** The browser streams the file to disk: it is never in memory as a whole. */
function download(url: URL): void {
  const link = document.createElement('a');
  link.href = url.href;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
