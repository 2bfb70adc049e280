// Copying, pasting and filling rectangles of cells. A pasted block is one step of undo; what does not fit is said, not dropped in silence.

import { search } from '../../api/client.js';
import type { Item } from '../../draft/item.js';
import type { Collection, Field, Schema } from '../../schema/model.js';
import { plainText, renderTemplate, templateOf, templatePaths, titleField } from '../../schema/templates.js';
import { itemsPath } from '../../studio-context.js';
import type { Language } from '../../text/use-text.js';
import { printValue, readValue } from '../../values/read-value.js';
import type { Range } from '../grid/geometry.js';
import type { CellChange } from './cell-edits.js';
import { parseCells, printCells } from './clipboard.js';
import type { Cells } from './use-cells.js';

const mostRows = 5000;

/** The rectangle as spreadsheets read it; related items by their titles. */
export function copyCells(cells: Cells, language: Language, { top, bottom, start, end }: Range): string {
  const rows = Array.from({ length: bottom - top + 1 }, (_, row) =>
    Array.from({ length: end - start + 1 }, (__, column) => {
      const at = cells.columns[start + column];
      const value = cells.value(top + row, start + column);
      const isRelated = at?.field.relation?.kind === 'm2o' && typeof value === 'object';
      if (at === undefined) return '';
      return isRelated ? (cells.text(top + row, start + column) ?? '') : printValue(at.field, value, language);
    }),
  );
  return printCells(rows);
}

export interface Pasted {
  readonly range: Range;
  /** Columns or rows that found no place. */
  readonly left: number;
}

interface Context {
  readonly schema: Schema;
  readonly language: Language;
}

/** Lays a block over the grid. One value fills the whole rectangle; a block begins at its corner. */
export async function pasteCells(context: Context, cells: Cells, range: Range, text: string): Promise<Pasted> {
  const block = parseCells(text);
  const width = Math.max(...block.map((row) => row.length));
  const isOne = block.length === 1 && width === 1;
  const target = isOne ? range : { top: range.top, start: range.start, bottom: range.top + block.length - 1, end: range.start + width - 1 };
  const end = Math.min(target.end, cells.columns.length - 1);
  const lastRow = cells.mayAdd ? target.bottom : Math.min(target.bottom, cells.storedCount - 1);
  const bottom = Math.min(lastRow, target.top + mostRows - 1);
  await cells.rows.ensure(target.top, Math.min(bottom, cells.storedCount - 1));
  const placed: Placed[] = [];
  for (let row = target.top; row <= bottom; row += 1)
    for (let column = target.start; column <= end; column += 1) {
      const typed = isOne ? block[0]?.[0] : block[row - target.top]?.[column - target.start];
      const at = cells.columns[column];
      if (typed !== undefined && at !== undefined) placed.push({ row, column, typed, field: at.field });
    }
  const found = await findRelated(
    context,
    placed.filter(({ column }) => cells.isEditable(column)),
  );
  const changes = placed.map((each) => changeOf(context, cells, each, found));
  cells.edits.stage(changes.filter((change) => change !== null));
  const left = (target.end - end) * block.length + (target.bottom - bottom) * width + changes.filter((change) => change === null).length;
  return { range: { ...target, bottom, end }, left };
}

interface Placed {
  readonly row: number;
  readonly column: number;
  readonly typed: string;
  readonly field: Field;
}

function changeOf({ language }: Context, cells: Cells, { row, column, typed, field }: Placed, found: RelatedItems): CellChange | null {
  if (field.relation?.kind === 'm2o' && typed.trim() !== '') {
    const item = found.get(field.name)?.get(typed.trim());
    return cells.change(row, column, item ?? typed.trim(), item === undefined ? 'unknown' : null);
  }
  const { value, fault } = readValue(field, typed, language);
  return cells.change(row, column, value, fault);
}

/** Items by field, then by title or key. */
type RelatedItems = ReadonlyMap<string, ReadonlyMap<string, Item>>;

/** One request for each relation in the block. */
async function findRelated({ schema }: Context, placed: readonly Placed[]): Promise<RelatedItems> {
  const fields = new Map(placed.filter(({ field }) => field.relation?.kind === 'm2o').map(({ field }) => [field.name, field]));
  const found = await Promise.all(
    [...fields.values()].map(async (field) => {
      const texts = [...new Set(placed.filter((each) => each.field === field).map(({ typed }) => typed.trim()))].filter(Boolean);
      const related = field.relation?.kind === 'm2o' ? schema.get(field.relation.related) : undefined;
      return [field.name, related === undefined ? new Map<string, Item>() : await findByText(related, texts)] as const;
    }),
  );
  return new Map(found);
}

export async function findByText(related: Collection, texts: readonly string[]): Promise<ReadonlyMap<string, Item>> {
  const [key, title, template] = [related.key, titleField(related), templateOf(related)];
  if (key === null || texts.length === 0) return new Map();
  const isWhole = template.filter(({ kind }) => kind === 'field').length < 2;
  const type = related.fieldsByName.get(key)?.type ?? '';
  const keys =
    type === 'integer' || type === 'bigInteger'
      ? texts.filter((text) => /^\d{1,18}$/.test(text))
      : type === 'uuid'
        ? texts.filter(isUuid)
        : texts;
  const asked = [
    // A name of two fields is looked for by its first, and found as a whole.
    ...(title === null || title === key ? [] : [{ [title]: { _in: isWhole ? texts : texts.flatMap(beginnings) } }]),
    ...(keys.length === 0 ? [] : [{ [key]: { _in: keys } }]),
  ];
  if (asked.length === 0) return new Map();
  const fields = [...new Set([key, ...(title === null ? [] : [title]), ...templatePaths(template)])];
  const { data } = await search<readonly Item[]>(itemsPath(related), { fields, filter: { _or: asked }, limit: -1 });
  const byKey = data.map((item) => [plainText(item[key]), item] as const);
  const byTitle = data.flatMap((item) => [
    [renderTemplate(template, item), item] as const,
    ...(title === null || !isWhole ? [] : [[plainText(item[title]), item] as const]),
  ]);
  return new Map([...byKey, ...byTitle]);
}

/** "Mary Ann Lee": Mary Ann Lee, Mary Ann, Mary. */
const beginnings = (text: string): readonly string[] => {
  const words = text.split(' ');
  return words.map((_, count) => words.slice(0, words.length - count).join(' '));
};

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Copies the first row of the rectangle into the others. */
export async function fillDown(cells: Cells, { top, bottom, start, end }: Range): Promise<void> {
  const last = Math.min(bottom, top + mostRows - 1, cells.rowCount - 1);
  await cells.rows.ensure(top, Math.min(last, cells.storedCount - 1));
  const changes: (CellChange | null)[] = [];
  for (let column = start; column <= end; column += 1) {
    const value = cells.value(top, column);
    for (let row = top + 1; row <= last; row += 1) changes.push(cells.change(row, column, value ?? null));
  }
  cells.edits.stage(changes.filter((change) => change !== null));
}

export function clearCells(cells: Cells, { top, bottom, start, end }: Range): void {
  const changes: (CellChange | null)[] = [];
  for (let row = top; row <= Math.min(bottom, top + mostRows - 1); row += 1)
    for (let column = start; column <= end; column += 1) changes.push(cells.clear(row, column));
  cells.edits.stage(changes.filter((change) => change !== null));
}
