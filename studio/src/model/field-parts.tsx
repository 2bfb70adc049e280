// The parts of a field's form: what it stores, and how forms show it.

import { type ReactNode, useId } from 'react';
import type { Field } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { storedChoices, type Values } from './field-changes.js';
import { interfacesOf } from './interface-names.js';
import { useModelText } from './model-base.js';

export function ValuesPart({ type, stored }: { readonly type: string; readonly stored: Values | null }) {
  const text = useModelText();
  return (
    <fieldset className="plain-set">
      <legend className="label">{text.values}</legend>
      <Check name="is_nullable" title={text.nullable} isOn={stored?.['is_nullable'] === true} />
      <Check name="is_unique" title={text.unique} isOn={stored?.['is_unique'] === true} />
      <Check name="is_indexed" title={text.indexed} isOn={stored?.['is_indexed'] === true} />
      <div className="pair">
        <Labelled title={text.defaultValue}>
          {(id) => (
            <input id={id} name="default_value" className="input" autoComplete="off" defaultValue={plainText(stored?.['default_value'])} />
          )}
        </Labelled>
        {type === 'string' && (
          <Labelled title={text.maxLength}>
            {(id) => (
              <input
                id={id}
                name="max_length"
                className="input"
                type="number"
                min={1}
                max={16_000}
                defaultValue={plainText(stored?.['max_length'])}
              />
            )}
          </Labelled>
        )}
      </div>
    </fieldset>
  );
}

interface FormPartProps {
  readonly type: string;
  readonly field: Field | null;
  readonly stored: Values | null;
}

export function FormPart({ type, field, stored }: FormPartProps) {
  const text = useModelText();
  return (
    <fieldset className="plain-set">
      <legend className="label">{text.inForms}</legend>
      <div className="pair">
        <Labelled title={text.interface}>
          {(id) => (
            <select id={id} name="interface" className="input" defaultValue={field?.interface ?? ''}>
              <option value="">{text.usual}</option>
              {interfacesOf(type, field?.interface ?? null).map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <Labelled title={text.width}>
          {(id) => (
            <select id={id} name="width" className="input" defaultValue={plainText(stored?.['width']) || 'full'}>
              {Object.entries(text.widths).map(([width, title]) => (
                <option key={width} value={width}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      </div>
      <Labelled title={text.note}>
        {(id) => <input id={id} name="note" className="input" autoComplete="off" defaultValue={field?.note ?? ''} />}
      </Labelled>
      {type === 'string' && <ChoicesPart field={field} />}
      <Check name="required" title={text.required} isOn={stored?.['required'] === true} />
      <Check name="readonly" title={text.readonly} isOn={stored?.['readonly'] === true} />
      <Check name="hidden" title={text.hidden} isOn={stored?.['hidden'] === true} />
    </fieldset>
  );
}

function ChoicesPart({ field }: { readonly field: Field | null }) {
  const text = useModelText();
  const values = storedChoices(field).map(({ value }) => value);
  return (
    <Labelled title={text.choices} hint={text.choicesHint}>
      {(id) => (
        <textarea id={id} name="choices" className="input" rows={3} defaultValue={values.join('\n')} aria-describedby={`${id}-hint`} />
      )}
    </Labelled>
  );
}

interface LabelledProps {
  readonly title: string;
  readonly hint?: string;
  /** The input, with the id that its label names. */
  readonly children: (id: string) => ReactNode;
}

export function Labelled({ title, hint, children }: LabelledProps) {
  const id = useId();
  return (
    <div>
      <label className="label" htmlFor={id}>
        {title}
      </label>
      {children(id)}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface CheckProps {
  readonly name: string;
  readonly title: string;
  readonly isOn: boolean;
}

export function Check({ name, title, isOn }: CheckProps) {
  return (
    <label className="switch check-line">
      <input type="checkbox" name={name} defaultChecked={isOn} />
      {title}
    </label>
  );
}
