// Values that a permission sets when something is written. A field that was added and got no value yet has `undefined`: that cannot be stored.

import { useId } from 'react';
import { Icon } from '../primitives/icon.js';
import type { Collection, Field } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { isTyped, type Reading } from '../schema/typed.js';
import { useLanguage, useText } from '../text/use-text.js';
import { printValue, readValue } from '../values/read-value.js';
import { useTyped } from '../values/use-typed.js';
import { useAccessText } from './access-data.js';

interface PresetListProps {
  readonly collection: Collection;
  readonly presets: Readonly<Record<string, unknown>>;
  /** Marks what has no value. */
  readonly isChecked: boolean;
  readonly onChange: (presets: Readonly<Record<string, unknown>>) => void;
}

export const isPreset = (value: unknown): boolean => value !== undefined && !isTyped(value);

export function PresetList({ collection, presets, isChecked, onChange }: PresetListProps) {
  const text = useText();
  const access = useAccessText();
  const id = useId();
  const names = Object.keys(presets);
  const free = collection.fields.filter(({ name, column, isKey }) => column !== null && !isKey && !names.includes(name));
  const titleOf = (name: string): string => collection.fieldsByName.get(name)?.title ?? name;
  const faultOf = (value: unknown): string | undefined => (isTyped(value) ? text.list.faults[value.fault] : undefined);
  const isMarked = (name: string): boolean => isChecked && !isPreset(presets[name]);
  const remove = (name: string) => {
    const { [name]: _, ...others } = presets;
    onChange(others);
  };
  return (
    <fieldset className="plain-set permission-part">
      <legend className="label">{access.presets}</legend>
      <p className="hint">{access.presetsHint}</p>
      {names.map((name) => (
        <div key={name} className="preset">
          <span className="cut">{titleOf(name)}</span>
          <PresetInput
            label={titleOf(name)}
            field={collection.fieldsByName.get(name)}
            refusal={isMarked(name) ? `${id}-${name}` : undefined}
            value={presets[name]}
            onChange={(value) => onChange({ ...presets, [name]: value })}
          />
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={access.removePreset(titleOf(name))}
            onClick={() => remove(name)}
          >
            <Icon name="close" />
          </button>
          {isMarked(name) && (
            <p className="refusal" id={`${id}-${name}`} role="alert">
              {faultOf(presets[name]) ?? access.emptyPreset}
            </p>
          )}
        </div>
      ))}
      {free.length > 0 && (
        <select
          className="input preset-add"
          aria-label={access.addPreset}
          value=""
          onChange={(event) => event.target.value !== '' && onChange({ ...presets, [event.target.value]: undefined })}
        >
          <option value="">
            {access.addPreset} – {text.choose}
          </option>
          {free.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}

interface PresetInputProps {
  readonly label: string;
  readonly field: Field | undefined;
  readonly refusal: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function PresetInput({ label, field, refusal, value, onChange }: PresetInputProps) {
  const language = useLanguage();
  const print = (held: unknown): string => {
    if (held === null) return 'null';
    return field === undefined || typeof held === 'object' ? plainText(held) : printValue(field, held, language);
  };
  const read = (text: string): Reading => {
    // Only a text can be empty.
    if (text === '') return { value: field?.type === 'string' || field?.type === 'text' ? '' : undefined, fault: null };
    if (text === 'null') return { value: null, fault: null };
    return field === undefined || text.startsWith('$') ? { value: text, fault: null } : readValue(field, text, language);
  };
  const typed = useTyped(value, print, read, onChange);
  return (
    <input
      className="input"
      aria-label={label}
      aria-invalid={refusal !== undefined}
      aria-describedby={refusal}
      value={typed.text}
      onChange={(event) => typed.change(event.target.value)}
      onBlur={typed.leave}
    />
  );
}
