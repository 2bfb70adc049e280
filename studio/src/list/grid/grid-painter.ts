// Paints the visible part of a grid on a canvas: at a hundred thousand rows this alone keeps scrolling smooth. Colours come from the page's
// CSS variables. The painter knows texts, marks and places; what they mean is the grid's business.

import type { Place, Range } from './geometry.js';

interface PaintedColumn {
  readonly width: number;
  readonly align: 'start' | 'end';
}

/** staged: changed and not saved; refused: the service does not take it. */
export type CellMark = 'staged' | 'refused' | null;

export interface Scene {
  readonly columns: readonly PaintedColumn[];
  readonly gutter: number;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly scrollLeft: number;
  readonly rowCount: number;
  readonly rightToLeft: boolean;
  /** Undefined: the row is on its way. */
  readonly cell: (row: number, column: number) => string | undefined;
  readonly mark: (row: number, column: number) => CellMark;
  readonly isSelected: (row: number) => boolean;
  /** Whether rows have boxes. */
  readonly maySelect: boolean;
  readonly isNew: (row: number) => boolean;
  /** Null while the grid is not focused. */
  readonly focus: Place | null;
  readonly range: Range | null;
  readonly mayFill: boolean;
  readonly hoveredRow: number | null;
  /** Whether rows have handles. */
  readonly mayMove: boolean;
  readonly drop: Drop | null;
}

/** A row that is dragged, and the one whose place it would take. */
export interface Drop {
  readonly row: number;
  readonly to: number;
}

interface Colours {
  readonly surface: string;
  readonly line: string;
  readonly strongLine: string;
  readonly ink: string;
  readonly hover: string;
  readonly accent: string;
  readonly soft: string;
  readonly amber: string;
  readonly danger: string;
  readonly dangerSoft: string;
}

const padding = 12;

export function paintGrid(canvas: HTMLCanvasElement, width: number, height: number, scene: Scene): void {
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) return;
  const scale = devicePixelRatio;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const painting = { context, width, scene, colours: coloursOf(canvas) };
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = painting.colours.surface;
  context.fillRect(0, 0, width, height);
  context.font = `14px ${getComputedStyle(canvas).fontFamily}`;
  context.textBaseline = 'middle';
  const first = Math.floor(scene.scrollTop / scene.rowHeight);
  const last = Math.min(scene.rowCount - 1, Math.floor((scene.scrollTop + height) / scene.rowHeight));
  for (let row = first; row <= last; row += 1) paintRow(painting, row);
  paintRange(painting);
  for (let row = first; row <= last; row += 1) paintGutter(painting, row);
  paintDrop(painting);
}

interface Painting {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly scene: Scene;
  readonly colours: Colours;
}

