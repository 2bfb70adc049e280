// The saver of an open item, with the application around it: messages, undo, the cache of what was read, the place in the address.

import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { loadBoot } from '../api/boot.js';
import type { DraftStore } from '../draft/draft-store.js';
import { useMatchContext } from '../form/form.js';
import { showToast } from '../primitives/toasts.js';
import { addressKey, keySegment } from '../schema/item-key.js';
import type { Collection } from '../schema/model.js';
import type { Permissions } from '../schema/permissions.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { draftPlace, keepDraft } from './draft-place.js';
import { ItemSaver, type SaveState, type SaveTarget } from './item-saver.js';
import { isOvertaking, type SavedDraft, undoSave } from './undo-save.js';

let withdrawUndo: (() => void) | null = null;

export function useSave(
  collection: Collection,
  target: SaveTarget,
  etag: string | null,
  store: DraftStore,
): readonly [ItemSaver, SaveState] {
  const text = useText();
  const cache = useQueryClient();
  const context = useMatchContext();
  const { reload, boot } = useStudio();
  const { permissions } = boot;
  const [, navigate] = useLocation();
  const saver = useMemo(() => {
    const list = `/c/${encodeURIComponent(collection.name)}`;
    // Staged items changed other collections, too: what was read of them is asked for again when it is shown.
    const forget = () => cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'page' });
    const undo = async (saved: SavedDraft): Promise<void> => {
      try {
        await undoSave(saved);
        if (saved.before === null) {
          keepDraft(draftPlace(context.user, collection, target), saved.edits);
          navigate(`${list}/+`, { replace: true });
        } else await made.refresh({});
        await forget();
        showToast(text.undone);
      } catch (error) {
        showToast(isOvertaking(error) ? text.undoTooLate : error instanceof Error ? error.message : text.unreachable);
      }
    };
    const made: ItemSaver = new ItemSaver(
      {
        context,
        collection,
        target,
        store,
        text,
        onMessage: showToast,
        onUncertain: async () => {
          const isChanged = await hasStructureChanged(collection, permissions);
          if (isChanged) reload();
          return isChanged;
        },
        onSaved: async (saved) => {
          // Only the last save can be undone.
          withdrawUndo?.();
          withdrawUndo = showToast(text.saved, saved === null ? undefined : { label: text.undo, run: () => void undo(saved) });
          await forget();
        },
        onCreated: (key, late) => {
          // Without a key, the edits can only be offered to the next new item.
          const place: SaveTarget = key === '' ? target : { kind: 'item', path: `${target.path}/${keySegment(collection, key)}` };
          keepDraft(draftPlace(context.user, collection, place), late);
          navigate(key === '' ? list : `${list}/${addressKey(key)}`, { replace: true });
        },
      },
      etag,
    );
    return made;
  }, [collection, target, etag, store, text, cache, context, permissions, reload, navigate]);
  return [saver, useSyncExternalStore(saver.subscribe, () => saver.state)];
}

/** Whether the fields of a collection, or what the person may do with them, are others than Studio knows. */
async function hasStructureChanged(collection: Collection, permissions: Permissions): Promise<boolean> {
  const fresh = await loadBoot().catch(() => null);
  if (fresh === null) return false;
  const print = (one: Collection | undefined, may: Permissions) => JSON.stringify([one?.fields, may[collection.name]]);
  return print(fresh.schema.get(collection.name), fresh.permissions) !== print(collection, permissions);
}
