// What the grid is given: cells, what is selected, and what happens when somebody acts on them.

import type { Field } from '../../schema/model.js';
import type { Reading } from '../../schema/typed.js';
import type { Column } from '../columns.js';
import type { Cells } from '../edit/use-cells.js';
import type { Sort } from '../list-state.js';
import type { Selection } from '../selection.js';
import type { Order } from '../use-order.js';
import type { Range } from './geometry.js';

export type Step = 'down' | 'up' | 'next' | 'previous' | null;

/** What the editor of one cell is given. */
export interface CellEditorProps {
  readonly field: Field;
  readonly value: unknown;
  /** What was typed to begin with, in place of the value. */
  readonly typed: string | null;
  readonly refusal: string | undefined;
  readonly onCommit: (reading: Reading, step: Step) => void;
  readonly onCancel: () => void;
}

export interface GridProps {
  readonly label: string;
  readonly cells: Cells;
  readonly sort: readonly Sort[];
  readonly selection: Selection | null;
  /** Null: rows cannot be moved. */
  readonly order: Order | null;
  /** The address of a row's item; null: it has none. */
  readonly addressOf: (row: number) => string | null;
  readonly onOpen: (row: number) => void;
  readonly onSort: (column: Column, isAdded: boolean) => void;
  readonly onWidth: (name: string, width: number) => void;
  readonly actions: GridActions;
  /** A cell to go to, such as one that was refused. */
  readonly wanted: { readonly id: string; readonly field: string } | null;
}

export interface GridActions {
  readonly copy: (range: Range) => string;
  readonly paste: (range: Range, text: string) => Promise<Range | null>;
  readonly fill: (range: Range) => void;
  readonly clear: (range: Range) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}
