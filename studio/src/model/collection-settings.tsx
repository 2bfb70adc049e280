// How a collection is shown and used; and the way to delete it, which becomes a card like any other change.

import { type FormEvent, useId } from 'react';
import { SideDrawer } from '../primitives/side-drawer.js';
import type { Collection } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';
import { TextInput } from '../translations/text-input.js';
import { addCards } from './desk/desk.js';
import { Check, Labelled } from './fields/field-parts.js';
import { NamesPart } from './fields/names-part.js';
import { useModelText, useOpenDesk } from './model-base.js';

/** Types that a place among others can have. */
const numeric = new Set(['integer', 'bigInteger', 'float', 'decimal']);

export function CollectionSettings({ collection, onClose }: { readonly collection: Collection; readonly onClose: () => void }) {
  const text = useModelText();
  const general = useText();
  const openDesk = useOpenDesk();
  const id = useId();
  const { name, archive, stored } = collection;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (member: string): string | null => String(form.get(member) ?? '').trim() || null;
    const names = read('translations');
    const meta = {
      display_template: read('display_template'),
      note: read('note'),
      translations: names === null ? null : (JSON.parse(names) as unknown),
      sort_field: read('sort_field'),
      versioning: form.get('versioning') !== null,
      singleton: form.get('singleton') !== null,
      hidden: form.get('hidden') !== null,
      archive_field: read('archive_field'),
      archive_value: read('archive_value'),
      unarchive_value: read('unarchive_value'),
    };
    const data = { meta, ...keyOf(collection, form) };
    addCards([{ title: text.titles.updateCollection(name), change: { change: 'update_collection', collection: name, data } }]);
    onClose();
    openDesk();
  };
  const remove = () => {
    addCards([{ title: text.titles.deleteCollection(name), change: { change: 'delete_collection', collection: name } }]);
    onClose();
    openDesk();
  };
  const foot = (
    <>
      <button type="button" className="button danger at-start" onClick={remove}>
        {text.deleteCollection}
      </button>
      <button type="button" className="button" onClick={onClose}>
        {general.cancel}
      </button>
      <button type="submit" form={`${id}-form`} className="button primary">
        {text.review}
      </button>
    </>
  );
  return (
    <SideDrawer title={`${collection.title}: ${text.settings}`} foot={foot} onClose={onClose}>
      <form id={`${id}-form`} className="model-form" onSubmit={submit}>
        <NamesPart stored={stored} />
        <Labelled title={text.template} hint={text.templateHint}>
          {(inputId) => (
            <input
              id={inputId}
              name="display_template"
              className="input"
              autoComplete="off"
              defaultValue={collection.displayTemplate ?? ''}
              aria-describedby={`${inputId}-hint`}
            />
          )}
        </Labelled>
        <Labelled title={text.note}>{(inputId) => <TextInput id={inputId} name="note" value={plainText(stored?.['note'])} />}</Labelled>
        <div>
          <Check name="singleton" title={text.singleton} isOn={collection.singleton} />
          <Check name="hidden" title={text.hidden} isOn={collection.hidden} />
          <Check name="versioning" title={text.versioning} isOn={collection.versioning} />
        </div>
        {(['sort_field', 'archive_field'] as const).map((member) => (
          <Labelled key={member} title={member === 'sort_field' ? text.sortField : text.archiveField}>
            {(inputId) => (
              <select id={inputId} name={member} className="input" defaultValue={plainText(stored?.[member])}>
                <option value="">{text.none}</option>
                {collection.fields
                  .filter(({ column, isKey, type }) => column !== null && (member === 'archive_field' || (!isKey && numeric.has(type))))
                  .map((field) => (
                    <option key={field.name} value={field.name}>
                      {field.title}
                    </option>
                  ))}
              </select>
            )}
          </Labelled>
        ))}
        {collection.namesKey && <KeyPart collection={collection} />}
        <div className="pair">
          {(['archive_value', 'unarchive_value'] as const).map((member) => (
            <div key={member}>
              <label className="label" htmlFor={`${id}-${member}`}>
                {member === 'archive_value' ? text.archiveValue : text.unarchiveValue}
              </label>
              <input
                id={`${id}-${member}`}
                name={member}
                className="input"
                autoComplete="off"
                defaultValue={plainText(member === 'archive_value' ? archive?.value : archive?.unarchiveValue)}
              />
            </div>
          ))}
        </div>
      </form>
    </SideDrawer>
  );
}

const keyOf = ({ namesKey }: Collection, form: FormData): object =>
  namesKey ? { schema: { primary_key: form.getAll('primary_key') } } : {};

/** A view or a table without a key is written once somebody says which fields tell its items apart. */
function KeyPart({ collection }: { readonly collection: Collection }) {
  const text = useModelText();
  const id = useId();
  return (
    <fieldset className="plain-set" aria-describedby={`${id}-hint`}>
      <legend className="label">{text.namedKey}</legend>
      <p id={`${id}-hint`} className="hint">
        {text.namedKeyHint}
      </p>
      {collection.fields
        .filter(({ column }) => column !== null)
        .map(({ name, title, isKey }) => (
          <Check key={name} name="primary_key" value={name} title={title} isOn={isKey} />
        ))}
    </fieldset>
  );
}
