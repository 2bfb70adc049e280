// The grid of a list: a head of buttons, a canvas for the cells, the editor over the cell that is edited, and the visible rows as rows and
// cells hidden from sight. Cells are worked with as in a spreadsheet: arrow keys and the mouse choose a rectangle, typing edits, Ctrl+C, Ctrl+V,
// Ctrl+D and Delete act on the rectangle. Space opens the item, Shift+Space selects its row.

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Reading } from '../../schema/typed.js';
import { useLanguage } from '../../text/use-text.js';
import type { Column } from '../columns.js';
import type { Cells } from '../edit/use-cells.js';
import type { Rows } from '../rows.js';
import { CellEditor } from './cell-editor.js';
import { cellsIn, gutter, type Place, type Range, rangeOf, reveal, revealColumn, rowHeight, startOf, totalWidth } from './geometry.js';
import { GridHead } from './grid-head.js';
import { useKeys, useMouse } from './grid-input.js';
import type { Drop } from './grid-painter.js';
import type { GridActions, GridProps, Step } from './grid-props.js';
import { Mirror } from './mirror.js';
import { stayInGrid } from './stay-in-grid.js';
import { useCanvas } from './use-canvas.js';

interface Editing extends Place {
  readonly typed: string | null;
}

export function Grid(props: GridProps) {
  const { label, cells, selection, actions } = props;
  const { columns, rowCount } = cells;
  const language = useLanguage();
  const id = useId();
  const isMirrored = language.direction === 'rtl';
  const [isActive, setActive] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const [place, setPlace] = useState<{ readonly focus: Place; readonly anchor: Place }>({ focus: corner, anchor: corner });
  const [editing, setEditing] = useState<Editing | null>(null);
  // A list may turn out shorter than it seemed.
  const inside = ({ row, column }: Place): Place => ({ row: Math.max(0, Math.min(row, rowCount - 1)), column });
  const focus = inside(place.focus);
  const range = rangeOf(inside(place.anchor), focus);
  const isSelected = (row: number) => selection?.has(cells.idOf(row)) ?? false;
  const painted = paintedCells(cells, isSelected, isMirrored);
  const chosen = { focus: isActive ? focus : null, range: isActive ? range : null, hoveredRow: hovered, drop };
  const mayFill = cells.isEditable(range.start) && editing === null;
  const onRows = (first: number, last: number) => cells.rows.want(first, last);
  const scene = { ...painted, ...chosen, mayFill, mayMove: props.order !== null, maySelect: selection !== null, onRows };
  const { body, canvas, head, size, sight, scale, shift } = useCanvas(scene);
  useScrollPlace(body, cells.rows);
  const go = (next: Place, keepsAnchor = false) => {
    setPlace(({ anchor }) => ({ focus: next, anchor: keepsAnchor ? anchor : next }));
    if (body.current !== null) reveal(body.current, next, columns, size, scale);
  };
  useWanted(props.wanted, cells, (next) => {
    go(next);
    body.current?.focus({ preventScroll: true });
  });
  const edit = (at: Place, typed: string | null) => {
    if (!cells.isEditable(at.column) || cells.idOf(at.row) === null) return props.onOpen(at.row);
    setEditing({ ...at, typed });
  };
  const close = (step: Step) => {
    setEditing(null);
    go(step === null ? focus : stepFrom(focus, step, rowCount, columns.length));
    body.current?.focus({ preventScroll: true });
  };
  const press = useKeys({ ...props, focus, range, size, go, edit, setRange: setPlace });
  const mouse = useMouse({ ...props, body, range, scale, isMirrored, go, setHovered, setDrop, edit });
  const clipboard = useClipboard(editing === null ? actions : null, range, setPlace);
  return (
    <div className="grid">
      <GridHead
        {...props}
        inner={head}
        columns={columns}
        onFocused={(column) => body.current !== null && revealColumn(body.current, column, columns, size)}
      />
      <div
        className="grid-body"
        ref={body}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-describedby={`${id}-help`}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-activedescendant={`${id}-${focus.row}-${focus.column}`}
        onKeyDown={press}
        onFocus={() => setActive(true)}
        onBlur={(event) => setActive(event.currentTarget.contains(event.relatedTarget))}
        {...clipboard}
        {...mouse}
      >
        {/* What follows is shorter by its height: with both at once, the list stays where it is scrolled to, even at its end. */}
        <canvas ref={canvas} className="grid-canvas" style={{ inlineSize: size.width, blockSize: size.height }} />
        <Mirror id={id} cells={cells} first={sight.first} last={sight.last} focus={focus} range={range} isSelected={isSelected} />
        <div style={{ blockSize: Math.max(0, scale.height - size.height), inlineSize: totalWidth(columns), pointerEvents: 'none' }} />
        {editing !== null && <OpenEditor cells={cells} editing={editing} shift={shift} onClose={close} />}
        {editing === null && <OpenLink {...props} columns={columns} shift={shift} row={hovered ?? (isActive ? focus.row : null)} />}
        {editing === null && isActive && (
          <Reason reason={cells.refusal(focus.row, focus.column)} place={focus} shift={shift} columns={columns} />
        )}
      </div>
      <p id={`${id}-help`} className="visually-hidden">
        {cellsIn(range) > 1 ? language.text.list.rangeHelp : language.text.list.gridHelp}
        {props.order !== null && ` ${language.text.list.moveHelp}`}
      </p>
    </div>
  );
}

