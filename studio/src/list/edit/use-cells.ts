// The cells of a list as the grid shows them: stored rows with staged edits over them, then rows that are new. Everything that changes cells
// (typing, pasting, filling, clearing) stages edits here.

import { useMemo, useSyncExternalStore } from 'react';
import { cellText } from '../../displays/cell-text.js';
import { isFixed } from '../../schema/form-fields.js';
import { keyText, keyValue } from '../../schema/item-key.js';
import type { Collection } from '../../schema/model.js';
import { newItem } from '../../schema/new-item.js';
import { fieldsFor } from '../../schema/permissions.js';
import { type Fault, isTyped, typedText } from '../../schema/typed.js';
import { useMay, useStudio } from '../../studio-context.js';
import { type Language, useLanguage } from '../../text/use-text.js';
import { emptyValue } from '../../values/read-value.js';
import { type Column, columnValue } from '../columns.js';
import type { CellMark } from '../grid/grid-painter.js';
import type { Row, Rows } from '../rows.js';
import type { CellChange, CellEdits } from './cell-edits.js';

export interface Cells {
  readonly columns: readonly Column[];
  /** Stored rows and new ones. */
  readonly rowCount: number;
  readonly storedCount: number;
  readonly edits: CellEdits;
  readonly rows: Rows;
  readonly mayAdd: boolean;
  /** Undefined: the row is on its way. */
  text(row: number, column: number): string | undefined;
  value(row: number, column: number): unknown;
  mark(row: number, column: number): CellMark;
  refusal(row: number, column: number): string | undefined;
  isEditable(column: number): boolean;
  isNew(row: number): boolean;
  /** The key of a stored row as text, or the name of a new one; null: the row is on its way, or has no key. */
  idOf(row: number): string | null;
  rowOf(id: string): number | null;
  /** The edit of a cell; null when it cannot be edited. `row` may be one behind the last: it is added then. */
  change(row: number, column: number, value: unknown, fault?: Fault | null): CellChange | null;
  clear(row: number, column: number): CellChange | null;
}

export function useCells(collection: Collection, columns: readonly Column[], rows: Rows, edits: CellEdits): Cells {
  const language = useLanguage();
  const { schema, permissions } = useStudio().boot;
  const may = useMay();
  const rowsVersion = useSyncExternalStore(rows.subscribe, rows.version);
  const editsVersion = useSyncExternalStore(edits.subscribe, edits.version);
  const mayWrite = may(collection, 'update') && collection.keys.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows and edits change without becoming others
  return useMemo(() => {
    const mayUpdate = fieldsFor(permissions, collection, 'update');
    const editable = columns.map(
      ({ isOwn, field }) => mayWrite && isOwn && !isFixed(field, false) && !field.readonly && mayUpdate(field.name),
    );
    return new ListCells({
      collection,
      columns,
      rows,
      edits,
      editable,
      language,
      mayAdd: mayWrite && may(collection, 'create'),
      fresh: newItem(collection, permissions),
      textOf: (column, value) => cellText(schema, column.field, value, language),
    });
  }, [collection, columns, rows, edits, language, mayWrite, permissions, rowsVersion, editsVersion]);
}

interface CellSources {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  readonly edits: CellEdits;
  readonly editable: readonly boolean[];
  readonly language: Language;
  readonly mayAdd: boolean;
  /** A new item before anything is typed. */
  readonly fresh: Row;
  readonly textOf: (column: Column, value: unknown) => string;
}

class ListCells implements Cells {
  readonly columns: readonly Column[];
  readonly rows: Rows;
  readonly edits: CellEdits;
  readonly storedCount: number;
  readonly rowCount: number;
  readonly mayAdd: boolean;
  readonly #newIds: readonly string[];

  constructor(private readonly sources: CellSources) {
    ({ columns: this.columns, rows: this.rows, edits: this.edits, mayAdd: this.mayAdd } = sources);
    this.#newIds = sources.edits.newRows.map(([id]) => id);
    this.storedCount = sources.rows.end;
    this.rowCount = this.storedCount + this.#newIds.length;
  }

  text(row: number, column: number): string | undefined {
    const at = this.columns[column];
    if (at === undefined || (!this.isNew(row) && this.rows.row(row) === undefined)) return undefined;
    const value = this.value(row, column);
    return isTyped(value) ? value.text : this.sources.textOf(at, value);
  }

  value(row: number, column: number): unknown {
    const [at, id] = [this.columns[column], this.idOf(row)];
    if (at === undefined) return undefined;
    const staged = at.isOwn && id !== null ? this.edits.cell(id, at.field.name) : undefined;
    return staged === undefined ? this.#stored(row, at) : staged.value;
  }

  mark(row: number, column: number): CellMark {
    const [at, id] = [this.columns[column], this.idOf(row)];
    if (at === undefined || id === null || !at.isOwn) return null;
    if (this.refusal(row, column) !== undefined) return 'refused';
    return this.edits.cell(id, at.field.name) === undefined ? null : 'staged';
  }

  refusal(row: number, column: number): string | undefined {
    const [at, id] = [this.columns[column], this.idOf(row)];
    if (at === undefined || id === null) return undefined;
    const staged = at.isOwn ? this.edits.cell(id, at.field.name)?.value : undefined;
    return isTyped(staged) ? this.sources.language.text.list.faults[staged.fault] : this.edits.refusal(id, at.field.name);
  }

  isEditable(column: number): boolean {
    return this.sources.editable[column] === true;
  }

  isNew(row: number): boolean {
    return row >= this.storedCount;
  }

  idOf(row: number): string | null {
    if (this.isNew(row)) return this.#newIds[row - this.storedCount] ?? null;
    const stored = this.rows.row(row);
    return stored === undefined ? null : keyText(this.sources.collection, stored);
  }

  rowOf(id: string): number | null {
    const place = this.#newIds.indexOf(id);
    return place < 0 ? this.rows.indexOf(id) : this.storedCount + place;
  }

  change(row: number, column: number, given: unknown, fault: Fault | null = null): CellChange | null {
    const at = this.columns[column];
    const { collection } = this.sources;
    if (at === undefined || !this.isEditable(column)) return null;
    // What is no value is kept as it was typed, and blocks saving.
    const value = fault === null ? given : typedText(String(given), fault);
    if (row >= this.storedCount) {
      const id = this.#newIds[row - this.storedCount] ?? `new:${row - this.storedCount}:${this.edits.version()}`;
      return this.mayAdd ? { id, key: null, field: at.field.name, base: undefined, value } : null;
    }
    const stored = this.rows.row(row);
    const id = stored === undefined ? null : keyText(collection, stored);
    if (stored === undefined || id === null) return null;
    return { id, key: keyValue(collection, stored), field: at.field.name, base: stored[at.field.name], value };
  }

  clear(row: number, column: number): CellChange | null {
    const at = this.columns[column];
    return at === undefined ? null : this.change(row, column, emptyValue(at.field));
  }

  /** Of a new row: what it gets unless something is typed. */
  #stored(row: number, column: Column): unknown {
    if (this.isNew(row)) return column.isOwn ? this.sources.fresh[column.field.name] : undefined;
    const stored: Row | undefined = this.rows.row(row);
    return stored === undefined ? undefined : columnValue(column, stored);
  }
}
