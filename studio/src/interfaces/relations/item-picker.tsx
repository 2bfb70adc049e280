// Finds an item of a collection by typing. Options are read when the list opens, twenty-five at a time.

import { useQuery } from '@tanstack/react-query';
import { type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { Button, ComboBox, ComboBoxStateContext, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { search } from '../../api/client.js';
import type { Item } from '../../draft/draft.js';
import { Icon } from '../../primitives/icon.js';
import type { Collection } from '../../schema/model.js';
import { plainText, renderTemplate, type TemplatePart, templateOf, templatePaths } from '../../schema/templates.js';
import { itemsPath } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';

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
  readonly onPick: (item: Item) => void;
  /** Shows a button that empties the field. */
  readonly onClear?: (() => void) | undefined;
}

interface Option {
  readonly id: string;
  readonly title: string;
  readonly item: Item;
}

export function ItemPicker(props: ItemPickerProps) {
  const text = useText();
  const { related, relatedKey, current, currentKey, without, onPick, onClear, filter, template = templateOf(related) } = props;
  const [typed, setTyped] = useState<string | null>(null);
  // The title of the picked item, known at once: a title that arrives later would change the text and open the list again.
  const [picked, setPicked] = useState<Option | null>(null);
  const shown = picked !== null && picked.id === currentKey ? picked.title : current;
  const [isOpen, setOpen] = useState(false);
  const isScrolledAway = useRef(false);
  const found = useOptions({ related, relatedKey, template, filter }, typed ?? '', isOpen);
  const options = without === undefined ? found : found.filter(({ id }) => !without.has(id));
  const choose = (key: string | number | null) => {
    const option = options.find((each) => each.id === key);
    if (option !== undefined) {
      setPicked(option);
      onPick(option.item);
    }
    setTyped(null);
  };
  return (
    <ComboBox
      {...props.label}
      className="picker"
      items={options}
      inputValue={typed ?? shown}
      onInputChange={setTyped}
      onOpenChange={(open) => {
        setOpen(open);
        isScrolledAway.current = !open && typed !== null && window.event?.type === 'scroll';
        if (!open && !isScrolledAway.current) setTyped(null);
      }}
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