const paintedCells = (cells: Cells, isSelected: (row: number) => boolean, rightToLeft: boolean) => ({
  columns: cells.columns,
  rowCount: cells.rowCount,
  cell: (row: number, column: number) => cells.text(row, column),
  mark: (row: number, column: number) => cells.mark(row, column),
  isNew: (row: number) => cells.isNew(row),
  isSelected,
  rightToLeft,
});

/** Opens the list where it was left; another list begins at its top. */
function useScrollPlace(body: React.RefObject<HTMLElement | null>, rows: Rows): void {
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null) return;
    element.scrollTop = rows.scrollTop;
    const keep = () => {
      rows.scrollTop = element.scrollTop;
    };
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [body, rows]);
}

const corner: Place = { row: 0, column: 0 };

/** `actions` is null while a cell is edited: its editor has the clipboard then. */
function useClipboard(
  actions: GridActions | null,
  range: Range,
  onPasted: (place: { readonly focus: Place; readonly anchor: Place }) => void,
) {
  return {
    onCopy: (event: React.ClipboardEvent) => {
      if (actions === null) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', actions.copy(range));
    },
    onPaste: async (event: React.ClipboardEvent) => {
      if (actions === null) return;
      event.preventDefault();
      const pasted = await actions.paste(range, event.clipboardData.getData('text/plain'));
      if (pasted === null) return;
      onPasted({ anchor: { row: pasted.top, column: pasted.start }, focus: { row: pasted.bottom, column: pasted.end } });
    },
  };
}

interface OpenEditorProps {
  readonly cells: Cells;
  readonly editing: Editing;
  readonly shift: number;
  readonly onClose: (step: Step) => void;
}

function OpenEditor({ cells, editing: { row, column, typed }, shift, onClose }: OpenEditorProps) {
  const field = cells.columns[column]?.field;
  if (field === undefined) return null;
  const commit = ({ value, fault }: Reading, step: Step) => {
    const change = cells.change(row, column, value, fault);
    if (change !== null) cells.edits.stage([change]);
    onClose(step);
  };
  return (
    <CellOverlay place={{ row, column }} shift={shift} columns={cells.columns}>
      <CellEditor
        field={field}
        value={cells.value(row, column)}
        typed={typed}
        refusal={cells.refusal(row, column)}
        onCancel={() => onClose(null)}
        onCommit={commit}
      />
    </CellOverlay>
  );
}

/** Goes to a cell when it is asked for, once. */
function useWanted(wanted: GridProps['wanted'], cells: Cells, go: (place: Place) => void): void {
  const last = useRef<GridProps['wanted']>(null);
  useEffect(() => {
    if (wanted === null || wanted === last.current) return;
    last.current = wanted;
    const [row, column] = [cells.rowOf(wanted.id), cells.columns.findIndex(({ field, isOwn }) => isOwn && field.name === wanted.field)];
    if (row !== null && column >= 0) go({ row, column });
  });
}

function stepFrom({ row, column }: Place, step: Step, rows: number, columns: number): Place {
  const by = step === 'up' || step === 'previous' ? -1 : 1;
  if (step === 'down' || step === 'up') return { row: Math.max(0, Math.min(rows - 1, row + by)), column };
  return { row, column: Math.max(0, Math.min(columns - 1, column + by)) };
}

interface OverlayProps {
  readonly place: Place;
  /** How far rows are from where they would be without the scale of scrolling. */
  readonly shift: number;
  readonly columns: readonly Column[];
  readonly children: React.ReactNode;
}

/** Where a cell is painted. What happens inside is not for the grid. */
function CellOverlay({ place, shift, columns, children }: OverlayProps) {
  const stop = (event: React.SyntheticEvent) => event.stopPropagation();
  const style = {
    insetBlockStart: place.row * rowHeight + shift,
    insetInlineStart: startOf(columns, place.column),
    inlineSize: Math.max(columns[place.column]?.width ?? 0, 120),
  };
  return (
    <div className="cell-overlay" style={style} onMouseDown={stop} onDoubleClick={stop} onMouseMove={stop} onPaste={stop} onCopy={stop}>
      {children}
    </div>
  );
}

interface ReasonProps extends Omit<OverlayProps, 'children'> {
  readonly reason: string | undefined;
}

/** Why the focused cell was refused. */
function Reason({ reason, place, shift, columns }: ReasonProps) {
  if (reason === undefined) return null;
  const style = { insetBlockStart: (place.row + 1) * rowHeight + shift, insetInlineStart: startOf(columns, place.column) };
  return (
    <p key={`${place.row}/${place.column}`} ref={stayInGrid} className="cell-refusal floating" style={style} role="alert">
      {reason}
    </p>
  );
}

interface OpenLinkProps {
  readonly addressOf: (row: number) => string | null;
  readonly row: number | null;
  readonly shift: number;
  readonly columns: readonly Column[];
}

/** Opens the item of the row under the mouse; keys have Space for it. */
function OpenLink({ addressOf, row, shift, columns }: OpenLinkProps) {
  const { text } = useLanguage();
  const address = row === null ? null : addressOf(row);
  if (row === null || address === null) return null;
  const style = { insetBlockStart: row * rowHeight + shift + 5, insetInlineStart: gutter + (columns[0]?.width ?? 0) - 68 };
  return (
    <Link
      href={address}
      className="open-link"
      style={style}
      tabIndex={-1}
      aria-hidden="true"
      onMouseDown={(event) => event.stopPropagation()}
    >
      {text.list.open}
    </Link>
  );
}
