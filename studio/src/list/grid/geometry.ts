// Places in the grid: cells, rectangles of cells, and how keys move between them. Pure, imports no framework.

import type { Column } from '../columns.js';
import type { ScrollScale } from '../scroll-scale.js';

export const rowHeight = 36;
/** The column of boxes that select rows. */
export const gutter = 44;

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Both ends included. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly start: number;
  readonly end: number;
}

/** The rectangle between two cells. */
export const rangeOf = (one: Place, other: Place): Range => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  start: Math.min(one.column, other.column),
  end: Math.max(one.column, other.column),
});

export const isInside = ({ top, bottom, start, end }: Range, { row, column }: Place): boolean =>
  row >= top && row <= bottom && column >= start && column <= end;

export const cellsIn = ({ top, bottom, start, end }: Range): number => (bottom - top + 1) * (end - start + 1);

/** Where a column begins, the gutter included. */
export const startOf = (columns: readonly Column[], column: number): number =>
  columns.slice(0, column).reduce((sum, each) => sum + each.width, gutter);

export const totalWidth = (columns: readonly Column[]): number => startOf(columns, columns.length);

/** The column at a distance from the beginning of the rows; -1 is the gutter, null is behind the last one. */
export function columnAt(columns: readonly Column[], distance: number): number | null {
  if (distance < gutter) return -1;
  let end = gutter;
  const found = columns.findIndex(({ width }) => {
    end += width;
    return distance < end;
  });
  return found < 0 ? null : found;
}

interface Bounds {
  readonly rows: number;
  readonly columns: number;
  /** Rows in sight. */
  readonly page: number;
}

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** The place a key leads to; null when it does not move. */
export function nextPlace({ key, ctrlKey, metaKey }: Key, { row, column }: Place, { rows, columns, page }: Bounds): Place | null {
  const far = ctrlKey || metaKey;
  const at = (toRow: number, toColumn: number): Place => ({
    row: Math.max(0, Math.min(rows - 1, toRow)),
    column: Math.max(0, Math.min(columns - 1, toColumn)),
  });
  switch (key) {
    case 'ArrowDown':
      return at(far ? rows - 1 : row + 1, column);
    case 'ArrowUp':
      return at(far ? 0 : row - 1, column);
    case 'ArrowRight':
      return at(row, far ? columns - 1 : column + 1);
    case 'ArrowLeft':
      return at(row, far ? 0 : column - 1);
    case 'PageDown':
      return at(row + page, column);
    case 'PageUp':
      return at(row - page, column);
    case 'Home':
      return at(far ? 0 : row, 0);
    case 'End':
      return at(far ? rows - 1 : row, columns - 1);
    default:
      return null;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Scrolls rows into sight. */
export function revealRows(element: HTMLElement, first: number, last: number, scale: ScrollScale): void {
  const [top, bottom] = [first * rowHeight, (last + 1) * rowHeight];
  const offset = scale.toOffset(element.scrollTop);
  if (top < offset) element.scrollTop = scale.toScrollTop(top);
  else if (bottom > offset + element.clientHeight) element.scrollTop = scale.toScrollTop(bottom - element.clientHeight);
}

/** Scrolls a cell into sight. */
export function reveal(element: HTMLElement, { row, column }: Place, columns: readonly Column[], size: Size, scale: ScrollScale): void {
  revealRows(element, row, row, scale);
  revealColumn(element, column, columns, size);
}

/** Scrolls a column into sight, its heading with it. */
export function revealColumn(element: HTMLElement, column: number, columns: readonly Column[], size: Pick<Size, 'width'>): void {
  const start = startOf(columns, column);
  const end = start + (columns[column]?.width ?? 0);
  const left = Math.abs(element.scrollLeft);
  const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1;
  if (start - gutter < left) element.scrollLeft = sign * (start - gutter);
  else if (end > left + size.width) element.scrollLeft = sign * (end - size.width);
}
