// The fields that a permission opens. All of them means those of the future, too; a chosen list does not grow by itself.

import type { Collection, Field } from '../schema/model.js';
import { useAccessText } from './access-data.js';

interface FieldChoiceProps {
  readonly collection: Collection;
  /** `*`: all. */
  readonly chosen: readonly string[];
  readonly onChange: (fields: readonly string[]) => void;
}

/** Groups and notes of a form hold no data. */
export const offeredFields = ({ fields }: Collection): readonly Field[] => fields.filter(({ special }) => !special.includes('no-data'));

export function FieldChoice({ collection, chosen, onChange }: FieldChoiceProps) {
  const access = useAccessText();
  const fields = offeredFields(collection);
  const isAll = chosen.includes('*');
  const names = fields.map(({ name }) => name);
  const toggle = (name: string) => {
    const present = isAll ? names : chosen;
    // Names that Studio does not offer stay as they are; the others keep the order of the collection.
    const next = present.includes(name)
      ? present.filter((each) => each !== name)
      : [...names.filter((each) => present.includes(each) || each === name), ...present.filter((each) => !names.includes(each))];
    onChange(next);
  };
  const count = fields.filter(({ name }) => chosen.includes(name)).length;
  return (
    <fieldset className="plain-set permission-part">
      <legend className="label">{access.whichFields}</legend>
      <label className="switch">
        <input type="checkbox" checked={isAll} onChange={() => onChange(isAll ? names : ['*'])} />
        {access.allFields}
      </label>
      <ul className="field-choice">
        {fields.map(({ name, title }) => (
          <li key={name}>
            <label className="switch">
              <input type="checkbox" checked={isAll || chosen.includes(name)} onChange={() => toggle(name)} />
              <span className="cut">{title}</span>
              {title.toLowerCase() !== name && <code className="hint cut">{name}</code>}
            </label>
          </li>
        ))}
      </ul>
      {!isAll && <p className="hint">{count === 0 ? access.noFields : access.chosenFields(count, fields.length)}</p>}
    </fieldset>
  );
}
