// The order of a list on narrow screens, where no column heads can be tapped: a field leads to its order, tapped again to the other direction,
// and then to none.

import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';
import type { Column } from './columns.js';
import type { Sort } from './list-state.js';

interface SortMenuProps {
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
  readonly onSort: (field: string) => void;
}

export function SortMenu({ columns, sort, onSort }: SortMenuProps) {
  const text = useText();
  const fields = columns.flatMap(({ title, sort: field }) => (field === null ? [] : [{ id: field, title }]));
  return (
    <MenuTrigger>
      <Button className="button quiet" aria-label={text.list.sort}>
        <Icon name="sort" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" items={fields} onAction={(field) => onSort(String(field))} dependencies={[sort]}>
          {({ id, title }) => {
            const by = sort.find(({ field }) => field === id);
            const order = by === undefined ? '' : `, ${by.descending ? text.sortDescending : text.sortAscending}`;
            return (
              <MenuItem id={id} className="option" textValue={title} aria-label={title + order}>
                <span className="option-mark">{by !== undefined && <Icon name={by.descending ? 'down' : 'up'} />}</span>
                {title}
              </MenuItem>
            );
          }}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
