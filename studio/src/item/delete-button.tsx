// Deletes an item after asking; the message that it is gone offers to bring it back.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, request } from '../api/client.js';
import { readRevisions } from '../history/revisions.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { addressKey, keySegment } from '../schema/item-key.js';
import type { Collection } from '../schema/model.js';
import { itemsPath } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { isOvertaking } from './undo-save.js';

interface DeleteButtonProps {
  readonly collection: Collection;
  readonly itemKey: string;
  readonly title: string;
}

/** Creates the newest deleted state of an item again, with its key. `made`: only if that is one of these revisions. */
export async function restoreDeleted({ name }: Collection, itemKey: string, made: readonly number[] | null = null): Promise<void> {
  const [revision] = await readRevisions(name, itemKey, 1);
  if (revision?.action !== 'delete' || (made !== null && !made.includes(revision.id))) throw new ApiError(412, []);
  await request('POST', `/utils/revert/${revision.id}`);
}

export function DeleteButton({ collection, itemKey, title }: DeleteButtonProps) {
  const text = useText();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  const list = `/c/${encodeURIComponent(collection.name)}`;
  const showError = (error: unknown) =>
    showToast(isOvertaking(error) ? text.undoTooLate : error instanceof Error ? error.message : text.unreachable);
  const undo = async (made: readonly number[]) => {
    try {
      await restoreDeleted(collection, itemKey, made);
      await cache.invalidateQueries();
      navigate(`${list}/${addressKey(itemKey)}`);
      showToast(text.restored(title));
    } catch (error) {
      showError(error);
    }
  };
  const remove = async () => {
    setAsks(false);
    try {
      const { revisions } = await request('DELETE', `${itemsPath(collection)}/${keySegment(collection, itemKey)}`, { prefer: 'revisions' });
      await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'page' });
      navigate(list, { replace: true });
      showToast(text.deleted(title), revisions === null ? undefined : { label: text.undo, run: () => void undo(revisions) });
    } catch (error) {
      showError(error);
    }
  };
  return (
    <>
      <button type="button" className="button quiet icon-only" aria-label={text.delete} title={text.delete} onClick={() => setAsks(true)}>
        <Icon name="trash" />
      </button>
      {asks && (
        <ConfirmDialog
          title={text.deleteItem(title)}
          hint={text.deleteHint}
          action={text.delete}
          onConfirm={remove}
          onCancel={() => setAsks(false)}
        />
      )}
    </>
  );
}
