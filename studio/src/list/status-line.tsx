// The last line of a list: how many items there are, what others changed meanwhile, and what is not saved yet.

import { useSyncExternalStore } from 'react';
import { useLanguage } from '../text/use-text.js';
import type { Editing } from './edit/use-editing.js';
import type { PendingChanges } from './use-live-rows.js';

interface StatusLineProps {
  readonly count: number | undefined;
  readonly pending: PendingChanges;
  readonly editing: Editing;
}

export function StatusLine({ count, pending, editing }: StatusLineProps) {
  const { text, number } = useLanguage();
  const { edits, actions, isSaving, save, discard } = editing;
  useSyncExternalStore(edits.subscribe, edits.version);
  const changes = edits.cellCount;
  return (
    <footer className="status">
      <span aria-live="polite">{count === undefined ? text.counting : count === 1 ? text.oneItem : text.items(number.format(count))}</span>
      {(pending.came + pending.went > 0 || pending.isStale) && (
        <span className="news" role="status">
          {text.list.pending(pending.came, pending.went)}
          <button type="button" className="button quiet small" onClick={pending.show}>
            {text.list.showNews}
          </button>
        </span>
      )}
      {changes > 0 && (
        <>
          <span className="save-state" role="status">
            {text.unsaved(changes)}
            {edits.refusalCount > 0 && <span className="refused-count">{text.list.refusedCells(edits.refusalCount)}</span>}
          </span>
          <button type="button" className="button quiet small" onClick={actions.undo}>
            {text.list.undo}
          </button>
          <button type="button" className="button quiet small" onClick={discard}>
            {text.discard}
          </button>
          <button type="button" className="button primary small" disabled={isSaving} onClick={save}>
            {isSaving ? text.saving : text.save}
          </button>
        </>
      )}
    </footer>
  );
}
