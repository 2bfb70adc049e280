// A new collection with its fields. Nothing happens yet: it becomes cards on the desk.

import { type FormEvent, useId, useState } from 'react';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { useStudio } from '../studio-context.js';
import { addCards } from './desk/desk.js';
import { type NewField, planCollection } from './desk/plan-changes.js';
import { TypeSelect } from './fields/type-select.js';
import { NameInput, ReviewFoot, useModelText, useOpenDesk } from './model-base.js';

const blank: NewField = { name: '', type: 'string' };

export function NewCollectionDrawer({ onClose }: { readonly onClose: () => void }) {
  const text = useModelText();
  const { schema } = useStudio().boot;
  const openDesk = useOpenDesk();
  const id = useId();
  const [fields, setFields] = useState<readonly NewField[]>([blank, blank, blank, blank]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string): string => String(form.get(name)).trim();
    const named = fields.filter(({ name }) => name.trim() !== '').map((field) => ({ ...field, name: field.name.trim() }));
    addCards(planCollection(schema, text, { name: read('name'), note: read('note'), template: read('template'), fields: named }));
    onClose();
    openDesk();
  };
  return (
    <SideDrawer
      title={text.newCollection}
      isWide
      foot={<ReviewFoot form={`${id}-form`} hint={text.keyAdded} onClose={onClose} />}
      onClose={onClose}
    >
      <form id={`${id}-form`} className="model-form" onSubmit={submit}>
        <div>
          <label className="label" htmlFor={`${id}-name`}>
            {text.name}
          </label>
          <NameInput id={`${id}-name`} name="name" required aria-describedby={`${id}-name-hint`} />
          <p className="hint" id={`${id}-name-hint`}>
            {text.nameHint}
          </p>
        </div>
        <fieldset className="plain-set">
          <legend className="label">{text.fields}</legend>
          {fields.map((field, index) => {
            const change = (edits: Partial<NewField>) => setFields(fields.with(index, { ...field, ...edits }));
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a row
              <div key={index} className="new-field">
                <NameInput
                  aria-label={text.fieldName(index + 1)}
                  value={field.name}
                  onChange={(event) => change({ name: event.target.value })}
                />
                <TypeSelect label={text.fieldType(index + 1)} value={field.type} hasReferences onChange={(type) => change({ type })} />
              </div>
            );
          })}
          <button type="button" className="button quiet small" onClick={() => setFields([...fields, blank])}>
            <Icon name="plus" />
            {text.moreFields}
          </button>
        </fieldset>
        <div>
          <label className="label" htmlFor={`${id}-template`}>
            {text.template}
          </label>
          <input id={`${id}-template`} name="template" className="input" autoComplete="off" aria-describedby={`${id}-template-hint`} />
          <p className="hint" id={`${id}-template-hint`}>
            {text.templateHint}
          </p>
        </div>
        <div>
          <label className="label" htmlFor={`${id}-note`}>
            {text.note}
          </label>
          <input id={`${id}-note`} name="note" className="input" autoComplete="off" />
        </div>
      </form>
    </SideDrawer>
  );
}
