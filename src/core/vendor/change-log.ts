// The port for a database's own log of commits, which reports the changes of every program.

import type { RawTable } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';

export type LoggedTable = Pick<RawTable, 'schema' | 'name' | 'primaryKey'>;

type LoggedKey = string | number | readonly (string | number)[];

export type LoggedChange =
  | {
      readonly kind: 'row';
      readonly table: TableName;
      readonly action: 'create' | 'update' | 'delete';
      readonly key: LoggedKey;
      /** An update changed the key: there is one change for the old key and one for the new one. */
      readonly moved: boolean;
    }
  /** Any rows of the table may have changed; null: of any table. */
  | { readonly kind: 'unknown'; readonly table: TableName | null };

export interface OpenLog {
  /** The tables whose changes it reports. */
  readonly tables: readonly TableName[];
  /** Everything committed since the last call that readers can already see, in commit order. Rejects when the log is lost. */
  read(): Promise<readonly LoggedChange[]>;
  close(): Promise<void>;
}

/** Why the log cannot be read, and what an administrator can do about it. */
export interface LogRefusal {
  readonly reason: string;
  readonly cure: readonly string[];
}

export interface ChangeLog {
  /** The name of the source, shown in the health of the service. */
  readonly source: string;
  /** Whether it reports what foreign keys do to other rows (cascades). */
  readonly reportsCascades: boolean;
  /**
   * Reads the changes of these tables, or of as many of them as it can, from now on. It may call `onMore` when there is something to read
   * or when the log is lost; callers also read it periodically.
   */
  open(tables: readonly LoggedTable[], onMore: () => unknown): Promise<OpenLog | LogRefusal>;
}

export const isRefusal = (opened: OpenLog | LogRefusal): opened is LogRefusal => 'reason' in opened;
