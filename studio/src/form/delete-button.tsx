// Deletes an item after asking; the message that it is gone offers to bring it back.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { request } from '../api/client.js';
import { readRevisions } from '../history/revisions.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection } from '../schema/model.js';
import { itemsPath } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { ConfirmDialog } from './confirm-dialog.js';

interface DeleteButtonProps {
  readonly collection: Collection;
  readonly itemKey: string;
  readonly title: string;
}

/** Creates the newest deleted state of an item again, with its key. */
export async function restoreDeleted({ name }: Collection, itemKey: string): Promise<void> {
  const [revision] = await readRevisions(name, itemKey, 1);
  if (revision?.action === 'delete') await request('POST', `/utils/revert/${revision.id}`);
}

export function DeleteButton({ collection, itemKey, title }: DeleteButtonProps) {
  const text = useText();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  const list = `/c/${encodeURIComponent(collection.name)}`;
  const showError = (error: unknown) => showToast(error instanceof Error ? error.message : text.unreachable);
  const undo = async () => {
    try {
      await restoreDeleted(collection, itemKey);
      await cache.invalidateQueries();
      navigate(`${list}/${encodeURIComponent(itemKey)}`);
      showToast(text.restored(title));
    } catch (error) {
      showError(error);
    }
  };
  const remove = async () => {
    setAsks(false);
    try {
      await request('DELETE', `${itemsPath(collection)}/${encodeURIComponent(itemKey)}`);
      await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'page' });
      navigate(list, { replace: true });
      showToast(text.deleted(title), { label: text.undo, run: () => void undo() });
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
