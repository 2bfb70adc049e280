// Everything the service asks of a vendor. Each folder under dialects/ exports one `open` that fills this.

import type { RawDatabase } from '../schema/raw.js';
import type { Syntax } from '../sql/syntax.js';
import type { WriteSyntax } from '../sql/write-syntax.js';
import type { Ddl } from './ddl.js';
import type { Connection, Driver } from './driver.js';

export interface ViewText {
  readonly schema: string | null;
  readonly name: string;
  /** The statement behind the view, as the catalogue keeps it. */
  readonly text: string;
}

export interface Dialect {
  /** For health, explain and logs only: nobody outside dialects/ decides by it. */
  readonly vendor: 'sqlite' | 'postgres' | 'mysql';
  readonly driver: Driver;
  readonly syntax: Syntax;
  readonly write: WriteSyntax;
  readonly ddl: Ddl;
  /** The whole structure in a constant number of statements. */
  introspect(connection: Connection): Promise<RawDatabase>;
  /** A cheap look: the text differs when the structure may have changed since. */
  changeToken(connection: Connection): Promise<string>;
  /** What the views are made of: the texts tell which of them a change would break. */
  views(connection: Connection): Promise<readonly ViewText[]>;
  /** A structural transaction that no other process on this database runs at the same time (advisory lock, GET_LOCK, BEGIN IMMEDIATE). */
  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

export interface DialectOptions {
  /** `sqlite:./file.db` or a path, `postgres://…`, `mysql://…` */
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  /** PostgreSQL: schema of the service_ tables; null: beside the data. */
  readonly systemSchema: string | null;
  /** SQLite: bytes of the file that each reader maps into memory. */
  readonly mapBytes?: number;
}
