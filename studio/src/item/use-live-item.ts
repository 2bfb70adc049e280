// An open item that follows what others save. Fields without edits change in place; if both sides changed a field, the form says so, and
// the save asks which value to keep.

import { useEffect, useState } from 'react';
import { isEqual } from '../draft/draft.js';
import type { DraftStore } from '../draft/draft-store.js';
import { fieldsOfForm } from '../form/read-item.js';
import { follow } from '../live/live-socket.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import type { ItemSaver, SaveTarget } from './item-saver.js';

export interface Overtaken {
  /** `changed`: somebody saved other values for what is edited here; `gone`: the item is deleted, or hidden from the person now. */
  readonly kind: 'changed' | 'gone';
  /** Counts the changes. */
  readonly change: number;
}

interface LiveItem {
  readonly collection: Collection;
  readonly target: SaveTarget;
  readonly itemKey: string | null;
  readonly store: DraftStore;
  readonly saver: ItemSaver;
}

export function useLiveItem({ collection, target: { kind }, itemKey, store, saver }: LiveItem): Overtaken | null {
  const { schema, isLive } = useStudio().boot;
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const { name, isSystem } = collection;
  const isFollowed = isLive && !isSystem && (kind === 'item' || kind === 'singleton') && itemKey !== null;
  useEffect(() => {
    setOvertaken(null);
    if (!isFollowed) return;
    const query = { fields: fieldsOfForm(schema, collection) };
    let isKnown = false;
    let change = 0;
    return follow({ collection: name, item: itemKey, query }, ({ event, data }) => {
      if (event === 'delete' || (event === 'end' && isKnown && data === 'FORBIDDEN')) return setOvertaken({ kind: 'gone', change });
      if (event === 'end') return;
      isKnown = true;
      // The service reports the person's own save as well.
      if (saver.state.phase === 'saving' || isEqual(data, store.base)) return;
      change += 1;
      const latest: Overtaken = { kind: 'changed', change };
      void saver.follow().then((isMerged) => setOvertaken(isMerged ? null : latest), noAnswer);
    });
  }, [isFollowed, schema, collection, name, itemKey, store, saver]);
  // Clears the notice when the edits were saved, merged or discarded.
  useEffect(
    () =>
      store.subscribe(() => Object.keys(store.edits).length === 0 && setOvertaken((known) => (known?.kind === 'changed' ? null : known))),
    [store],
  );
  return overtaken;
}

/** Ignored: the next change, or the save, reads the item again. */
const noAnswer = (): void => undefined;
