// An order that is saved as soon as something is moved, and can be taken back. The order is no structure: it needs no card.

import { useRef, useState } from 'react';
import { showToast } from '../primitives/toasts.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { type Arranged, arrange, type Placed, placesChanged } from './arrange.js';
import { useModelText } from './model-base.js';
import { announceLayout } from './use-change-meta.js';

interface Arrangement {
  /** As stored, or as moved meanwhile: a move is seen before the service has answered. */
  readonly entries: readonly Arranged[];
  readonly change: (next: readonly Arranged[]) => void;
}

export function useArrangement(stored: readonly Placed[], save: (places: readonly Placed[]) => Promise<unknown>): Arrangement {
  const text = useModelText();
  const general = useText();
  const { reload } = useStudio();
  const [moved, setMoved] = useState<readonly Arranged[] | null>(null);
  // Moves by keyboard may come faster than answers, so they are sent one after the other, each with only what it changes.
  const sending = useRef(Promise.resolve());
  const pending = useRef(0);
  const sent = useRef<readonly Placed[] | null>(null);
  const send = (places: readonly Placed[], onDone: () => void) => {
    const changed = new Map(places.map((place) => [place.id, place]));
    sent.current = (sent.current ?? stored).map((entry) => changed.get(entry.id) ?? entry);
    pending.current += 1;
    sending.current = sending.current.then(async () => {
      try {
        await save(places);
        onDone();
      } catch (error) {
        showToast(error instanceof Error ? error.message : general.unreachable);
      }
      pending.current -= 1;
      if (pending.current > 0) return;
      await reload();
      if (pending.current > 0) return;
      sent.current = null;
      setMoved(null);
    });
  };
  const change = (next: readonly Arranged[]) => {
    const known = sent.current ?? stored;
    const places = placesChanged(next, known);
    const before = known.filter(({ id }) => places.some((place) => place.id === id));
    setMoved(next);
    send(places, () => announceLayout(text.moved, text.undo, () => send(before, () => undefined)));
  };
  return { entries: moved ?? arrange(stored), change };
}
