// Several of many choices: chips of the chosen ones, and a list to choose from that opens below.

import { Button, DialogTrigger, ListBox, ListBoxItem, Popover, type Selection } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';
import { choicesWith, listOf } from './choice-inputs.js';
import type { InterfaceProps } from './interface-props.js';

export function MultipleSelect({ id, labelledBy, describedBy, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  const text = useText();
  const chosen = listOf(value);
  const choices = choicesWith(field, chosen);
  const store = (next: ReadonlySet<string>) => {
    // The order of the choices, so that the same selection is the same value.
    const ordered = choices.filter((choice) => next.has(choice.value)).map((choice) => choice.value);
    onChange(ordered.length === 0 && field.column?.nullable !== false ? null : ordered);
  };
  const select = (selection: Selection) => {
    store(selection === 'all' ? new Set(choices.map((choice) => choice.value)) : new Set([...selection].map(String)));
  };
  const shown = choices.filter((choice) => chosen.includes(choice.value)).map((choice) => choice.text);
  return (
    <DialogTrigger>
      <Button
        id={id}
        className="input select-button"
        aria-labelledby={`${labelledBy} ${id}`}
        {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
        isDisabled={isReadOnly}
        data-refused={isRefused}
      >
        <span className="cut">{shown.length === 0 ? text.choose : shown.join(', ')}</span>
        <Icon name="chevron" />
      </Button>
      <Popover className="popover">
        <ListBox
          aria-labelledby={labelledBy}
          selectionMode="multiple"
          escapeKeyBehavior="none"
          selectedKeys={chosen}
          onSelectionChange={select}
          items={choices.map((choice) => ({ id: choice.value, text: choice.text }))}
        >
          {(choice) => (
            <ListBoxItem id={choice.id} className="option" textValue={choice.text}>
              {({ isSelected }) => (
                <>
                  <span className="option-mark">{isSelected && <Icon name="check" />}</span>
                  {choice.text}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </DialogTrigger>
  );
}
