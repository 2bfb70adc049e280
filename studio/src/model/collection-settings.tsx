// How a collection is shown and used; and the way to delete it, which becomes a card like any other change.

import { type FormEvent, useId } from 'react';
import { SideDrawer } from '../primitives/side-drawer.js';
import type { Collection } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';
import { addCards } from './desk.js';
import { Check } from './field-parts.js';
import { useModelText, useOpenDesk } from './model-base.js';

export function CollectionSettings({ collection, onClose }: { readonly collection: Collection; readonly onClose: () => void }) {
  const text = useModelText();
  const general = useText();
  const openDesk = useOpenDesk();
  const id = useId();
  const { name, archive } = collection;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (member: string): string | null => String(form.get(member) ?? '').trim() || null;
    const meta = {
      display_template: read('display_template'),
      note: read('note'),
      singleton: form.get('singleton') !== null,
      hidden: form.get('hidden') !== null,
      archive_field: read('archive_field'),
      archive_value: read('archive_value'),
      unarchive_value: read('unarchive_value'),
    };
    addCards([{ title: text.titles.updateCollection(name), change: { change: 'update_collection', collection: name, data: { meta } } }]);
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
  const texts = [
    ['display_template', text.template, collection.displayTemplate],
    ['note', text.note, collection.note],
  ] as const;
  return (
    <SideDrawer title={`${collection.title}: ${text.settings}`} foot={foot} onClose={onClose}>
      <form id={`${id}-form`} className="model-form" onSubmit={submit}>
        {texts.map(([member, title, value]) => (
          <div key={member}>
            <label className="label" htmlFor={`${id}-${member}`}>
              {title}
            </label>
            <input id={`${id}-${member}`} name={member} className="input" autoComplete="off" defaultValue={value ?? ''} />
            {member === 'display_template' && <p className="hint">{text.templateHint}</p>}
          </div>
        ))}
        <div>
          <Check name="singleton" title={text.singleton} isOn={collection.singleton} />
          <Check name="hidden" title={text.hidden} isOn={collection.hidden} />
        </div>
        <div>
          <label className="label" htmlFor={`${id}-archive`}>
            {text.archiveField}
          </label>
          <select id={`${id}-archive`} name="archive_field" className="input" defaultValue={archive?.field ?? ''}>
            <option value="">{text.none}</option>
            {collection.fields
              .filter(({ column }) => column !== null)
              .map((field) => (
                <option key={field.name} value={field.name}>
                  {field.title}
                </option>
              ))}
          </select>
        </div>
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
