// Keys and mouse on the cells of a grid.

import { columnAt, gutter, nextPlace, type Place, type Range, rowHeight, startOf } from './geometry.js';
import type { GridProps } from './grid-props.js';

interface KeyInput extends GridProps {
  readonly focus: Place;
  readonly range: Range;
  readonly size: { readonly height: number };
  readonly go: (place: Place, keepsAnchor?: boolean) => void;
  readonly edit: (place: Place, typed: string | null) => void;
  readonly setRange: (range: { readonly focus: Place; readonly anchor: Place }) => void;
}

export function useKeys({ cells, selection, actions, focus, range, size, go, edit, setRange, onOpen }: KeyInput) {
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
  return (event: React.KeyboardEvent<HTMLElement>) => {
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
  readonly isMirrored: boolean;
  readonly go: (place: Place, keepsAnchor?: boolean) => void;
  readonly setHovered: (row: number | null) => void;
  readonly edit: (place: Place, typed: string | null) => void;
}

export function useMouse({ cells, selection, body, range, isMirrored, go, setHovered, edit, actions }: MouseInput) {
  const at = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const element = body.current;
    if (element === null) return null;
    const { left, top } = element.getBoundingClientRect();
    const x = clientX - left;
    if (x > element.clientWidth || clientY - top > element.clientHeight) return null;
    const inView = isMirrored ? element.clientWidth - x : x;
    const distance = inView < gutter ? inView : inView + Math.abs(element.scrollLeft);
    const row = Math.floor((clientY - top + element.scrollTop) / rowHeight);
    const column = columnAt(cells.columns, distance);
    return row >= cells.rowCount ? null : { row, column, distance, y: clientY - top + element.scrollTop };
  };
  const isHandle = ({ distance, y }: { readonly distance: number; readonly y: number }) =>
    cells.isEditable(range.start) &&
    Math.abs(distance - startOf(cells.columns, range.end + 1)) < 7 &&
    Math.abs(y - (range.bottom + 1) * rowHeight) < 7;
  /** Follows the mouse until its button is let go. */
  const follow = (onMove: (place: Place) => void, onEnd: () => void) => {
    const move = (event: MouseEvent) => {
      const place = at(event);
      if (place !== null && place.column !== null && place.column >= 0) onMove({ row: place.row, column: place.column });
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
      if (place.column < 0) return selection?.toggle(cells.idOf(place.row), event.shiftKey ? cells : null);
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
