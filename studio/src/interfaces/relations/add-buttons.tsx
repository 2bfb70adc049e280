// The buttons below a list of related items: add one that exists, or create one. Where several collections are possible, a menu asks which.

import { useRef, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { flushSync } from 'react-dom';
import type { Item } from '../../draft/item.js';
import { Icon, type IconName } from '../../primitives/icon.js';
import { useMay } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import { LazyFilePicker } from '../lazy-file-picker.js';
import { ItemPicker } from './item-picker.js';
import { isFiles, type ListPlan, type Target } from './plan-list.js';

interface AddButtonsProps {
  readonly plan: ListPlan;
  readonly title: string;
  /** Keys of items that the list holds already, by collection. */
  readonly present: (target: Target) => ReadonlySet<string>;
  readonly onAdd: (target: Target, items: readonly Item[]) => void;
  readonly onCreate: (target: Target) => void;
}

export function AddButtons({ plan, title, present, onAdd, onCreate }: AddButtonsProps) {
  const text = useText();
  const may = useMay();
  const [picking, setPicking] = useState<Target | null>(null);
  const row = useRef<HTMLDivElement>(null);
  // The picker gives way to the button that opened it, and the focus returns there.
  const stopPicking = () => {
    flushSync(() => setPicking(null));
    row.current?.querySelector('button')?.focus();
  };
  // An item is picked by its key, which is one value.
  const mayAdd = plan.targets.filter(
    ({ collection }) => collection.key !== null && (plan.junctionField === null ? may(collection, 'update') : may(plan.read, 'create')),
  );
  const mayCreate = plan.targets.filter(({ collection }) => may(collection, 'create') && !isFiles(collection));
  return (
    <div className="add-row" ref={row}>
      {picking !== null && isFiles(picking.collection) && (
        <LazyFilePicker
          mode="multiple"
          onPick={(files) =>
            onAdd(
              picking,
              files.map((file) => ({ ...file })),
            )
          }
          onClose={stopPicking}
        />
      )}
      {picking !== null && !isFiles(picking.collection) && (
        <ItemPicker
          label={{ 'aria-label': text.findItem(picking.collection.title) }}
          placeholder={text.findItem(picking.collection.title)}
          related={picking.collection}
          relatedKey={picking.collection.key ?? ''}
          template={picking.template}
          current=""
          currentKey={null}
          without={present(picking)}
          onPick={(item) => {
            onAdd(picking, [item]);
            stopPicking();
          }}
          onClear={stopPicking}
        />
      )}
      {picking === null && <TargetButton icon="search" label={text.addExisting} title={title} targets={mayAdd} onChoose={setPicking} />}
      <TargetButton icon="plus" label={text.createNew} title={title} targets={mayCreate} onChoose={onCreate} />
    </div>
  );
}

interface TargetButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly title: string;
  readonly targets: readonly Target[];
  readonly onChoose: (target: Target) => void;
}

function TargetButton({ icon, label, title, targets, onChoose }: TargetButtonProps) {
  const [first] = targets;
  if (first === undefined) return null;
  if (targets.length === 1)
    return (
      <button type="button" className="button small" aria-label={`${label}: ${title}`} onClick={() => onChoose(first)}>
        <Icon name={icon} />
        {label}
      </button>
    );
  return (
    <MenuTrigger>
      <Button className="button small" aria-label={`${label}: ${title}`}>
        <Icon name={icon} />
        {label}
        <Icon name="chevron" />
      </Button>
      <Popover className="popover">
        <Menu aria-label={`${label}: ${title}`}>
          {targets.map((target) => (
            <MenuItem key={target.collection.name} className="option" onAction={() => onChoose(target)}>
              {target.collection.title}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
