// Keys and mouse on the cells of a grid.

import type { Cells } from '../edit/use-cells.js';
import type { ScrollScale } from '../scroll-scale.js';
import { columnAt, gutter, nextPlace, type Place, type Range, revealRows, rowHeight, startOf } from './geometry.js';
import type { Drop } from './grid-painter.js';
import type { GridProps } from './grid-props.js';

interface KeyInput extends GridProps {
  readonly focus: Place;
  readonly range: Range;
  readonly size: { readonly height: number };
  readonly go: (place: Place, keepsAnchor?: boolean) => void;
  readonly edit: (place: Place, typed: string | null) => void;
  readonly setRange: (range: { readonly focus: Place; readonly anchor: Place }) => void;
}

export function useKeys({ cells, selection, order, actions, focus, range, size, go, edit, setRange, onOpen }: KeyInput) {
  const command = (key: string, isShift: boolean): boolean => {
    if (key === 'z') isShift ? actions.redo() : actions.undo();
    else if (key === 'y') actions.redo();
    else if (key === 'd') actions.fill(range);
    else if (key === 'a') {
      setRange({ anchor: { row: 0, column: 0 }, focus: { row: cells.rowCount - 1, column: cells.columns.length - 1 } });
    } else return false;
    return true;
  };
  const plain = (event: React.KeyboardEvent): boolean => {
    const { key, shiftKey } = event;
    if (key === ' ' && shiftKey) selection?.toggle(cells.idOf(focus.row));
    else if (key === ' ') onOpen(focus.row);
    else if (key === 'Enter' || key === 'F2') edit(focus, null);
    else if (key === 'Delete' || key === 'Backspace') actions.clear(range);
    else if (key === 'Escape') {
      setRange({ anchor: focus, focus });
      selection?.clear();
    } else if (key.length === 1 && !event.altKey && cells.isEditable(focus.column)) edit(focus, key);
    else return false;
    return true;
  };
  /** Alt and an arrow take the row along. */
  const carry = (by: number) => {
    const to = focus.row + by;
    if (to >= 0 && to < cells.storedCount && order?.move(focus.row, to) === true) go({ row: to, column: focus.column });
  };
  return (event: React.KeyboardEvent<HTMLElement>) => {
    if (event.altKey && order !== null && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      return carry(event.key === 'ArrowUp' ? -1 : 1);
    }
    const bounds = { rows: cells.rowCount, columns: cells.columns.length, page: Math.floor(size.height / rowHeight) };
    const next = nextPlace(event, focus, bounds);
    const isCommand = event.ctrlKey || event.metaKey;
    if (next !== null) go(next, event.shiftKey);
    else if (!(isCommand ? command(event.key.toLowerCase(), event.shiftKey) : plain(event))) return;
    event.preventDefault();
  };
}

interface MouseInput extends GridProps {
  readonly body: React.RefObject<HTMLDivElement | null>;
  readonly range: Range;
  readonly scale: ScrollScale;
  readonly isMirrored: boolean;
  readonly go: (place: Place, keepsAnchor?: boolean) => void;
  readonly setHovered: (row: number | null) => void;
  /** Between which rows a dragged one would go; null: none is dragged. */
  readonly setDrop: (drop: Drop | null) => void;
  readonly edit: (place: Place, typed: string | null) => void;
}

export function useMouse({ cells, selection, order, body, range, scale, isMirrored, go, setHovered, setDrop, edit, actions }: MouseInput) {
  const at = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const element = body.current;
    if (element === null) return null;
    const { left, top } = element.getBoundingClientRect();
    const x = clientX - left;
    if (x > element.clientWidth || clientY - top > element.clientHeight) return null;
    const inView = isMirrored ? element.clientWidth - x : x;
    const distance = inView < gutter ? inView : inView + Math.abs(element.scrollLeft);
    const y = clientY - top + scale.toOffset(element.scrollTop);
    const row = Math.floor(y / rowHeight);
    const column = columnAt(cells.columns, distance);
    return row >= cells.rowCount ? null : { row, column, distance, y };
  };
  const isHandle = ({ distance, y }: { readonly distance: number; readonly y: number }) =>
    cells.isEditable(range.start) &&
    Math.abs(distance - startOf(cells.columns, range.end + 1)) < 7 &&
    Math.abs(y - (range.bottom + 1) * rowHeight) < 7;
  /** Follows the mouse until its button is let go. */
  const follow = (onMove: (place: Place) => void, onEnd: () => void) => {
    const move = (event: MouseEvent) => {
      const place = at(event);
      if (place !== null && place.column !== null) onMove({ row: place.row, column: Math.max(0, place.column) });
    };
    const end = () => {
      removeEventListener('mousemove', move);
      removeEventListener('mouseup', end);
      onEnd();
    };
    addEventListener('mousemove', move);
    addEventListener('mouseup', end);
  };
  const startFill = () => {
    let filled = range;
    follow(
      ({ row }) => {
        filled = { ...range, bottom: Math.max(range.bottom, row) };
        go({ row: filled.bottom, column: range.end }, true);
      },
      () => filled.bottom > range.bottom && actions.fill(filled),
    );
  };
  return {
    onMouseMove: (event: React.MouseEvent) => setHovered(at(event)?.row ?? null),
    onMouseLeave: () => setHovered(null),
    onMouseDown: (event: React.MouseEvent) => {
      const place = at(event);
      if (event.button !== 0 || place === null || place.column === null) return;
      if (place.column < 0) {
        const between = event.shiftKey ? cells : null;
        if (order === null || cells.isNew(place.row)) return selection?.toggle(cells.idOf(place.row), between);
        return dragRow({ cells, selection, order, body, scale, setDrop, go }, place.row, between, follow);
      }
      if (isHandle(place)) return startFill();
      go({ row: place.row, column: place.column }, event.shiftKey);
      follow(
        (next) => go(next, true),
        () => undefined,
      );
    },
    onDoubleClick: (event: React.MouseEvent) => {
      const place = at(event);
      if (place !== null && place.column !== null && place.column >= 0) edit({ row: place.row, column: place.column }, null);
    },
  };
}

type Follow = (onMove: (place: Place) => void, onEnd: () => void) => void;

/** A row is dragged by its gutter; where it is only clicked, it is selected. */
function dragRow(
  {
    cells,
    selection,
    order,
    body,
    scale,
    setDrop,
    go,
  }: Pick<MouseInput, 'cells' | 'selection' | 'order' | 'body' | 'scale' | 'setDrop' | 'go'>,
  row: number,
  between: Cells | null,
  follow: Follow,
): void {
  let to = row;
  follow(
    ({ row: over }) => {
      to = Math.min(over, cells.storedCount - 1);
      setDrop(to === row ? null : { row, to });
      // What lies behind the row that something is dragged to.
      if (body.current !== null) revealRows(body.current, to - 1, to + 1, scale);
    },
    () => {
      setDrop(null);
      if (to === row) selection?.toggle(cells.idOf(row), between);
      else if (order?.move(row, to) === true) go({ row: to, column: 0 });
    },
  );
}
