// What the canvas shows, as rows and cells for screen readers and whatever else reads a page by its structure; renewed when scrolling rests.

import { useText } from '../../text/use-text.js';
import type { Cells } from '../edit/use-cells.js';
import { isInside, type Place, type Range } from './geometry.js';

interface MirrorProps {
  readonly id: string;
  readonly cells: Cells;
  /** Rows in sight. */
  readonly first: number;
  readonly last: number;
  readonly focus: Place;
  readonly range: Range;
  readonly isSelected: (row: number) => boolean;
}

export function Mirror({ id, cells, first, last, focus, range, isSelected }: MirrorProps) {
  const { columns, rowCount } = cells;
  const shown = Array.from({ length: Math.max(0, Math.min(last, rowCount - 1) - first + 1) }, (_, index) => first + index);
  const numbers = shown.includes(focus.row) || focus.row >= rowCount ? shown : [...shown, focus.row];
  return (
    <div className="visually-hidden">
      <div role="row" aria-rowindex={1}>
        {columns.map(({ name, title }) => (
          <span key={name} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      {numbers.map((row) => (
        <div key={row} role="row" aria-rowindex={row + 2} data-selected={isSelected(row)}>
          {columns.map(({ name }, column) => (
            <MirrorCell
              key={name}
              id={`${id}-${row}-${column}`}
              cells={cells}
              place={{ row, column }}
              isSelected={isInside(range, { row, column }) || isSelected(row)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface MirrorCellProps {
  readonly id: string;
  readonly cells: Cells;
  readonly place: Place;
  readonly isSelected: boolean;
}

function MirrorCell({ id, cells, place: { row, column }, isSelected }: MirrorCellProps) {
  const text = useText();
  const reason = cells.refusal(row, column);
  const mark = cells.mark(row, column);
  return (
    <span
      role="gridcell"
      id={id}
      aria-selected={isSelected}
      aria-readonly={!cells.isEditable(column)}
      aria-invalid={reason !== undefined}
      data-mark={mark}
    >
      {cells.text(row, column) ?? ''}
      {reason !== undefined && <span>{` ${reason}`}</span>}
      {mark === 'staged' && <span>{` (${text.list.changed})`}</span>}
    </span>
  );
}
