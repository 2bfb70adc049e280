// Short messages about what just happened, announced to screen readers. They leave by themselves when they can have been read, after thirty
// seconds when they offer to take it back, and when it is taken back: by their button, or Ctrl or Cmd and Z for the last of them.

import { useEffect, useSyncExternalStore } from 'react';

interface Toast {
  readonly id: number;
  readonly message: string;
  /** Takes back what happened. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

const keyName = /Mac|iP/.test(navigator.userAgent) ? '⌘Z' : 'Ctrl+Z';

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

function change(list: readonly Toast[]): void {
  toasts = list;
  for (const listener of listeners) listener();
}

/** Returns a function that takes the message away. */
export function showToast(message: string, action?: Toast['action']): () => void {
  const toast: Toast = { id: next++, message, ...(action === undefined ? {} : { action }) };
  change([...toasts.slice(-2), toast]);
  const dismiss = () => change(toasts.filter((each) => each !== toast));
  setTimeout(dismiss, action === undefined ? Math.min(8000, 3000 + 50 * message.length) : 30_000);
  return dismiss;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function act({ id, action }: Toast): void {
  change(toasts.filter((each) => each.id !== id));
  action?.run();
}

/** Texts that are typed have an undo of their own, and so have the cells of a list that are not saved yet. */
function undoLast(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  const last = toasts.findLast(({ action }) => action !== undefined);
  if (!isUndo || last === undefined || event.defaultPrevented) return;
  const { target } = event;
  if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))) return;
  event.preventDefault();
  act(last);
}

export function Toasts() {
  const list = useSyncExternalStore(subscribe, () => toasts);
  useEffect(() => {
    addEventListener('keydown', undoLast);
    return () => removeEventListener('keydown', undoLast);
  }, []);
  const last = list.findLast(({ action }) => action !== undefined);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {list.map((toast) => (
        <div key={toast.id} className="toast">
          <span>{toast.message}</span>
          {toast.action !== undefined && (
            <button
              type="button"
              className="button quiet"
              {...(toast === last ? { title: keyName, 'aria-keyshortcuts': 'Control+Z Meta+Z' } : {})}
              onClick={() => act(toast)}
            >
              {toast.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
