// Copies of the database that answer reads: what a vendor implements for them, and what the service reports about them.

import type { Connection, Position } from './driver.js';

/** The questions that a vendor answers about a primary and its copies. */
export interface Replication {
  /** The current position of the primary: at or after every commit before the call. */
  position(primary: Connection): Promise<Position>;
  /** Must be a single cheap statement, since it is sent several times a second. */
  observe(replica: Connection): Promise<Observed>;
  /** Whether a copy that has applied `applied` has everything up to `position`. */
  reaches(applied: Position, position: Position): boolean;
}

interface Observed {
  /** null: the server is not replicating at the moment. */
  readonly applied: Position | null;
}

export interface ReplicaState {
  /** Host and port. */
  readonly name: string;
  /** Why no reads are sent to it; null: it is in use. */
  readonly unused: string | null;
  /** How far it is behind the primary; null: not known. */
  readonly lagMs: number | null;
  /** The number of reads that it has answered. */
  readonly reads: number;
}

/** Null when the copy has the service's own mark; otherwise what is wrong, as a predicate: "is not a copy of the database". */
export type ProveCopy = (replica: Connection) => Promise<string | null>;

/** The position of the latest write of this process; `unknown` if the primary did not report it; null before the first write. */
export type Written = Position | 'unknown' | null;

/** The copies that a dialect was opened with. */
export interface Replicas {
  /** Starts to use them. Rejects if one that can be reached is not a copy of the database; one that is away is looked at when it comes back. */
  begin(prove: ProveCopy): Promise<void>;
  written(): Written;
  readonly reaches: Replication['reaches'];
  states(): readonly ReplicaState[];
  /** Calls `listener` when a copy begins or ceases to be used. */
  onChange(listener: (state: ReplicaState) => void): void;
}

export interface ReplicaOptions {
  readonly urls: readonly string[];
  /** How long a read that has to see a write waits for a copy before it goes to the primary. */
  readonly waitMs: number;
  /** A copy that is further behind is not read from. */
  readonly maxLagMs: number;
}
