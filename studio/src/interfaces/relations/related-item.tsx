// Many-to-one: an item found by typing, or a new or changed one that is saved together with the item that refers to it.

import { useState } from 'react';
import { useTitle } from '../../displays/use-title.js';
import type { Item } from '../../draft/item.js';
import { refusalsBelow } from '../../draft/refusals.js';
import { entryValues, isStagedEntry, type StagedEntry } from '../../draft/staged.js';
import { Icon } from '../../primitives/icon.js';
import type { Collection } from '../../schema/model.js';
import { plainText, renderTemplate, templateFor } from '../../schema/templates.js';
import { useMay, useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import type { InterfaceProps } from '../interface-props.js';
import { ItemPicker, keptText } from './item-picker.js';
import { RelatedDrawer } from './related-forms.js';

export function RelatedItem(props: InterfaceProps) {
  const { schema } = useStudio().boot;
  const { relation } = props.field;
  const related = relation?.kind === 'm2o' ? schema.get(relation.related) : undefined;
  if (related === undefined || related.key === null) {
    const { id, value, isReadOnly, onChange } = props;
    return (
      <input
        id={id}
        className="input"
        value={plainText(value)}
        readOnly={isReadOnly}
        onChange={(event) => onChange(event.target.value || null)}
      />
    );
  }
  return <Reference {...props} related={related} relatedKey={related.key} />;
}

function Reference(props: InterfaceProps & { readonly related: Collection; readonly relatedKey: string }) {
  const text = useText();
  const may = useMay();
  const { field, stored, related, relatedKey, isReadOnly, refusals, onChange } = props;
  const { value, kept } = keptText(props, null);
  const [isOpen, setOpen] = useState(false);
  const entry = referenceOf(value, relatedKey);
  const template = templateFor(related, field.options['template']);
  const looked = useTitle(related, relatedKey, template, typeof value === 'object' ? null : value);
  const title = entry === null ? '' : renderTemplate(template, entryValues(entry)) || looked || plainText(entry.key) || text.unnamed;
  const isNew = entry !== null && entry.key === null;
  const create = () => {
    onChange(newReference);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    if (isStagedEntry(value) && value.key === null && Object.keys(value.edits).length === 0) onChange(stored ?? null);
  };
  return (
    <>
      <div className="reference">
        {isNew ? (
          <NewReference
            id={props.id}
            labelledBy={props.labelledBy}
            title={title}
            onOpen={() => setOpen(true)}
            onClear={() => onChange(stored ?? null)}
          />
        ) : (
          <ItemPicker
            id={props.id}
            label={{ 'aria-labelledby': props.labelledBy }}
            describedBy={props.describedBy}
            placeholder={text.choose}
            related={related}
            relatedKey={relatedKey}
            template={template}
            filter={field.options['filter']}
            current={title}
            currentKey={entry === null ? null : plainText(entry.key)}
            isReadOnly={isReadOnly}
            isRefused={props.isRefused}
            kept={kept}
            onPick={onChange}
            onClear={entry === null || isReadOnly ? undefined : () => onChange(null)}
          />
        )}
        {entry !== null && !isNew && (
          <button type="button" className="button icon-only" aria-label={text.editRelated(title)} onClick={() => setOpen(true)}>
            <Icon name="edit" />
          </button>
        )}
        {!isNew && !isReadOnly && may(props.related, 'create') && (
          <button type="button" className="button icon-only" aria-label={`${text.createNew}: ${field.title}`} onClick={create}>
            <Icon name="plus" />
          </button>
        )}
      </div>
      {isOpen && entry !== null && (
        <RelatedDrawer
          collection={related}
          entry={entry}
          filled={null}
          isReadOnly={isReadOnly}
          refusals={refusalsBelow(refusals, field.name, entry.id)}
          onChange={(next) => onChange(settled(next, stored, relatedKey))}
          onClose={close}
        />
      )}
    </>
  );
}

interface NewReferenceProps {
  readonly id: string;
  readonly labelledBy: string;
  readonly title: string;
  readonly onOpen: () => void;
  readonly onClear: () => void;
}

/** In the place of the picker: an item that is created with the save. */
function NewReference({ id, labelledBy, title, onOpen, onClear }: NewReferenceProps) {
  const text = useText();
  return (
    <div className="staged-reference">
      <button type="button" id={id} className="row-title" aria-labelledby={`${labelledBy} ${id}`} onClick={onOpen}>
        {title}
      </button>
      <span className="badge">{text.stagedNew}</span>
      <button type="button" className="button quiet icon-only" aria-label={text.clear} onClick={onClear}>
        <Icon name="close" />
      </button>
    </div>
  );
}

const newReference: StagedEntry = { $staged: 'entry', id: 'one', row: null, key: null, shown: {}, edits: {} };

/** The value as an entry, whether it was read with the item, picked, or staged. */
function referenceOf(value: unknown, relatedKey: string): StagedEntry | null {
  if (value === null || value === undefined) return null;
  if (isStagedEntry(value)) return value;
  if (isItem(value)) return { ...newReference, key: value[relatedKey] ?? null, shown: value };
  return { ...newReference, key: value, shown: { [relatedKey]: value } };
}

/** The value for a changed entry. Without edits it is only a reference: as stored when it is the stored one, else the picked item. */
function settled(entry: StagedEntry, stored: unknown, relatedKey: string): unknown {
  if (entry.key === null || Object.keys(entry.edits).length > 0) return entry;
  return isItem(stored) && plainText(stored[relatedKey]) === plainText(entry.key) ? stored : entry.shown;
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;