interface Box {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A box by its distance from the beginning of the row, which is at the right in right-to-left languages. */
function boxAt({ width, scene }: Painting, row: number, distance: number, size: number): Box {
  const x = scene.rightToLeft ? width - distance - size : distance;
  return { x, top: row * scene.rowHeight - scene.scrollTop, width: size, height: scene.rowHeight };
}

function paintRow(painting: Painting, row: number): void {
  const { context, width, scene, colours } = painting;
  const top = row * scene.rowHeight - scene.scrollTop;
  if (scene.isSelected(row) || scene.hoveredRow === row) {
    context.fillStyle = scene.isSelected(row) ? colours.soft : colours.hover;
    context.fillRect(0, top, width, scene.rowHeight);
  }
  let distance = scene.gutter - scene.scrollLeft;
  for (const [index, column] of scene.columns.entries()) {
    if (distance < width && distance + column.width > 0) {
      const box = boxAt(painting, row, distance, column.width);
      paintMark(painting, scene.mark(row, index), box);
      paintCell(painting, scene.cell(row, index), box, column);
    }
    distance += column.width;
  }
  context.fillStyle = colours.line;
  context.fillRect(0, top + scene.rowHeight - 1, width, 1);
}

/** A staged value has an amber edge, a refused one a red frame: neither is marked by colour alone. */
function paintMark({ context, scene, colours }: Painting, mark: CellMark, { x, top, width, height }: Box): void {
  if (mark === null) return;
  if (mark === 'refused') {
    context.fillStyle = colours.dangerSoft;
    context.fillRect(x, top, width, height - 1);
    context.strokeStyle = colours.danger;
    context.lineWidth = 1.5;
    context.strokeRect(x + 1, top + 1, width - 2, height - 3);
    return;
  }
  const edge = scene.rightToLeft ? x + width : x;
  const inwards = scene.rightToLeft ? -1 : 1;
  context.fillStyle = colours.amber;
  context.beginPath();
  context.moveTo(edge, top);
  context.lineTo(edge + inwards * 9, top);
  context.lineTo(edge, top + 9);
  context.fill();
}

/** The box that selects the row, over whatever scrolled below it. */
function paintGutter(painting: Painting, row: number): void {
  const { context, scene, colours } = painting;
  const { x, top, width, height } = boxAt(painting, row, 0, scene.gutter);
  const isSelected = scene.isSelected(row);
  context.fillStyle = isSelected ? colours.soft : scene.hoveredRow === row ? colours.hover : colours.surface;
  context.fillRect(x, top, width, height - 1);
  context.fillStyle = colours.line;
  context.fillRect(scene.rightToLeft ? x : x + width - 1, top, 1, height);
  context.fillRect(x, top + height - 1, width, 1);
  const [left, upper] = [x + (width - 16) / 2, top + (height - 16) / 2];
  if (scene.isNew(row)) {
    context.fillStyle = colours.amber;
    context.textAlign = 'center';
    context.fillText('+', x + width / 2, top + height / 2);
    return;
  }
  if (scene.mayMove && scene.hoveredRow === row) paintHandle(painting, row);
  if (!scene.maySelect) return;
  context.beginPath();
  context.roundRect(left + 0.5, upper + 0.5, 15, 15, 4);
  context.lineWidth = 1;
  context.strokeStyle = isSelected ? colours.accent : colours.strongLine;
  context.fillStyle = isSelected ? colours.accent : colours.surface;
  context.fill();
  context.stroke();
  if (!isSelected) return;
  context.beginPath();
  context.moveTo(left + 4, upper + 8.5);
  context.lineTo(left + 7, upper + 11.5);
  context.lineTo(left + 12, upper + 5);
  context.strokeStyle = colours.surface;
  context.lineWidth = 2;
  context.stroke();
}

/** Six dots before the box: the row can be dragged by them. */
function paintHandle(painting: Painting, row: number): void {
  const { context, colours } = painting;
  const { x, top, height } = boxAt(painting, row, 4, 6);
  context.fillStyle = colours.ink;
  for (const [column, line] of [0, 1].flatMap((each) => [-1, 0, 1].map((other) => [each, other] as const)))
    context.fillRect(x + column * 4, top + height / 2 - 1 + line * 4, 2, 2);
}

/** A line where the dragged row would go. */
function paintDrop({ context, width, scene, colours }: Painting): void {
  const { drop } = scene;
  if (drop === null) return;
  context.globalAlpha = 0.12;
  context.fillStyle = colours.accent;
  context.fillRect(0, drop.row * scene.rowHeight - scene.scrollTop, width, scene.rowHeight - 1);
  context.globalAlpha = 1;
  context.fillRect(0, (drop.to > drop.row ? drop.to + 1 : drop.to) * scene.rowHeight - scene.scrollTop - 2, width, 3);
}

/** The chosen rectangle, the cell in it that keys act on, and the handle that fills downwards. */
function paintRange(painting: Painting): void {
  const { context, scene, colours } = painting;
  const { range, focus } = scene;
  if (range === null || focus === null) return;
  const widths = scene.columns.map(({ width }) => width);
  const sum = (list: readonly number[]) => list.reduce((total, width) => total + width, 0);
  const distance = scene.gutter - scene.scrollLeft + sum(widths.slice(0, range.start));
  const size = sum(widths.slice(range.start, range.end + 1));
  const { x, top } = boxAt(painting, range.top, distance, size);
  const height = (range.bottom - range.top + 1) * scene.rowHeight;
  if (range.top !== range.bottom || range.start !== range.end) {
    context.globalAlpha = 0.12;
    context.fillStyle = colours.accent;
    context.fillRect(x, top, size, height - 1);
    context.globalAlpha = 1;
    context.strokeStyle = colours.accent;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, top + 0.5, size - 1, height - 2);
  }
  const before = scene.gutter - scene.scrollLeft + sum(widths.slice(0, focus.column));
  const cell = boxAt(painting, focus.row, before, widths[focus.column] ?? 0);
  context.strokeStyle = colours.accent;
  context.lineWidth = 2;
  context.strokeRect(cell.x + 1, cell.top + 1, cell.width - 2, cell.height - 3);
  if (!scene.mayFill) return;
  const corner = scene.rightToLeft ? x : x + size;
  context.fillStyle = colours.surface;
  context.fillRect(corner - 5, top + height - 6, 9, 9);
  context.fillStyle = colours.accent;
  context.fillRect(corner - 4, top + height - 5, 7, 7);
}

function paintCell(painting: Painting, text: string | undefined, { x, top, width, height }: Box, { align }: PaintedColumn): void {
  const { context, scene, colours } = painting;
  const middle = top + height / 2;
  if (text === undefined) {
    context.fillStyle = colours.line;
    context.fillRect(x + padding, middle - 4, Math.min(90, width - 2 * padding), 8);
    return;
  }
  if (text === '') return;
  const atRight = (align === 'end') !== scene.rightToLeft;
  context.fillStyle = colours.ink;
  context.textAlign = atRight ? 'right' : 'left';
  context.fillText(cutToWidth(context, text, width - 2 * padding), atRight ? x + width - padding : x + padding, middle);
}

/** Cuts a text to a width, with an ellipsis. Texts are measured by halving, so that long ones cost little. */
function cutToWidth(context: CanvasRenderingContext2D, text: string, width: number): string {
  const candidate = text.length > 300 ? text.slice(0, 300) : text;
  if (context.measureText(candidate).width <= width) return candidate;
  let [low, high] = [0, candidate.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (context.measureText(`${candidate.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return `${candidate.slice(0, low)}…`;
}

const dark = matchMedia('(prefers-color-scheme: dark)');
let known: { readonly appearance: string; readonly colours: Colours } | null = null;

/** The colours of the present appearance. They are read once, because reading styles in every frame would cost more than painting. */
function coloursOf(canvas: HTMLCanvasElement): Colours {
  const { dataset, style } = document.documentElement;
  const appearance = `${dataset['theme']} ${dark.matches} ${style.getPropertyValue('--accent')}`;
  if (known?.appearance !== appearance) known = { appearance, colours: readColours(canvas) };
  return known.colours;
}

/** Custom properties hold `light-dark()` pairs; a probe element resolves them to plain colours. */
function readColours(canvas: HTMLCanvasElement): Colours {
  const probe = canvas.ownerDocument.createElement('span');
  canvas.parentElement?.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    surface: read('--surface'),
    line: read('--line'),
    strongLine: read('--line-strong'),
    ink: read('--ink'),
    hover: read('--surface-2'),
    accent: read('--accent-ink'),
    soft: read('--accent-soft'),
    amber: read('--amber'),
    danger: read('--danger'),
    dangerSoft: read('--danger-soft'),
  };
  probe.remove();
  return colours;
}
