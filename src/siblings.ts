// The other processes of the same service (WORKERS): what one of them has to tell the others, and what they count together. Which way
// it goes is the command's business.

export interface Siblings {
  /** Resolves when every other process has noticed what was committed before the call. */
  tellChange(): Promise<void>;
  /** What to do when another process tells of a change; done at once when one was told before this call. */
  onChange(notice: () => Promise<void>): Promise<void>;
  /** Counts one attempt in the counters of all: null when it is allowed, else when the window ends (ms since 1970). */
  countAttempt(name: string, key: string): Promise<number | null>;
}
