// How far a backup or a restore is, for whoever shows it.

export interface Progress {
  /** The table at work, or `files`. */
  readonly part: string;
  /** Which of how many tables it is. */
  readonly at: number;
  readonly parts: number;
  readonly count: number;
  /** The estimated number of its rows; null: unknown. */
  readonly of: number | null;
}

export type WriteProgress = (progress: Progress) => void;
