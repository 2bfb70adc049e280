// The name of a field above its interface: a label of its control, or a heading when the interface has several controls.

import type { Field } from '../schema/model.js';
import { useText } from '../text/use-text.js';

interface FieldLabelProps {
  readonly id: string;
  readonly field: Field;
  readonly hasLabel: boolean;
}

/** Its id is `id` with `-label`. */
export function FieldLabel({ id, field, hasLabel }: FieldLabelProps) {
  const text = useText();
  const mark = field.required ? <span className="mark">{text.required}</span> : null;
  if (!hasLabel)
    return (
      <div className="label" id={`${id}-label`}>
        {field.title} {mark}
      </div>
    );
  return (
    <label className="label" htmlFor={id} id={`${id}-label`}>
      {field.title} {mark}
    </label>
  );
}
