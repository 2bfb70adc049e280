// The parts of a field's form: what it stores, and how forms show it.

import { type ReactNode, useId } from 'react';
import { plainText } from '../../schema/templates.js';
import { TextInput } from '../../translations/text-input.js';
import { usualDigits } from '../desk/plan-changes.js';
import { useModelText } from '../model-base.js';
import { otherOptions, printChoices, type Values } from './field-changes.js';
import { displaysWith, interfacesOf } from './interface-names.js';
import { NamesPart } from './names-part.js';

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
        {type === 'decimal' && (
          <>
            <DigitsInput name="numeric_precision" title={text.precision} most={65} value={digitsOf(stored, 'numeric_precision')} />
            <DigitsInput name="numeric_scale" title={text.scale} most={30} value={digitsOf(stored, 'numeric_scale')} />
          </>
        )}
      </div>
    </fieldset>
  );
}

/** A column may have none. */
const digitsOf = (stored: Values | null, name: keyof typeof usualDigits): unknown =>
  stored !== null && name in stored ? stored[name] : usualDigits[name];

interface DigitsInputProps {
  readonly name: keyof typeof usualDigits;
  readonly title: string;
  readonly most: number;
  readonly value: unknown;
}

const DigitsInput = ({ name, title, most, value }: DigitsInputProps) => (
  <Labelled title={title}>
    {(id) => <input id={id} name={name} className="input" type="number" min={0} max={most} defaultValue={plainText(value)} />}
  </Labelled>
);

interface FormPartProps {
  readonly type: string;
  readonly stored: Values | null;
}

export function FormPart({ type, stored }: FormPartProps) {
  const text = useModelText();
  const present = plainText(stored?.['interface']);
  return (
    <fieldset className="plain-set">
      <legend className="label">{text.inForms}</legend>
      <div className="pair">
        <Labelled title={text.interface}>
          {(id) => (
            <select id={id} name="interface" className="input" defaultValue={present}>
              <option value="">{text.usual}</option>
              {interfacesOf(type, present === '' ? null : present).map((name) => (
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
      <NamesPart stored={stored} />
      <Labelled title={text.note}>{(id) => <TextInput id={id} name="note" value={plainText(stored?.['note'])} />}</Labelled>
      {withChoices.has(type) && (
        <Labelled title={text.choices} hint={text.choicesHint}>
          {(id) => (
            <textarea
              id={id}
              name="choices"
              className="input"
              rows={3}
              defaultValue={printChoices(stored)}
              aria-describedby={`${id}-hint`}
            />
          )}
        </Labelled>
      )}
      <Check name="required" title={text.required} isOn={stored?.['required'] === true} />
      <Check name="readonly" title={text.readonly} isOn={stored?.['readonly'] === true} />
      <Check name="hidden" title={text.hidden} isOn={stored?.['hidden'] === true} />
      <FurtherPart stored={stored} />
    </fieldset>
  );
}

const withChoices = new Set(['string', 'text', 'integer', 'csv', 'json']);

/** What is set seldom: the display in lists, options by their stored names, and what a value has to satisfy. */
function FurtherPart({ stored }: { readonly stored: Values | null }) {
  const text = useModelText();
  return (
    <details className="further">
      <summary>{text.further}</summary>
      <div className="model-form">
        <Labelled title={text.display}>
          {(id) => (
            <select id={id} name="display" className="input" defaultValue={plainText(stored?.['display'])}>
              <option value="">{text.usual}</option>
              {displaysWith(plainText(stored?.['display'])).map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <JsonPart name="options" title={text.options} hint={text.optionsHint} value={otherOptions(stored)} />
        <JsonPart name="display_options" title={text.displayOptions} hint={text.displayOptionsHint} value={stored?.['display_options']} />
        <JsonPart name="validation" title={text.validation} hint={text.validationHint} value={stored?.['validation']} />
        <Labelled title={text.validationMessage}>
          {(id) => <TextInput id={id} name="validation_message" value={plainText(stored?.['validation_message'])} />}
        </Labelled>
      </div>
    </details>
  );
}

interface JsonPartProps {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  readonly value: unknown;
}

/** A value as JSON; what is no object is refused before anything is sent. */
function JsonPart({ name, title, hint, value }: JsonPartProps) {
  const { noObject } = useModelText();
  return (
    <Labelled title={title} hint={hint}>
      {(id) => (
        <textarea
          id={id}
          name={name}
          className="input code"
          rows={2}
          dir="ltr"
          spellCheck={false}
          defaultValue={value === null || value === undefined ? '' : JSON.stringify(value, null, 2)}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget }) => currentTarget.setCustomValidity(isObjectText(currentTarget.value) ? '' : noObject)}
        />
      )}
    </Labelled>
  );
}

function isObjectText(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
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
  /** What it stands for among those of the same name. */
  readonly value?: string;
  readonly title: string;
  readonly isOn: boolean;
}

export function Check({ name, value, title, isOn }: CheckProps) {
  return (
    <label className="switch check-line">
      <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
      {title}
    </label>
  );
}
