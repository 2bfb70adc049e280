// Editing cells of a list: staging, saving as one request, taking a save back.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiError, randomKey } from '../../api/client.js';
import { cellText } from '../../displays/cell-text.js';
import { showToast } from '../../primitives/toasts.js';
import type { Collection } from '../../schema/model.js';
import { useStudio } from '../../studio-context.js';
import { useLanguage, useText } from '../../text/use-text.js';
import { type Column, fieldsOf } from '../columns.js';
import type { GridActions } from '../grid/grid-props.js';
import type { Row, Rows } from '../rows.js';
import { browserRowsKeeper, CellEdits } from './cell-edits.js';
import { findOvertaken, findRefusedRow, inverseOf, placeCellRefusals, type Saved, saveCells, takeBack } from './save-cells.js';
import { clearCells, copyCells, fillDown, pasteCells } from './transfer-cells.js';
import { type Cells, useCells } from './use-cells.js';

export interface Editing {
  readonly cells: Cells;
  readonly edits: CellEdits;
  readonly isSaving: boolean;
  readonly actions: GridActions;
  readonly wanted: { readonly id: string; readonly field: string } | null;
  readonly save: () => void;
  readonly discard: () => void;
}

interface ListParts {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  /** The list has to be read again. */
  readonly onReload: () => void;
}

export function useEditing(list: ListParts): Editing {
  const { collection, columns, rows } = list;
  const language = useLanguage();
  const { schema, me } = useStudio().boot;
  const edits = useMemo(() => new CellEdits(browserRowsKeeper(`draft:cells:${me.id}:${collection.name}`)), [collection, me]);
  const cells = useCells(collection, columns, rows, edits);
  const { save, undoSave, isSaving, wanted } = useSaving(list, edits);
  const isBusy = useRef(false);
  const guarded = async <T>(act: () => Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (error) {
      showToast(error instanceof ApiError && error.status > 0 ? error.message : language.text.unreachable);
      return null;
    }
  };
  const actions: GridActions = {
    copy: (range) => copyCells(cells, language, range),
    paste: (range, text) =>
      guarded(async () => {
        if (isBusy.current) return null;
        isBusy.current = true;
        try {
          const pasted = await pasteCells({ schema, language }, cells, range, text);
          if (pasted.left > 0) showToast(language.text.list.leftOut(pasted.left));
          return pasted.range;
        } finally {
          isBusy.current = false;
        }
      }),
    fill: (range) => void guarded(() => fillDown(cells, range)),
    clear: (range) => clearCells(cells, range),
    undo: () => {
      if (!edits.undo()) undoSave();
    },
    redo: () => void edits.redo(),
  };
  useSaveKey(save);
  const withdraw = useRef<() => void>(() => undefined);
  useEffect(() => () => withdraw.current(), []);
  const discard = () => {
    const count = edits.cellCount;
    const bringBack = edits.discard();
    withdraw.current = showToast(language.text.discarded(count), { label: language.text.undo, run: bringBack });
  };
  return { cells, edits, actions, isSaving, wanted, save, discard };
}

/** A save that can be taken back. */
interface LastSave {
  readonly inverse: ReturnType<typeof inverseOf>;
  readonly created: readonly Row[];
}

type Refresh = (updated: readonly Row[], mustReload: boolean) => Promise<void>;

/** Takes the last save back, unless somebody changed the same cells after it. */
function useUndoSave(target: Parameters<typeof saveCells>[0], refresh: Refresh) {
  const text = useText();
  const lastSave = useRef<LastSave | null>(null);
  const undoSave = async () => {
    const last = lastSave.current;
    if (last === null) return;
    lastSave.current = null;
    try {
      if ((await findOvertaken(target, last.inverse)).length > 0) return showToast(text.list.undoOvertaken);
      await refresh(await takeBack(target, last.inverse, last.created), last.created.length > 0);
      showToast(text.list.undone);
    } catch (error) {
      lastSave.current = last;
      showToast(error instanceof ApiError && error.status > 0 ? error.message : text.unreachable);
    }
  };
  return { lastSave, undoSave };
}

function useSaving({ collection, columns, rows, onReload }: ListParts, edits: CellEdits) {
  const language = useLanguage();
  const { text } = language;
  const cache = useQueryClient();
  const { schema } = useStudio().boot;
  const [isSaving, setSaving] = useState(false);
  // A key may be pressed before the end of the last save is shown.
  const isUnderWay = useRef(false);
  const [wanted, setWanted] = useState<Editing['wanted']>(null);
  const attempt = useRef({ version: -1, key: '' });
  const target = { schema, collection, fields: fieldsOf(collection, columns) };
  const textOf = (name: string, value: unknown): string => {
    const field = collection.fieldsByName.get(name);
    return field === undefined ? String(value) : cellText(schema, field, value, language);
  };
  const refresh: Refresh = async (updated, mustReload) => {
    rows.save(updated);
    if (mustReload) onReload();
    await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'page' && queryKey[0] !== 'presets' });
  };
  const { lastSave, undoSave } = useUndoSave(target, refresh);
  const finish = async ({ updated, created }: Saved, staged: typeof edits.rows) => {
    lastSave.current = { inverse: inverseOf(target, staged, updated), created };
    edits.clear();
    await refresh(updated, created.length > 0);
    showToast(text.saved, { label: text.list.undo, run: () => void undoSave() });
  };
  const mark = (refusals: Parameters<CellEdits['refuse']>[0]) => {
    edits.refuse(refusals);
    const [first] = refusals;
    setWanted(first === undefined ? null : { id: first.id, field: first.field });
  };
  /** The same edits sent again after a lost answer are the same write. */
  const keyOfAttempt = (): string => {
    if (attempt.current.version !== edits.version()) attempt.current = { version: edits.version(), key: randomKey() };
    return attempt.current.key;
  };
  const run = async () => {
    const staged = edits.rows;
    const idempotencyKey = keyOfAttempt();
    const overtaken = await findOvertaken(target, staged);
    if (overtaken.length > 0) {
      edits.rebase(overtaken.map(({ id, field, theirs }) => ({ id, field, base: theirs })));
      return mark(overtaken.map(({ id, field, theirs }) => ({ id, field, message: text.list.overtaken(textOf(field, theirs)) })));
    }
    await finish(await saveCells(target, staged, idempotencyKey), staged);
  };
  const refuse = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return showToast(text.list.notSaved);
    const { cells, others } = placeCellRefusals(edits.rows, error);
    const [{ message, extensions } = { message: error.message, extensions: null }] = error.entries;
    const field = extensions?.field;
    const row = cells.length > 0 || field === undefined ? null : await findRefusedRow(target, edits.rows).catch(() => null);
    if (row !== null && field !== undefined) return mark([{ id: row, field, message }]);
    if (cells.length > 0) mark(cells);
    showToast(others[0] ?? text.list.refusedCells(cells.length));
  };
  const save = async () => {
    if (isUnderWay.current || edits.cellCount === 0) return;
    const [faulty] = edits.faults;
    if (faulty !== undefined) {
      setWanted({ ...faulty });
      return showToast(text.list.refusedCells(edits.faults.length));
    }
    isUnderWay.current = true;
    setSaving(true);
    try {
      await run();
    } catch (error) {
      await refuse(error);
    } finally {
      isUnderWay.current = false;
      setSaving(false);
    }
  };
  return { save: () => void save(), undoSave: () => void undoSave(), isSaving, wanted };
}

function useSaveKey(save: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      save();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [save]);
}
