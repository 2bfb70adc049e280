// Discarding the edits of a form, which the message about it takes back as long as the form is open.

import { useEffect, useRef } from 'react';
import type { DraftStore } from '../draft/draft-store.js';
import type { Edits } from '../draft/item.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';

/** `kept`: edits that stay. */
export function useDiscard(store: DraftStore, kept?: Edits): () => void {
  const text = useText();
  const withdraw = useRef<() => void>(() => undefined);
  useEffect(() => () => withdraw.current(), []);
  return () => {
    withdraw.current();
    const count = Object.keys(store.edits).length - Object.keys(kept ?? {}).length;
    const bringBack = store.discard(kept);
    withdraw.current = showToast(text.discarded(Math.max(1, count)), { label: text.undo, run: bringBack });
  };
}
