// The messages between the processes of WORKERS > 1. Workers talk to the primary process only; it passes on what concerns the others.

/** `id` is the number under which the worker expects the answer. */
export type FromWorker =
  /** Sent before the worker reads anything from the database: from the answer on it gets notices of changes. */
  | { readonly kind: 'subscribe'; readonly id: number }
  | { readonly kind: 'changed'; readonly id: number }
  | { readonly kind: 'noticed'; readonly notice: number }
  | { readonly kind: 'attempt' | 'tally'; readonly id: number; readonly name: string; readonly key: string }
  | { readonly kind: 'publish'; readonly text: string };

export type ToWorker =
  /** `value`: the end of the window of a refused attempt, or the count of a tally. */
  | { readonly kind: 'answer'; readonly id: number; readonly value: number | null }
  | { readonly kind: 'notice'; readonly notice: number }
  | { readonly kind: 'published'; readonly text: string };
