// A tree of checkboxes. A box with boxes below checks them all, and shows when only some are checked.

import type { Choice } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { boxState, checkedLeaves, toggleBox, valuesOf } from './checkbox-tree-value.js';
import { listOf } from './choice-inputs.js';
import type { InterfaceProps } from './interface-props.js';

export function CheckboxTree({ labelledBy, describedBy, field, value, isReadOnly, onChange }: InterfaceProps) {
  const choices = field.choices ?? [];
  const combining = plainText(field.options['valueCombining']) || 'all';
  const stored = new Set(listOf(value));
  const checked = checkedLeaves(choices, stored, combining);
  const known = new Set(allValues(choices));
  const toggle = (choice: Choice, isOn: boolean) => {
    // Values that are none of the choices stay.
    const foreign = [...stored].filter((each) => !known.has(each));
    const next = [...valuesOf(choices, toggleBox(choice, checked, isOn), combining), ...foreign];
    onChange(next.length === 0 && field.column?.nullable !== false ? null : next);
  };
  return (
    <fieldset className="plain-set" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      <Level choices={choices} checked={checked} isReadOnly={isReadOnly} onToggle={toggle} />
    </fieldset>
  );
}

const allValues = (choices: readonly Choice[]): readonly string[] =>
  choices.flatMap(({ value, children }) => [value, ...allValues(children ?? [])]);

interface LevelProps {
  readonly choices: readonly Choice[];
  readonly checked: ReadonlySet<string>;
  readonly isReadOnly: boolean;
  readonly onToggle: (choice: Choice, isOn: boolean) => void;
}

const Level = ({ choices, ...props }: LevelProps) => (
  <ul className="box-tree">
    {choices.map((choice) => {
      const state = boxState(choice, props.checked);
      return (
        <li key={choice.value}>
          <label className="switch">
            <input
              type="checkbox"
              ref={(box) => {
                if (box !== null) box.indeterminate = state === 'part';
              }}
              checked={state === 'on'}
              disabled={props.isReadOnly}
              onChange={(event) => props.onToggle(choice, event.target.checked)}
            />
            {choice.text}
          </label>
          {choice.children !== undefined && <Level {...props} choices={choice.children} />}
        </li>
      );
    })}
  </ul>
);
