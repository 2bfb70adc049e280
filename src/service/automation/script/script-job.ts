// The messages between the service and a script process, and the bounds of scripts.

export interface ScriptJob {
  readonly code: string;
  /** The data of the run, as JSON. */
  readonly data: string;
  readonly timeoutMs: number;
}

export type ScriptResult =
  /** `json`: what the script returned; null: nothing. */
  | { readonly kind: 'returned'; readonly json: string | null; readonly said: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string; readonly said: readonly string[] };

/** Of the code, of the data, and of the result. */
export const maxText = 1_000_000;
export const memoryBytes = 32 * 1024 * 1024;
/** Of what a script writes to the log. */
export const maxLines = 100;
export const maxLine = 1_000;
