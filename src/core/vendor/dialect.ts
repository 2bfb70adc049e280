// Everything the service needs of a vendor. Each folder under dialects/ exports one function that opens it.

import type { RawDatabase, RawTable, RowEvent } from '../schema/raw.js';
import type { Syntax } from '../sql/syntax.js';
import type { WriteSyntax } from '../sql/write-syntax.js';
import type { ChangeLog } from './change-log.js';
import type { Ddl } from './ddl.js';
import type { Connection, Driver } from './driver.js';
import type { ReplicaOptions, Replicas } from './replication.js';
import type { Transfer } from './transfer.js';

export interface ViewText {
  readonly schema: string | null;
  readonly name: string;
  /** The SELECT of the view, as the catalogue stores it. */
  readonly text: string;
}

/** The service's own tables, whether or not they exist yet. */
export interface SystemTables {
  readonly schema: string | null;
  readonly names: readonly string[];
}

/** What is needed of a database that is only read. */
export type MirroredDatabase = Pick<Dialect, 'vendor' | 'driver' | 'syntax'>;

export interface ContentToken {
  read(connection: Connection): Promise<string>;
  /** The name of the source, shown in the health of the service. */
  readonly source: string;
}

export interface ChannelEvents {
  readonly onText: (text: string) => void;
  /** Texts arrive from now on. Called again after an outage, in which texts were lost. */
  readonly onOpen: () => void;
}

/** Carries short texts to all processes that have opened it under the same name, possibly including the sender. */
export interface Channel {
  /** The name of the channel, shown in the health of the service. */
  readonly source: string;
  /** The longest text, in bytes. */
  readonly maxBytes: number;
  /** Rejects when the text cannot be sent. */
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

type OpenChannel = (name: string, events: ChannelEvents) => Channel;

/** What one reading of the catalogue found, and its token: see `Dialect.changeToken`. */
export interface CatalogueReading {
  readonly database: RawDatabase;
  readonly token: string;
}

export interface Dialect {
  /** For health, explain and logs only: no code outside dialects/ may branch on it. */
  readonly vendor: 'sqlite' | 'postgres' | 'mysql';
  readonly driver: Driver;
  /** The database that holds the data if the service's own tables are in another one; null: one database holds both. */
  readonly mirrored: MirroredDatabase | null;
  /** The copies that answer reads which say so; null: there are none. */
  readonly replicas: Replicas | null;
  /** The deadlines that the dialect was opened with. */
  readonly deadlines: Deadlines;
  readonly syntax: Syntax;
  readonly write: WriteSyntax;
  readonly ddl: Ddl;
  /** Reads the whole structure in a constant number of statements; with `only`, that of these tables, whatever else the database has. */
  introspect(connection: Connection, only?: SystemTables): Promise<RawDatabase>;
  /** The same without a confirmation: the reading is true if `changeToken` returns its token afterwards. */
  readCatalogue(connection: Connection): Promise<CatalogueReading>;
  /** A cheap check: the text differs if the structure may have changed since. */
  changeToken(connection: Connection): Promise<string>;
  /** A cheap check: the text differs if another program may have committed changes of data since. Own writes may change it, too. */
  readonly contentToken: ContentToken;
  /** null: the database carries no messages. */
  readonly openChannel: OpenChannel | null;
  /** null: the service cannot read a log of this database. */
  readonly changeLog: ChangeLog | null;
  /** The definitions of the views, which tell which of them a change would break. */
  views(connection: Connection): Promise<readonly ViewText[]>;
  /** What the database lets be done to the rows of a table or view, by itself or by triggers; empty for a view that can only be read. */
  writableEvents(connection: Connection, table: RawTable): Promise<ReadonlySet<RowEvent>>;
  /** The statements that a database administrator has to run before the service's user can create and use these tables; empty if none is missing. */
  missingRights(connection: Connection, tables: SystemTables): Promise<readonly string[]>;
  /**
   * Traces of other users of this database, as far as the vendor shows them: the current or last statements of other sessions; for a file,
   * the command lines of the processes that have it open.
   */
  tracesOfOthers(connection: Connection): Promise<readonly string[]>;
  /** A structural transaction that only one process on this database runs at a time (advisory lock, GET_LOCK, BEGIN IMMEDIATE). */
  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** The whole database, read into a file and stored from one. */
  readonly transfer: Transfer;
}

/** The syntax of the database in which a table lies. */
export const syntaxFor = ({ syntax, mirrored }: Pick<Dialect, 'syntax' | 'mirrored'>, table: RawTable | null): Syntax =>
  table?.mirrored === true && mirrored !== null ? mirrored.syntax : syntax;

/** How long a request may wait before its own work begins. */
export interface Deadlines {
  /** For a connection, while all of them are busy. */
  readonly poolMs: number;
  /** For a lock that another transaction holds. */
  readonly lockMs: number;
  /** For any answer of the server while statements wait for it. */
  readonly silenceMs: number;
}

export const defaultDeadlines: Deadlines = { poolMs: 2_000, lockMs: 2_000, silenceMs: 2_000 };

export type JournalChoice = 'keep' | 'wal';

type PoolerChoice = 'auto' | 'transaction' | 'off';

export interface DialectOptions {
  /** `sqlite:./file.db` or a path, `postgres://…`, `mysql://…`; the latter with several hosts, separated by commas. */
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly deadlines?: Deadlines;
  /** PostgreSQL: schema of the service_ tables; null: beside the data. */
  readonly systemSchema: string | null;
  /** Sessions that cannot write, for a mirrored database. Default false. */
  readonly readOnly?: boolean;
  /** PostgreSQL: whether each transaction runs in another session of the server. Default auto: found out with the first connection. */
  readonly pooler?: PoolerChoice;
  /** PostgreSQL, MariaDB: copies of the database that answer reads. Default none. */
  readonly replicas?: ReplicaOptions;
  /** SQLite: bytes of the file that each reader maps into memory. */
  readonly mapBytes?: number;
  /** SQLite: whether an existing file keeps its journal mode (the default) or is switched to WAL. */
  readonly journal?: JournalChoice;
}
