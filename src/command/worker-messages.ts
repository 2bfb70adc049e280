// What the processes of WORKERS > 1 say to each other, always through the first one.

/** `id` is the asker's own number for the question. */
export type FromWorker =
  /** Before anything is read from the database: from the answer on this process is told of changes. */
  | { readonly kind: 'here'; readonly id: number }
  | { readonly kind: 'changed'; readonly id: number }
  | { readonly kind: 'noticed'; readonly notice: number }
  | { readonly kind: 'attempt'; readonly id: number; readonly name: string; readonly key: string };

export type ToWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly resetsAt: number | null }
  | { readonly kind: 'notice'; readonly notice: number };
