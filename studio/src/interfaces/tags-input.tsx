// Tags: texts as chips, typed and ended by Enter or a comma, or chosen from the presets of the field.

import type { KeyboardEvent } from 'react';
import { Icon } from '../primitives/icon.js';
import { plainText } from '../schema/templates.js';
import { isTyped, typedText } from '../schema/typed.js';
import { useText } from '../text/use-text.js';
import type { InterfaceProps } from './interface-props.js';

export function TagsInput({ id, labelledBy, describedBy, field, value, isReadOnly, isRefused, onChange }: InterfaceProps) {
  const text = useText();
  // A tag that is not ended yet is part of the draft.
  const typed = isTyped(value) ? value.text : '';
  const held = isTyped(value) ? (value.rest ?? null) : value;
  const tags = listOf(held);
  const type = (text: string) => onChange(text.trim() === '' ? held : typedText(text, 'part', held));
  const { presets, allowCustom, capitalization, whitespace, alphabetize } = field.options;
  const offered = listOf(presets).filter((preset) => !tags.includes(preset));
  const store = (next: readonly string[]) => {
    const ordered = alphabetize === true ? next.toSorted((one, other) => one.localeCompare(other)) : next;
    onChange(ordered.length === 0 && field.column?.nullable !== false ? null : ordered);
  };
  const add = (entered: string) => {
    const found = entered.split(',').map((tag) => written(tag, capitalization, whitespace));
    const next = [...new Set([...tags, ...found.filter((tag) => tag !== '')])];
    store(next);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Backspace' && typed === '' && tags.length > 0) store(tags.slice(0, -1));
    if ((event.key !== 'Enter' && event.key !== ',') || typed.trim() === '') return;
    event.preventDefault();
    add(typed);
  };
  return (
    <div className="tags" data-refused={isRefused}>
      {tags.length > 0 && (
        <ul aria-labelledby={labelledBy}>
          {tags.map((tag) => (
            <li key={tag} className="chip">
              <span className="cut">{tag}</span>
              {!isReadOnly && (
                <button type="button" aria-label={text.removeRelated(tag)} onClick={() => store(tags.filter((each) => each !== tag))}>
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <input
          id={id}
          className="input"
          aria-describedby={describedBy}
          aria-invalid={isRefused}
          autoComplete="off"
          list={`${id}-presets`}
          placeholder={plainText(field.options['placeholder']) || text.addTag}
          value={typed}
          onChange={(event) => {
            const next = event.target.value;
            // Text that ends with a comma, or was chosen from the presets, is complete.
            if (next.includes(',') || offered.includes(next)) add(next);
            else type(next);
          }}
          onKeyDown={press}
          onBlur={() => typed.trim() !== '' && (allowCustom !== false || offered.includes(typed.trim())) && add(typed)}
        />
      )}
      <datalist id={`${id}-presets`}>
        {offered.map((preset) => (
          <option key={preset} value={preset} />
        ))}
      </datalist>
    </div>
  );
}

const listOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(plainText);
  return typeof value === 'string' && value !== '' ? value.split(',') : [];
};

/** A tag as the options of the field want it written. */
function written(tag: string, capitalization: unknown, whitespace: unknown): string {
  const trimmed = tag.trim();
  const spaced = typeof whitespace === 'string' ? trimmed.replaceAll(/\s+/g, whitespace) : trimmed;
  switch (capitalization) {
    case 'uppercase':
      return spaced.toUpperCase();
    case 'lowercase':
      return spaced.toLowerCase();
    default:
      return spaced;
  }
}
