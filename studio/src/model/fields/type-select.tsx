// The type of a field: one of the database's, or a reference to the items of a collection.

import type { Collection } from '../../schema/model.js';
import { useStudio } from '../../studio-context.js';
import type { ModelMessages } from '../../text/english/model.js';
import { referencePrefix } from '../desk/plan-changes.js';
import { useModelText } from '../model-base.js';

interface TypeSelectProps {
  readonly id?: string;
  readonly label?: string;
  readonly value: string;
  readonly hasReferences: boolean;
  readonly onChange: (type: string) => void;
}

export const isReferable = ({ isFolder, key }: Collection): boolean => !isFolder && key !== null;

export function TypeSelect({ id, label, value, hasReferences, onChange }: TypeSelectProps) {
  const text = useModelText();
  const { schema } = useStudio().boot;
  const types = Object.entries(text.types);
  const referable = [...schema.values()].filter(isReferable).toSorted((left, right) => Number(left.isSystem) - Number(right.isSystem));
  return (
    <select id={id} className="input" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {!value.startsWith(referencePrefix) && !types.some(([type]) => type === value) && (
        <option value={value}>{typeTitle(text, value)}</option>
      )}
      {types.map(([type, title]) => (
        <option key={type} value={type}>
          {title}
        </option>
      ))}
      {hasReferences && (
        <optgroup label={text.refersTo}>
          {referable.map(({ name, title }) => (
            <option key={name} value={`${referencePrefix}${name}`}>
              {referencePrefix} {title}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  );
}

/** Types of fields that the service finds, besides those that can be chosen, are titled too. */
export const typeTitle = ({ types, otherTypes }: ModelMessages, type: string): string =>
  (({ ...types, ...otherTypes }) as Readonly<Record<string, string | undefined>>)[type] ?? type;
