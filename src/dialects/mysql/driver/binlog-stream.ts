// Receives the binary log: groups the events by transaction and holds each transaction back until its commit is visible to readers.

import { randomInt } from 'node:crypto';
import type { TableName } from '../../../core/schema/table-name.js';
import type { LoggedChange, LoggedTable, OpenLog } from '../../../core/vendor/change-log.js';
import type { Server } from '../types/server.js';
import { type BinlogEvent, BinlogReader, type KeyLayout } from './binlog-events.js';
import { isAtOrAfter, type Layouts, type Place, readLayouts } from './binlog-layouts.js';
import type { KeyPart } from './binlog-values.js';
import { isVisible, type LoggedCommit } from './binlog-visibility.js';
import type { OwnConnection } from './connection.js';

/** If more changes than this arrive between two reads, everything counts as changed. */
const maxChanges = 20_000;
/** The server sends a heartbeat after this long without an event. */
const heartbeatMs = 5_000;
const silenceMs = 4 * heartbeatMs;
/** How often to check whether a transaction is visible: it is written to the log shortly before readers can see it. */
const visibleEveryMs = 5;
const visibleTimeoutMs = 30_000;

/** A bounded list of changes in the order of the log. */
class Changes {
  #list: LoggedChange[] = [];

  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  add(changes: readonly LoggedChange[]): void {
    if (this.#list.length + changes.length > maxChanges) this.#list = [{ kind: 'unknown', table: null }];
    else this.#list.push(...changes);
  }

  take(): readonly LoggedChange[] {
    const list = this.#list;
    this.#list = [];
    return list;
  }
}

interface Opening {
  readonly control: OwnConnection;
  readonly stream: OwnConnection;
  readonly database: string;
  readonly server: Server;
  readonly tables: readonly LoggedTable[];
  readonly onMore: () => unknown;
}

export class Binlog implements OpenLog {
  tables: readonly TableName[] = [];
  readonly #opening: Opening;
  readonly #reader: BinlogReader;
  /** null after a statement that may have changed the structure; keys are unknown until the layouts are read again. */
  #layouts: Layouts | null = null;
  #place: Place = { file: '', position: 0 };
  #isInTransaction = false;
  readonly #open = new Changes();
  readonly #committed = new Changes();
  /** The end of the last committed transaction. */
  #end: LoggedCommit | null = null;
  /** MySQL: the name of the transaction whose events are arriving. */
  #gtid: string | null = null;
  #heardAt = 0;
  #failure: Error | null = null;

  constructor(opening: Opening) {
    this.#opening = opening;
    const { database, tables } = opening;
    const names = new Set(tables.map(({ name }) => name));
    this.#reader = new BinlogReader(database, (name) => (names.has(name) ? this.#layoutOf(name) : undefined));
  }

