// The order of a list on narrow screens, where no column heads can be tapped: a field leads to its order, tapped again to the other direction,
// and then to none. Further fields order what is equal so far.

import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';
import type { Column } from './columns.js';
import type { Sort } from './list-state.js';

interface SortMenuProps {
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
  readonly onSort: (field: string, keepsOthers: boolean) => void;
}

export function SortMenu({ columns, sort, onSort }: SortMenuProps) {
  const text = useText();
  const fields = columns.flatMap(({ title, sort: field }) => (field === null ? [] : [{ id: field, title }]));
  const further = sort.length === 0 ? [] : fields.filter(({ id }) => !sort.some(({ field }) => field === id));
  return (
    <MenuTrigger>
      <Button className="button quiet" aria-label={text.list.sort}>
        <Icon name="sort" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu">
          <MenuSection>
            <Header className="menu-head">{text.list.sortBy}</Header>
            {fields.map(({ id, title }) => {
              const rank = sort.findIndex(({ field }) => field === id);
              const by = sort[rank];
              const order = by === undefined ? '' : `, ${by.descending ? text.sortDescending : text.sortAscending}`;
              return (
                <MenuItem
                  key={id}
                  id={id}
                  className="option"
                  textValue={title}
                  aria-label={title + order}
                  onAction={() => onSort(id, by !== undefined)}
                >
                  <span className="option-mark">{by !== undefined && <Icon name={by.descending ? 'down' : 'up'} />}</span>
                  {title}
                  {by !== undefined && sort.length > 1 && <span className="option-rank">{rank + 1}</span>}
                </MenuItem>
              );
            })}
          </MenuSection>
          {further.length > 0 && (
            <MenuSection>
              <Header className="menu-head">{text.list.thenBy}</Header>
              {further.map(({ id, title }) => (
                <MenuItem
                  key={id}
                  id={`then ${id}`}
                  className="option"
                  textValue={title}
                  aria-label={`${text.list.thenBy}: ${title}`}
                  onAction={() => onSort(id, true)}
                >
                  <span className="option-mark" />
                  {title}
                </MenuItem>
              ))}
            </MenuSection>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
