// New values for fields of many items: only the fields that are added here change.

import { useId, useRef, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { Item } from '../../draft/item.js';
import { focusInput } from '../../form/focus-input.js';
import { FieldFault } from '../../interfaces/field-fault.js';
import { FieldLabel } from '../../interfaces/field-label.js';
import { findInterface } from '../../interfaces/interfaces.js';
import { Icon } from '../../primitives/icon.js';
import { isFixed } from '../../schema/form-fields.js';
import type { Collection, Field } from '../../schema/model.js';
import { faultIn, isTyped } from '../../schema/typed.js';
import { useText } from '../../text/use-text.js';

interface BulkEditDialogProps {
  readonly collection: Collection;
  readonly count: string;
  readonly hint: string;
  readonly onSubmit: (edits: Item) => void;
  readonly onClose: () => void;
}

export function BulkEditDialog({ collection, count, hint, onSubmit, onClose }: BulkEditDialogProps) {
  const text = useText();
  const [edits, setEdits] = useState<Item>({});
  const [isChecked, setChecked] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const names = Object.keys(edits);
  const fields = collection.fields.filter(
    (field) => field.column !== null && !field.hidden && !field.readonly && !isFixed(field, false) && field.relation?.kind !== 'm2a',
  );
  const remove = (name: string) => {
    const { [name]: _, ...others } = edits;
    setEdits(others);
  };
  const submit = () => {
    setChecked(true);
    const faulty = names.find((name) => faultIn(edits[name]) !== null);
    if (faulty === undefined) return onSubmit(edits);
    const place = list.current?.querySelector(`[data-field="${CSS.escape(faulty)}"]`);
    if (place !== undefined && place !== null) focusInput(place);
  };
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal>
        <Dialog className="dialog wide-dialog">
          <Heading slot="title" level={2}>
            {text.list.editItems(count)}
          </Heading>
          <div>
            <label className="label" htmlFor="bulk-field">
              {text.list.fieldToChange}
            </label>
            <select
              id="bulk-field"
              className="input"
              value=""
              onChange={(event) => {
                const field = collection.fieldsByName.get(event.target.value);
                if (field !== undefined) setEdits({ ...edits, [field.name]: firstValue(field) });
              }}
            >
              <option value="">{text.choose}</option>
              {fields
                .filter(({ name }) => !names.includes(name))
                .map((field) => (
                  <option key={field.name} value={field.name}>
                    {field.title}
                  </option>
                ))}
            </select>
          </div>
          <div ref={list} className="stack">
            {fields
              .filter(({ name }) => names.includes(name))
              .map((field) => (
                <BulkField
                  key={field.name}
                  field={field}
                  isChecked={isChecked}
                  value={edits[field.name]}
                  onChange={(value) => setEdits({ ...edits, [field.name]: value })}
                  onRemove={() => remove(field.name)}
                />
              ))}
          </div>
          <p className="hint">{hint}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={onClose}>
              {text.cancel}
            </button>
            <button type="button" className="button primary" disabled={names.length === 0} onClick={submit}>
              {text.list.changeItems(count)}
            </button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A box that is not ticked means no. */
const firstValue = ({ type }: Field): unknown => (type === 'boolean' ? false : null);

interface BulkFieldProps {
  readonly field: Field;
  readonly isChecked: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly onRemove: () => void;
}

function BulkField({ field, isChecked, value, onChange, onRemove }: BulkFieldProps) {
  const text = useText();
  const id = useId();
  const { component: Input, hasLabel } = findInterface(field);
  const isFaulty = isTyped(value);
  return (
    <div className="bulk-field" data-field={field.name}>
      <div>
        <FieldLabel id={id} field={field} hasLabel={hasLabel} />
        <Input
          id={id}
          labelledBy={`${id}-label`}
          describedBy={isFaulty ? `${id}-fault` : undefined}
          field={field}
          itemKey={null}
          value={value}
          stored={null}
          refusals={[]}
          isReadOnly={false}
          isRefused={isFaulty}
          onChange={onChange}
        />
        {isFaulty && <FieldFault id={`${id}-fault`} value={value} isChecked={isChecked} />}
      </div>
      <button type="button" className="button quiet icon-only" aria-label={`${text.removeFromList}: ${field.title}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </div>
  );
}
