// What can be done with the selected items: change fields of all of them, archive, delete, export. Everything says how many items it concerns
// before, and can be taken back after.

import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ManualFlows } from '../../automation/manual/manual-flows.js';
import type { Item } from '../../draft/item.js';
import { ConfirmDialog } from '../../primitives/confirm-dialog.js';
import { Icon } from '../../primitives/icon.js';
import { showToast } from '../../primitives/toasts.js';
import type { Collection } from '../../schema/model.js';
import { useMay, useStudio } from '../../studio-context.js';
import { useLanguage } from '../../text/use-text.js';
import { type ListState, narrowing } from '../list-state.js';
import type { Rows } from '../rows.js';
import type { Selection } from '../selection.js';
import type { Order } from '../use-order.js';
import { type BulkResult, type BulkTarget, deleteMany, messageOf, mostUndone, sizeOf, updateMany } from './bulk-write.js';

const BulkEditDialog = lazy(async () => ({ default: (await import('./bulk-edit-dialog.js')).BulkEditDialog }));

interface BulkBarProps {
  readonly collection: Collection;
  readonly state: ListState;
  readonly count: number | undefined;
  readonly selection: Selection;
  readonly rows: Rows;
  /** Null: the list has no order of its own. */
  readonly order: Order | null;
  /** The list has to be read again. */
  readonly onDone: () => void;
}

export function BulkBar({ collection, state, count, selection, rows, order, onDone }: BulkBarProps) {
  const { text, number } = useLanguage();
  const may = useMay();
  const [asked, setAsked] = useState<'edit' | 'archive' | 'restore' | 'delete' | null>(null);
  const target: BulkTarget =
    selection.state === 'all' ? { kind: 'query', query: narrowing(state), count: count ?? 0 } : { kind: 'keys', keys: [...selection.ids] };
  const size = sizeOf(target);
  const printed = number.format(size);
  const { isBusy, update, remove } = useBulk(collection, target, () => {
    selection.clear();
    onDone();
  });
  const { archive } = collection;
  const close = () => setAsked(null);
  const hint = size > mostUndone ? text.list.cannotUndo : text.list.canUndo;
  const setArchive = (value: unknown, message: CountMessage) => {
    close();
    if (archive !== null) void update({ [archive.field]: value }, message);
  };
  return (
    <div className="bulk-bar" role="toolbar" aria-label={text.list.selectionActions}>
      <strong aria-live="polite">{selection.state === 'all' ? text.list.allSelected(printed) : text.list.selected(printed)}</strong>
      {may(collection, 'update') && <Action icon="edit" label={text.list.edit} isDisabled={isBusy} onPress={() => setAsked('edit')} />}
      {may(collection, 'update') && archive !== null && (
        <Action icon="archive" label={text.list.archive} isDisabled={isBusy} onPress={() => setAsked('archive')} />
      )}
      {may(collection, 'update') && archive !== null && archive.unarchiveValue !== null && archive.unarchiveValue !== undefined && (
        <Action icon="undo" label={text.list.unarchive} isDisabled={isBusy} onPress={() => setAsked('restore')} />
      )}
      <FlowStarts collection={collection} selection={selection} onDone={onDone} />
      {order !== null && <MoveActions selection={selection} rows={rows} order={order} />}
      {may(collection, 'delete') && <Action icon="trash" label={text.delete} isDisabled={isBusy} onPress={() => setAsked('delete')} />}
      <span className="toolbar-end">
        {isBusy && <progress aria-label={text.saving} />}
        <button type="button" className="button quiet small" onClick={selection.clear}>
          {text.list.clearSelection}
        </button>
      </span>
      {asked === 'edit' && (
        <Suspense fallback={null}>
          <BulkEditDialog
            collection={collection}
            count={printed}
            hint={hint}
            onClose={close}
            onSubmit={(edits) => {
              close();
              void update(edits, text.list.changedItems);
            }}
          />
        </Suspense>
      )}
      {asked === 'archive' && (
        <ConfirmDialog
          title={text.list.archiveItems(printed)}
          hint={hint}
          action={text.list.archiveItems(printed)}
          onConfirm={() => setArchive(archive?.value, text.list.archivedItems)}
          onCancel={close}
        />
      )}
      {asked === 'restore' && (
        <ConfirmDialog
          title={text.list.unarchiveItems(printed)}
          hint={hint}
          action={text.list.unarchiveItems(printed)}
          onConfirm={() => setArchive(archive?.unarchiveValue, text.list.changedItems)}
          onCancel={close}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={text.list.deleteItems(printed)}
          hint={hint}
          action={text.list.deleteItems(printed)}
          onConfirm={() => {
            close();
            void remove(text.list.deletedItems);
          }}
          onCancel={close}
        />
      )}
    </div>
  );
}

/** Flows take keys, not a filter. */
function FlowStarts({ collection, selection, onDone }: Pick<BulkBarProps, 'collection' | 'selection' | 'onDone'>) {
  const done = () => {
    selection.clear();
    onDone();
  };
  return (
    <ManualFlows collection={collection} place="selection" keys={selection.state === 'all' ? null : [...selection.ids]} onDone={done} />
  );
}

interface ActionProps {
  readonly icon: 'edit' | 'archive' | 'trash' | 'undo' | 'up' | 'down';
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onPress: () => void;
}

const Action = ({ icon, label, isDisabled, onPress }: ActionProps) => (
  <button type="button" className="button small" disabled={isDisabled} onClick={onPress}>
    <Icon name={icon} />
    {label}
  </button>
);

/** What is said of a write, by the number of items that were written. */
type CountMessage = (count: string) => string;

function useBulk(collection: Collection, target: BulkTarget, onDone: () => void) {
  const { text, number } = useLanguage();
  const { schema } = useStudio().boot;
  const cache = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const context = { schema, collection };
  const finish = async () => {
    onDone();
    await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'page' && queryKey[0] !== 'presets' });
  };
  const undo = async ({ takeBack }: BulkResult) => {
    try {
      const isBack = (await takeBack?.()) ?? false;
      showToast(isBack ? text.list.undone : text.list.undoOvertaken);
      await finish();
    } catch (error) {
      showToast(messageOf(error, text.unreachable));
    }
  };
  const run = async (act: () => Promise<BulkResult>, message: CountMessage) => {
    setBusy(true);
    try {
      const result = await act();
      await finish();
      if (result.count === 0) return showToast(text.list.nothingWritten);
      const said = result.count === null ? text.list.allWritten : message(number.format(result.count));
      showToast(said, result.takeBack === null ? undefined : { label: text.list.undo, run: () => void undo(result) });
    } catch (error) {
      showToast(messageOf(error, text.unreachable));
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    update: (edits: Item, message: CountMessage) => run(() => updateMany(context, target, edits), message),
    remove: (message: CountMessage) => run(() => deleteMany(context, target), message),
  };
}

interface MoveActionsProps {
  readonly selection: Selection;
  readonly rows: Rows;
  readonly order: Order;
}

/** Moves the one row that is selected, for fingers as well. */
function MoveActions({ selection, rows, order }: MoveActionsProps) {
  const text = useLanguage().text;
  const [id, ...others] = selection.state === 'some' ? selection.ids : [];
  const at = id === undefined || others.length > 0 ? null : rows.indexOf(id);
  if (at === null) return null;
  return (
    <>
      <Action icon="up" label={text.moveUp} isDisabled={at === 0} onPress={() => order.move(at, at - 1)} />
      <Action icon="down" label={text.moveDown} isDisabled={at >= rows.end - 1} onPress={() => order.move(at, at + 1)} />
    </>
  );
}