  /** Rejects with the server's error if the server refuses to send its log. */
  async begin(): Promise<void> {
    const { control, stream } = this.#opening;
    for (const connection of [control, stream]) connection.onLost((error) => this.#fail(error));
    this.#layouts = await this.#readLayouts();
    this.tables = [...this.#layouts.tables.keys()].map((name) => ({ schema: null, name }));
    this.#place = this.#layouts.after;
    await stream.rows(
      // Capability 4: the client understands MariaDB's GTID events, which begin a transaction.
      `SET @master_binlog_checksum = @@global.binlog_checksum, @mariadb_slave_capability = 4,
      @master_heartbeat_period = ${heartbeatMs * 1_000_000}`,
    );
    this.#reader.hasChecksums = (await stream.rows('SELECT @master_binlog_checksum'))[0]?.[0] === 'CRC32';
    await new Promise<void>((resolve, reject) => {
      stream.onLost(reject);
      stream.exchange(dumpRequest(this.#place), (packet) => {
        this.#take(packet);
        if (this.#failure === null) resolve();
        else reject(this.#failure);
      });
    });
  }

  async read(): Promise<readonly LoggedChange[]> {
    if (this.#failure !== null) throw this.#failure;
    if (performance.now() - this.#heardAt > silenceMs) throw new Error('the server sends nothing any more');
    this.#layouts ??= await this.#readLayouts();
    const end = this.#end;
    if (this.#committed.isEmpty || end === null) return [];
    const changes = this.#committed.take();
    await this.#untilVisible(end);
    return changes;
  }

  async close(): Promise<void> {
    this.#failure ??= new Error('the log is closed');
    this.#opening.stream.end();
    this.#opening.control.end();
  }

  #fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#opening.onMore();
  }

  #take(packet: Buffer): void {
    this.#heardAt = performance.now();
    try {
      if (packet[0] === 0) this.#note(packet.subarray(1));
      else this.#fail(refusalIn(packet));
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #note(packet: Buffer): void {
    const { position, event } = this.#reader.read(packet);
    if (position > 0) this.#place = { ...this.#place, position };
    if (event === null) return;
    switch (event.kind) {
      case 'file':
        this.#place = { file: event.name, position: 0 };
        return;
      case 'begin':
        this.#isInTransaction = true;
        return;
      case 'named':
        this.#gtid = event.gtid;
        return;
      case 'compressed':
        this.#open.add([{ kind: 'unknown', table: null }]);
        this.#commit();
        return;
      case 'commit':
        this.#commit();
        return;
      case 'put-off':
        this.#isInTransaction = false;
        this.#open.take();
        return;
      case 'statement':
        this.#statement(event.database, event.text);
        return;
      case 'rows':
        this.#open.add(changesOf(event));
    }
  }

  #commit(): void {
    this.#isInTransaction = false;
    this.#committed.add(this.#open.take());
    this.#end = { place: this.#place, gtid: this.#gtid };
    if (!this.#committed.isEmpty) this.#opening.onMore();
  }

  /** Handles a statement event: a change of structure, or of data logged as its statement. The tables it changes are not parsed from the text. */
  #statement(database: string, text: string): void {
    if (/^begin\b|^xa start\b/i.test(text)) this.#isInTransaction = true;
    // A ROLLBACK ends a transaction like a COMMIT: it does not undo the logged changes of tables without transactions.
    else if (/^(commit|rollback)\s*$/i.test(text)) this.#commit();
    else if (!isWithoutEffect(text) && this.#concerns(database, text)) {
      this.#layouts = null;
      this.#open.add([{ kind: 'unknown', table: null }]);
      if (!this.#isInTransaction) this.#commit();
    }
  }

  #concerns(database: string, text: string): boolean {
    const { database: own } = this.#opening;
    return database === own || /^xa commit\b/i.test(text) || text.toLowerCase().includes(own.toLowerCase());
  }

  #layoutOf(name: string): KeyLayout {
    const layouts = this.#layouts;
    return layouts === null || !isAtOrAfter(this.#place, layouts.after) ? null : (layouts.tables.get(name) ?? null);
  }

  #readLayouts(): Promise<Layouts> {
    const { control, server, tables } = this.#opening;
    return readLayouts(control, server, tables);
  }

  async #untilVisible(end: LoggedCommit): Promise<void> {
    for (const until = performance.now() + visibleTimeoutMs; performance.now() < until; ) {
      if (await isVisible(this.#opening.control, end)) return;
      await new Promise((resolve) => setTimeout(resolve, visibleEveryMs));
    }
    throw new Error('a committed transaction does not become visible');
  }
}

const isWithoutEffect = (text: string): boolean => /^(#|savepoint\b|rollback to\b|release savepoint\b|xa end\b|xa rollback\b)/i.test(text);

const actions = { insert: 'create', update: 'update', delete: 'delete' } as const;

function changesOf({ action, table: name, keys }: BinlogEvent & { readonly kind: 'rows' }): readonly LoggedChange[] {
  const table = { schema: null, name };
  if (keys === null) return [{ kind: 'unknown', table }];
  const change = (key: readonly KeyPart[], moved: boolean): LoggedChange => {
    const [only] = key;
    return { kind: 'row', table, action: actions[action], key: key.length === 1 && only !== undefined ? only : key, moved };
  };
  return keys.flatMap(({ before, after }) =>
    JSON.stringify(before) === JSON.stringify(after) ? [change(after, false)] : [change(before, true), change(after, true)],
  );
}

/** Encodes COM_BINLOG_DUMP, with a random server id that no replica of the server uses. */
function dumpRequest({ file, position }: Place): Buffer {
  const request = Buffer.alloc(11);
  request.writeUInt8(0x12, 0);
  request.writeUInt32LE(position, 1);
  request.writeUInt32LE(randomInt(2 ** 31, 2 ** 32), 7);
  return Buffer.concat([request, Buffer.from(file, 'utf8')]);
}

/** Decodes an error packet into an Error with the server's error number, as mysql2 would. */
function refusalIn(packet: Buffer): Error {
  if (packet[0] !== 0xff) return new Error('the server has ended the log');
  return Object.assign(new Error(packet.subarray(9).toString('utf8')), { errno: packet.readUInt16LE(1) });
}
