// The course of an import: the file, its mapping, the check, and the one request that stores everything.

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { randomKey } from '../../api/client.js';
import { showToast } from '../../primitives/toasts.js';
import type { Collection, Field, Schema } from '../../schema/model.js';
import { useMay, useStudio } from '../../studio-context.js';
import { useLanguage } from '../../text/use-text.js';
import { messageOf } from '../bulk/bulk-write.js';
import { findByText } from '../edit/transfer-cells.js';
import { guessMapping, type Mapping, type PlannedItems, planItems, type RowRefusal } from './import-plan.js';
import type { Table } from './read-table.js';
import { checkItems, type ImportMode, importItems, placeImportErrors } from './run-import.js';
import { mostImportUndone, rememberImport } from './undo-import.js';

type Stage =
  | { readonly kind: 'file' | 'mapping' | 'writing' }
  | { readonly kind: 'checking'; readonly done: number }
  | { readonly kind: 'checked'; readonly refusals: readonly RowRefusal[]; readonly planned: PlannedItems };

export interface Import {
  readonly stage: Stage;
  readonly file: { readonly name: string; readonly table: Table } | null;
  readonly mapping: Mapping;
  readonly mode: ImportMode;
  /** Why nothing was checked or stored. */
  readonly failure: string | null;
  readonly takeFile: (name: string, table: Table) => void;
  readonly setMapping: (mapping: Mapping) => void;
  readonly setMode: (mode: ImportMode) => void;
  readonly goTo: (stage: 'file' | 'mapping') => void;
  readonly check: () => void;
  readonly write: (planned: PlannedItems, rows: readonly number[]) => void;
  readonly cancel: () => void;
}

export function useImport(collection: Collection, onClose: () => void, onDone: () => void): Import {
  const [file, setFile] = useState<Import['file']>(null);
  const [mapping, setMapping] = useState<Mapping>([]);
  const [mode, setMode] = useState<ImportMode>('add');
  const [failure, setFailure] = useState<string | null>(null);
  const [stage, setStage] = useState<Stage>({ kind: 'file' });
  const table = file?.table ?? null;
  const runs = useRuns({ collection, table, mapping, mode, setStage, setFailure, onClose, onDone });
  return {
    ...{ stage, file, mapping, mode, failure, setMapping, setMode },
    ...runs,
    goTo: (kind) => setStage({ kind }),
    takeFile: (name, read) => {
      setFailure(null);
      setFile({ name, table: read });
      setMapping(guessMapping(collection, read));
      setStage({ kind: 'mapping' });
    },
  };
}

interface RunInput {
  readonly collection: Collection;
  readonly table: Table | null;
  readonly mapping: Mapping;
  readonly mode: ImportMode;
  readonly setStage: (stage: Stage) => void;
  readonly setFailure: (failure: string | null) => void;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function useRuns({ collection, table, mapping, mode, setStage, setFailure, onClose, onDone }: RunInput) {
  const language = useLanguage();
  const { text, number } = language;
  const { schema } = useStudio().boot;
  const mayReadRevisions = useMay()('revisions', 'read');
  const cache = useQueryClient();
  const controller = useRef<AbortController | null>(null);
  const refresh = async () => {
    onDone();
    await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'page' && queryKey[0] !== 'presets' });
  };
  const run = async (source: Table) => {
    const aborter = new AbortController();
    controller.current = aborter;
    setFailure(null);
    setStage({ kind: 'checking', done: 0 });
    try {
      const planned = planItems(collection, source, mapping, language, await findRelated(schema, collection, source, mapping));
      const known = new Set(planned.refusals.map(({ row }) => row));
      const onProgress = (done: number) => setStage({ kind: 'checking', done });
      const refused = await checkItems(collection, planned.items, known, { mode, signal: aborter.signal, onProgress });
      setStage({ kind: 'checked', planned, refusals: [...planned.refusals, ...refused].toSorted((one, other) => one.row - other.row) });
    } catch (error) {
      if (!aborter.signal.aborted) setFailure(messageOf(error, text.unreachable));
      setStage({ kind: 'mapping' });
    }
  };
  const undo = async (takeBack: Awaited<ReturnType<typeof rememberImport>>) => {
    try {
      const kept = await takeBack();
      showToast(kept === 0 ? text.list.undone : text.list.undoneBut(number.format(kept), kept));
      await refresh();
    } catch (error) {
      showToast(messageOf(error, text.unreachable));
    }
  };
  const write = async (planned: PlannedItems, rows: readonly number[]) => {
    setFailure(null);
    setStage({ kind: 'writing' });
    const chosen = rows.map((row) => ({ row, item: planned.items[row] ?? {} }));
    try {
      const { created, updated } = await importItems(
        collection,
        chosen.map(({ item }) => item),
        mode,
        randomKey(),
      );
      const message = text.list.importedItems(number.format(created.length + updated.length));
      // Merged items are not taken back, so neither is the rest.
      const isUndone = updated.length === 0 && created.length <= mostImportUndone;
      const takeBack = isUndone ? await rememberImport(collection, created, mayReadRevisions).catch(() => null) : null;
      showToast(message, takeBack === null ? undefined : { label: text.list.undo, run: () => void undo(takeBack) });
      onClose();
      await refresh();
    } catch (error) {
      const refusals = placeImportErrors(chosen, error);
      setFailure(messageOf(error, text.unreachable));
      const left = planned.items.flatMap((_, row) => (rows.includes(row) ? [] : [{ row, field: null, message: text.list.leftOutRow }]));
      setStage({ kind: 'checked', planned, refusals: [...refusals, ...left].filter(({ row }) => row >= 0) });
    }
  };
  return {
    check: () => void (table !== null && run(table)),
    write: (planned: PlannedItems, rows: readonly number[]) => void write(planned, rows),
    cancel: () => controller.current?.abort(),
  };
}

/** Related items by what the file says of them, one request for each relation. */
async function findRelated(schema: Schema, collection: Collection, { rows }: Table, mapping: Mapping) {
  const found = new Map<string, ReadonlyMap<string, Readonly<Record<string, unknown>>>>();
  const keys = new Map<string, string>();
  for (const [column, name] of mapping.entries()) {
    const relation = name === null ? null : (collection.fieldsByName.get(name)?.relation ?? null);
    const related = relation?.kind === 'm2o' ? schema.get(relation.related) : undefined;
    if (name === null || related === undefined || related.key === null) continue;
    const texts = [...new Set(rows.map((row) => row[column]).filter((cell) => typeof cell === 'string' || typeof cell === 'number'))];
    found.set(name, await findByText(related, texts.map((each) => String(each).trim()).filter(Boolean)));
    keys.set(name, related.key);
  }
  return ({ name }: Field, text: string): unknown => found.get(name)?.get(text)?.[keys.get(name) ?? ''];
}
