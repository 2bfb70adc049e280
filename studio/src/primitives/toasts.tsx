// Short messages about what just happened, announced to screen readers. They leave by themselves after six seconds, after thirty when they
// offer something to do, and when it is done.

import { useSyncExternalStore } from 'react';

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

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
  setTimeout(dismiss, action === undefined ? 6000 : 30_000);
  return dismiss;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const list = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {list.map(({ id, message, action }) => (
        <div key={id} className="toast">
          <span>{message}</span>
          {action !== undefined && (
            <button
              type="button"
              className="button quiet"
              onClick={() => {
                change(toasts.filter((each) => each.id !== id));
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
