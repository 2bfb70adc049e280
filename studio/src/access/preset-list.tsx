// Values that a permission sets when something is written.

import { Icon } from '../primitives/icon.js';
import type { Collection } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';
import { useAccessText } from './access-data.js';

interface PresetListProps {
  readonly collection: Collection;
  readonly presets: Readonly<Record<string, unknown>>;
  readonly onChange: (presets: Readonly<Record<string, unknown>>) => void;
}

export function PresetList({ collection, presets, onChange }: PresetListProps) {
  const text = useText();
  const access = useAccessText();
  const names = Object.keys(presets);
  const free = collection.fields.filter(({ name, column, isKey }) => column !== null && !isKey && !names.includes(name));
  const titleOf = (name: string): string => collection.fieldsByName.get(name)?.title ?? name;
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
          <input
            className="input"
            aria-label={titleOf(name)}
            value={plainText(presets[name])}
            onChange={(event) => onChange({ ...presets, [name]: readValue(event.target.value) })}
          />
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={access.removePreset(titleOf(name))}
            onClick={() => remove(name)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {free.length > 0 && (
        <select
          className="input preset-add"
          aria-label={access.addPreset}
          value=""
          onChange={(event) => event.target.value !== '' && onChange({ ...presets, [event.target.value]: '' })}
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

/** Numbers, booleans and null are stored as such; the service checks the type. */
function readValue(typed: string): unknown {
  if (typed === 'true' || typed === 'false') return typed === 'true';
  if (typed === 'null') return null;
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(typed) ? Number(typed) : typed;
}
