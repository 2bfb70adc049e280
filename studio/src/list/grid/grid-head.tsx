// The head of a grid: a box that selects everything, and a button for each column that sorts by it. Its edge is dragged to change the width;
// with the keyboard, Alt and the arrow keys do it.

import { Icon } from '../../primitives/icon.js';
import { useLanguage } from '../../text/use-text.js';
import { type Column, narrowest, widest } from '../columns.js';
import type { Sort } from '../list-state.js';
import type { Selection } from '../selection.js';
import { gutter } from './geometry.js';

interface GridHeadProps {
  readonly inner: React.RefObject<HTMLDivElement | null>;
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
  /** Null: rows cannot be selected. */
  readonly selection: Selection | null;
  readonly onSort: (column: Column, isAdded: boolean) => void;
  readonly onWidth: (name: string, width: number) => void;
  /** The heading of this column has the focus: the cells are scrolled to it, and the head follows them. It never scrolls by itself. */
  readonly onFocused: (column: number) => void;
}

export function GridHead({ inner, columns, sort, selection, onSort, onWidth, onFocused }: GridHeadProps) {
  const { text } = useLanguage();
  return (
    <div className="grid-head">
      <div className="grid-head-inner" ref={inner} style={{ paddingInlineStart: gutter }}>
        {columns.map((column, index) => (
          <HeaderCell key={column.name} column={column} sort={sort} onSort={onSort} onWidth={onWidth} onFocused={() => onFocused(index)} />
        ))}
      </div>
      <div className="grid-corner" style={{ inlineSize: gutter }}>
        {selection !== null && (
          <input
            type="checkbox"
            aria-label={text.list.selectAll}
            checked={selection.state === 'all'}
            ref={(box) => {
              if (box !== null) box.indeterminate = selection.state === 'some';
            }}
            onChange={selection.toggleAll}
          />
        )}
      </div>
    </div>
  );
}

interface HeaderCellProps {
  readonly column: Column;
  readonly sort: readonly Sort[];
  readonly onSort: (column: Column, isAdded: boolean) => void;
  readonly onWidth: (name: string, width: number) => void;
  readonly onFocused: () => void;
}

function HeaderCell({ column, sort, onSort, onWidth, onFocused }: HeaderCellProps) {
  const { text } = useLanguage();
  const { name, title, field, width, align } = column;
  const place = sort.findIndex((each) => each.field === column.sort);
  const by = sort[place];
  const order = by === undefined ? null : by.descending ? text.sortDescending : text.sortAscending;
  const resize = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 20 : event.key === 'ArrowLeft' ? -20 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    onWidth(name, clamp(width + step));
  };
  return (
    <div className="grid-head-cell" style={{ inlineSize: width }}>
      <button
        type="button"
        style={{ justifyContent: align === 'end' ? 'flex-end' : 'flex-start' }}
        title={field.note ?? title}
        aria-label={order === null ? title : `${title}, ${order}`}
        disabled={column.sort === null}
        onClick={(event) => onSort(column, event.shiftKey)}
        onKeyDown={resize}
        onFocus={onFocused}
      >
        <span className="cut">{title}</span>
        {by !== undefined && <Icon name={by.descending ? 'down' : 'up'} />}
        {by !== undefined && sort.length > 1 && <small>{place + 1}</small>}
      </button>
      <Edge width={width} onWidth={(next) => onWidth(name, next)} />
    </div>
  );
}

const clamp = (width: number): number => Math.round(Math.min(widest, Math.max(narrowest, width)));

/** The edge of a column, for the mouse. */
function Edge({ width, onWidth }: { readonly width: number; readonly onWidth: (width: number) => void }) {
  const { direction } = useLanguage();
  const drag = (event: React.PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    const [edge, from] = [event.currentTarget, event.clientX];
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = ({ clientX }) => onWidth(clamp(width + (clientX - from) * (direction === 'rtl' ? -1 : 1)));
    edge.onpointerup = () => {
      edge.onpointermove = null;
      edge.onpointerup = null;
    };
  };
  return <span className="grid-edge" aria-hidden="true" onPointerDown={drag} />;
}
