// Finds an item of a collection by typing. Options are read when the list opens, twenty-five at a time.

import { useQuery } from '@tanstack/react-query';
import { type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { Button, ComboBox, ComboBoxStateContext, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { search } from '../../api/client.js';
import type { Item } from '../../draft/item.js';
import { Icon } from '../../primitives/icon.js';
import type { Collection } from '../../schema/model.js';
import { plainText, renderTemplate, type TemplatePart, templateOf, templatePaths } from '../../schema/templates.js';
import { isTyped, typedText } from '../../schema/typed.js';
import { itemsPath } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import type { InterfaceProps } from '../interface-props.js';

interface ItemPickerProps {
  readonly id?: string;
  readonly label: { readonly 'aria-label': string } | { readonly 'aria-labelledby': string };
  readonly describedBy?: string | undefined;
  readonly placeholder: string;
  readonly related: Collection;
  readonly relatedKey: string;
  /** How items are titled; the template of the collection unless given. */
  readonly template?: readonly TemplatePart[];
  /** Which items are offered. */
  readonly filter?: unknown;
  /** What the field shows while nobody types. */
  readonly current: string;
  readonly currentKey: string | null;
  /** Keys that are not offered. */
  readonly without?: ReadonlySet<string>;
  readonly isReadOnly?: boolean;
  readonly isRefused?: boolean;
  /** What was typed and is not picked yet, where that is kept as a part of the draft. */
  readonly kept?: KeptText;
  readonly onPick: (item: Item) => void;
  /** Shows a button that empties the field. */
  readonly onClear?: (() => void) | undefined;
}

interface KeptText {
  readonly text: string | null;
  /** Null: what the field held before is back. */
  readonly onType: (text: string | null) => void;
}

/** What a field holds, and the text beside it that nothing was picked for yet. `emptied`: what an empty text leaves; what the field holds unless given. */
export function keptText({ value, onChange }: Pick<InterfaceProps, 'value' | 'onChange'>, emptied?: null) {
  const typed = isTyped(value) ? value : null;
  const held = typed === null ? value : (typed.rest ?? null);
  const onType = (text: string | null) => {
    if (text === '') onChange(emptied === undefined ? held : emptied);
    else onChange(text === null ? held : typedText(text, 'choose', held ?? null));
  };
  return { value: held, kept: { text: typed?.text ?? null, onType } };
}

interface Option {
  readonly id: string;
  readonly title: string;
  readonly item: Item;
}

export function ItemPicker(props: ItemPickerProps) {
  const text = useText();
  const { related, relatedKey, current, currentKey, without, onPick, onClear, filter, template = templateOf(related) } = props;
  const { kept } = props;
  const [own, setOwn] = useState<string | null>(null);
  const typed = kept === undefined ? own : kept.text;
  // The title of the picked item, known at once: a title that arrives later would change the text and open the list again.
  const [picked, setPicked] = useState<Option | null>(null);
  const shown = picked !== null && picked.id === currentKey ? picked.title : current;
  const [isOpen, setOpen] = useState(false);
  const isScrolledAway = useRef(false);
  const found = useOptions({ related, relatedKey, template, filter }, typed ?? '', isOpen);
  const options = without === undefined ? found : found.filter(({ id }) => !without.has(id));
  const settled = useRef(shown);
  settled.current = shown;
  const isPicked = useRef(false);
  isPicked.current = false;
  const type = (text: string | null) => {
    // A picked title is put into the field as if it were typed.
    const next = text === settled.current ? null : text;
    setOwn(next);
    if (next !== typed && !isPicked.current) kept?.onType(next);
  };
  const choose = (key: string | number | null) => {
    const isWhole = ({ title }: Option) => kept !== undefined && title.toLowerCase() === typed?.trim().toLowerCase();
    const option = options.find((each) => each.id === key) ?? (key === null ? options.find(isWhole) : undefined);
    if (option?.id === currentKey && option !== undefined) return type(null);
    if (option !== undefined) {
      isPicked.current = true;
      settled.current = option.title;
      setPicked(option);
      onPick(option.item);
    }
    setOwn(null);
  };
  return (
    <ComboBox
      {...props.label}
      className="picker"
      items={options}
      inputValue={typed ?? shown}
      onInputChange={type}
      onOpenChange={(open) => {
        setOpen(open);
        isScrolledAway.current = !open && typed !== null && window.event?.type === 'scroll';
        if (!open && !isScrolledAway.current) setOwn(null);
      }}
      onKeyDown={(event) => event.key === 'Escape' && type(null)}
      selectedKey={currentKey}
      onSelectionChange={choose}
      isDisabled={props.isReadOnly ?? false}
      isInvalid={props.isRefused ?? false}
      menuTrigger="focus"
      allowsEmptyCollection
      allowsCustomValue
    >
      <OpenAgain isWanted={isScrolledAway} />
      <div className="with-action">
        <Input
          {...(props.id === undefined ? {} : { id: props.id })}
          className="input"
          placeholder={props.placeholder}
          aria-describedby={props.describedBy}
        />
        {onClear !== undefined ? (
          <button type="button" className="button quiet icon-only" aria-label={text.clear} onClick={onClear}>
            <Icon name="close" />
          </button>
        ) : (
          <Button className="button quiet icon-only" aria-label={props.placeholder}>
            <Icon name="chevron" />
          </Button>
        )}
      </div>
      <Popover className="popover">
        <ListBox renderEmptyState={() => <div className="option">{text.noMatch}</div>}>
          {(option: Option) => (
            <ListBoxItem id={option.id} className="option" textValue={option.title}>
              {option.title}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/**
 * The list closes when the page scrolls, and a browser scrolls by itself to bring a focused field into view. The typed text stays, and the
 * list opens again at the new place of the field.
 */
function OpenAgain({ isWanted }: { readonly isWanted: RefObject<boolean> }) {
  const state = useContext(ComboBoxStateContext);
  useEffect(() => {
    if (state === null || state.isOpen || !isWanted.current) return;
    isWanted.current = false;
    if (state.isFocused) state.open(null, 'input');
  });
  return null;
}

interface OptionSource {
  readonly related: Collection;
  readonly relatedKey: string;
  readonly template: readonly TemplatePart[];
  readonly filter: unknown;
}

function useOptions({ related, relatedKey, template, filter }: OptionSource, typed: string, isOpen: boolean): readonly Option[] {
  const { data = [] } = useQuery({
    queryKey: ['options', related.name, template, filter ?? null, typed],
    queryFn: async ({ signal }) => {
      const fields = [...new Set([relatedKey, ...templatePaths(template)])];
      const narrowed = filter === undefined || filter === null ? {} : { filter };
      const query = { fields, limit: 25, ...narrowed, ...(typed === '' ? {} : { search: typed }) };
      return (await search<readonly Item[]>(itemsPath(related), query, signal)).data;
    },
    enabled: isOpen,
    placeholderData: (previous) => previous,
  });
  return data.map((item) => {
    const id = plainText(item[relatedKey]);
    return { id, title: renderTemplate(template, item) || id, item };
  });
}
