// Cells that were changed and not saved yet, over the rows as they were read. Edits are staged, undone and redone here, kept in the browser
// until they are saved or discarded, and marked where the service refuses them. Imports no framework.

import { isEqual } from '../../draft/draft.js';
import { isTyped } from '../../schema/typed.js';

interface StagedCell {
  /** The stored value the edit was made on. */
  readonly base: unknown;
  readonly value: unknown;
}

export interface StagedRow {
  /** The key of the stored item; null: the row is new. */
  readonly key: unknown;
  readonly cells: Readonly<Record<string, StagedCell>>;
}

/** Rows by their ids: the key as text, or a name for a new row. */
type StagedRows = ReadonlyMap<string, StagedRow>;

export interface CellChange {
  readonly id: string;
  readonly key: unknown;
  readonly field: string;
  readonly base: unknown;
  readonly value: unknown;
}

/** Where staged rows are kept. */
export interface RowsKeeper {
  read(): readonly (readonly [string, StagedRow])[];
  write(rows: readonly (readonly [string, StagedRow])[]): void;
}

const placeOf = (id: string, field: string): string => JSON.stringify([id, field]);

export class CellEdits {
  #rows: StagedRows;
  #done: readonly StagedRows[] = [];
  #undone: readonly StagedRows[] = [];
  #refusals = new Map<string, string>();
  #version = 0;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly keeper: RowsKeeper) {
    this.#rows = new Map(keeper.read());
  }

  get rows(): StagedRows {
    return this.#rows;
  }

  /** Rows to create, in their order. */
  get newRows(): readonly (readonly [string, StagedRow])[] {
    return [...this.#rows].filter(([, { key }]) => key === null);
  }

  get cellCount(): number {
    return [...this.#rows.values()].reduce((sum, { cells }) => sum + Object.keys(cells).length, 0);
  }

  get refusalCount(): number {
    return new Set([...this.#refusals.keys(), ...this.faults.map(({ id, field }) => placeOf(id, field))]).size;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  cell(id: string, field: string): StagedCell | undefined {
    return this.#rows.get(id)?.cells[field];
  }

  refusal(id: string, field: string): string | undefined {
    return this.#refusals.get(placeOf(id, field));
  }

  /** Cells with a text that is no value of their field. Nothing is saved while there are any. */
  get faults(): readonly { readonly id: string; readonly field: string }[] {
    return [...this.#rows].flatMap(([id, { cells }]) =>
      Object.entries(cells).flatMap(([field, { value }]) => (isTyped(value) ? [{ id, field }] : [])),
    );
  }

  /** Several cells as one step of undo. An edit back to the stored value is no edit. */
  stage(changes: readonly CellChange[]): void {
    if (changes.length === 0) return;
    const rows = new Map(this.#rows);
    for (const { id, key, field, base, value } of changes) {
      const { [field]: present, ...others } = rows.get(id)?.cells ?? {};
      const stored = present === undefined ? base : present.base;
      const isBack = key !== null && isEqual(stored ?? null, value ?? null);
      const cells = isBack ? others : { ...others, [field]: { base: stored, value } };
      if (Object.keys(cells).length === 0) rows.delete(id);
      else rows.set(id, { key, cells });
      this.#refusals.delete(placeOf(id, field));
    }
    this.#done = [...this.#done.slice(-99), this.#rows];
    this.#undone = [];
    this.#set(rows);
  }

  /** False when there is nothing to take back. */
  undo(): boolean {
    const before = this.#done.at(-1);
    if (before === undefined) return false;
    this.#done = this.#done.slice(0, -1);
    this.#undone = [...this.#undone, this.#rows];
    this.#step(before);
    return true;
  }

  redo(): boolean {
    const after = this.#undone.at(-1);
    if (after === undefined) return false;
    this.#undone = this.#undone.slice(0, -1);
    this.#done = [...this.#done, this.#rows];
    this.#step(after);
    return true;
  }

  refuse(refusals: readonly { readonly id: string; readonly field: string; readonly message: string }[]): void {
    this.#refusals = new Map(refusals.map(({ id, field, message }) => [placeOf(id, field), message]));
    this.#set(this.#rows);
  }

  /** Somebody else stored other values: the edits lie over those from now on. */
  rebase(values: readonly { readonly id: string; readonly field: string; readonly base: unknown }[]): void {
    const rows = new Map(this.#rows);
    for (const { id, field, base } of values) {
      const row = rows.get(id);
      const cell = row?.cells[field];
      if (row !== undefined && cell !== undefined) rows.set(id, { ...row, cells: { ...row.cells, [field]: { ...cell, base } } });
    }
    this.#set(rows);
  }

  /** Lets go of all cells, which is a step of undo. Returns what brings them back, below edits made since. */
  discard(): () => void {
    const before = this.#rows;
    this.#replace(new Map());
    return () => {
      const rows = new Map(before);
      for (const [id, { key, cells }] of this.#rows) rows.set(id, { key, cells: { ...before.get(id)?.cells, ...cells } });
      this.#replace(rows);
    };
  }

  #replace(rows: StagedRows): void {
    this.#done = [...this.#done.slice(-99), this.#rows];
    this.#undone = [];
    this.#step(rows);
  }

  /** After a save. */
  clear(): void {
    this.#done = [];
    this.#undone = [];
    this.#refusals = new Map();
    this.#set(new Map());
  }

  /** A cell that is no longer edited cannot stay marked. */
  #step(rows: StagedRows): void {
    for (const place of this.#refusals.keys()) {
      const [id, field] = JSON.parse(place) as [string, string];
      if (rows.get(id)?.cells[field]?.value !== this.#rows.get(id)?.cells[field]?.value) this.#refusals.delete(place);
    }
    this.#set(rows);
  }

  #set(rows: StagedRows): void {
    this.#rows = rows;
    this.keeper.write([...rows]);
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** Keeps staged rows in the browser, under a name. A browser without room keeps them for this page only. */
export const browserRowsKeeper = (place: string): RowsKeeper => ({
  read: () => {
    try {
      return JSON.parse(localStorage.getItem(place) ?? '[]') as readonly (readonly [string, StagedRow])[];
    } catch {
      return [];
    }
  },
  write: (rows) => {
    try {
      if (rows.length === 0) localStorage.removeItem(place);
      else localStorage.setItem(place, JSON.stringify(rows));
    } catch {
      localStorage.removeItem(place);
    }
  },
});
