// Parses the events of the binary log of MariaDB and MySQL as a replica receives them: which rows a transaction has inserted, updated and deleted. Of the
// rows only the keys are read. An event that cannot be parsed, because of a column type or because it is compressed, is reported as a
// change of unknown rows.

import { readGtid, readTaggedGtid } from './binlog-gtids.js';
import { Bytes, type KeyForm, type KeyPart, type LoggedColumn, readColumns, readKeyPart, takeValue } from './binlog-values.js';

/** The columns of a table's primary key by their index in the table; null: the keys cannot be read from the log. */
export type KeyLayout = readonly { readonly index: number; readonly form: KeyForm }[] | null;

export type LoggedAction = 'insert' | 'update' | 'delete';

export type BinlogEvent =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'begin' }
  /** MySQL: the name of the transaction whose events follow. */
  | { readonly kind: 'named'; readonly gtid: string }
  /** MySQL: a whole transaction in one compressed event. */
  | { readonly kind: 'compressed' }
  | { readonly kind: 'commit' }
  /** A prepared (XA) transaction, which a later statement commits or rolls back. */
  | { readonly kind: 'put-off' }
  | { readonly kind: 'statement'; readonly database: string; readonly text: string }
  /** `keys`: those of the rows; for an update, before and after it. null: unknown. */
  | { readonly kind: 'rows'; readonly action: LoggedAction; readonly table: string; readonly keys: readonly LoggedKeys[] | null };

interface LoggedKeys {
  readonly before: readonly KeyPart[];
  readonly after: readonly KeyPart[];
}

export interface ReadEvent {
  /** The position of the next event in the file; 0 for an event that is not stored in a file. */
  readonly position: number;
  /** null for an event that changes nothing. */
  readonly event: BinlogEvent | null;
}

interface TableMap {
  readonly database: string;
  readonly name: string;
  /** null if the type of a column is unknown. */
  readonly columns: readonly LoggedColumn[] | null;
}

const headerLength = 19;
const actions = ['insert', 'update', 'delete'] as const;
const standalone = 1;

const formatDescription = 15;
const checksumLength = 4;

/** `layout` returns the key layout of a table of the database, or undefined for a table whose changes are ignored. */
export class BinlogReader {
  readonly #database: string;
  readonly #layout: (table: string) => KeyLayout | undefined;
  readonly #maps = new Map<number, TableMap>();
  /** Whether each event ends with a checksum; the first event of every log file states it. */
  hasChecksums = false;

  constructor(database: string, layout: (table: string) => KeyLayout | undefined) {
    this.#database = database;
    this.#layout = layout;
  }

  read(packet: Buffer): ReadEvent {
    const type = packet.readUInt8(4);
    if (type === formatDescription) this.hasChecksums = packet.at(-checksumLength - 1) === 1;
    const end = this.hasChecksums ? packet.length - checksumLength : packet.length;
    return { position: packet.readUInt32LE(13), event: this.#event(type, new Bytes(packet.subarray(0, end), headerLength)) };
  }

  #event(type: number, body: Bytes): BinlogEvent | null {
    switch (type) {
      case 2:
        return readStatement(body);
      case 4:
        body.take(8);
        return { kind: 'file', name: body.rest().toString('utf8') };
      case 16:
        return this.#end({ kind: 'commit' });
      case 18: // LOAD DATA, as a statement
      case 165: // a compressed statement
        return { kind: 'statement', database: this.#database, text: '' };
      case 19:
        this.#describe(body);
        return null;
      case 23:
      case 24:
      case 25:
        return this.#rows(actions[type - 23] ?? 'update', body, false);
      case 30:
      case 31:
      case 32:
        return this.#rows(actions[type - 30] ?? 'update', body, true);
      case 33:
        return { kind: 'named', gtid: readGtid(body) };
      case 42:
        return { kind: 'named', gtid: readTaggedGtid(body) };
      case 38:
        return this.#end(body.number(1) === 1 ? { kind: 'commit' } : { kind: 'put-off' });
      case 162:
        body.take(12);
        return (body.number(1) & standalone) === 0 ? { kind: 'begin' } : null;
      case 39: // MySQL: an update of parts of JSON documents
        return this.#unreadable(body);
      case 40:
        return this.#end({ kind: 'compressed' });
      case 166:
      case 167:
      case 168:
      case 169:
      case 170:
      case 171:
        return this.#unreadable(body);
      default:
        return null;
    }
  }

  /** Forgets the table maps: the server sends them again in every transaction. */
  #end(event: BinlogEvent): BinlogEvent {
    this.#maps.clear();
    return event;
  }

  #describe(body: Bytes): void {
    const id = body.number(6);
    body.take(2);
    const database = body.name();
    const name = body.name();
    const types = body.take(body.packed());
    const description = new Bytes(body.take(body.packed()));
    this.#maps.set(id, { database, name, columns: tryTo(() => readColumns(types, description)) });
  }

  #mapOf(body: Bytes): TableMap {
    const map = this.#maps.get(body.number(6));
    if (map === undefined) throw new Error('the binary log changes a table that it has not described');
    return map;
  }

  #unreadable(body: Bytes): BinlogEvent | null {
    const { database, name } = this.#mapOf(body);
    const isOfInterest = database === this.#database && this.#layout(name) !== undefined;
    return isOfInterest ? { kind: 'rows', action: 'update', table: name, keys: null } : null;
  }

  #rows(action: LoggedAction, body: Bytes, hasExtra: boolean): BinlogEvent | null {
    const { database, name, columns } = this.#mapOf(body);
    const layout = database === this.#database ? this.#layout(name) : undefined;
    if (layout === undefined) return null;
    const keys = layout === null || columns === null ? null : tryTo(() => readRows(action, body, hasExtra, columns, layout));
    return { kind: 'rows', action, table: name, keys };
  }
}

function tryTo<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readStatement(body: Bytes): BinlogEvent {
  body.take(8);
  const nameLength = body.number(1);
  body.take(2);
  body.take(body.number(2));
  const database = body.take(nameLength).toString('utf8');
  body.take(1);
  return { kind: 'statement', database, text: body.rest().toString('utf8') };
}

/** Throws a RangeError if the rows do not end where the event does, which means that a column type was read wrongly. */
function readRows(
  action: LoggedAction,
  body: Bytes,
  hasExtra: boolean,
  columns: readonly LoggedColumn[],
  layout: NonNullable<KeyLayout>,
): readonly LoggedKeys[] {
  body.take(2);
  if (hasExtra) body.take(body.number(2) - 2);
  const bitmapLength = Math.ceil(body.packed() / 8);
  const present = body.take(bitmapLength);
  const presentAfter = action === 'update' ? body.take(bitmapLength) : present;
  const keys: LoggedKeys[] = [];
  while (!body.isAtEnd) {
    const before = readKey(body, columns, present, layout);
    // The row after an update may contain only the columns that have changed (binlog_row_image).
    const after = action === 'update' ? readKey(body, columns, presentAfter, layout) : before;
    keys.push({ before: complete(before), after: complete(after.map((part, index) => (part === undefined ? before[index] : part))) });
  }
  return keys;
}

const hasBit = (bits: Buffer, index: number): boolean => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;

/** The parts of the key. undefined: the log does not contain the part; null: it is NULL, or its form is uncertain. */
type Found = readonly (KeyPart | null | undefined)[];

function readKey(body: Bytes, columns: readonly LoggedColumn[], present: Buffer, layout: NonNullable<KeyLayout>): Found {
  const count = columns.filter((_column, index) => hasBit(present, index)).length;
  const nulls = body.take(Math.ceil(count / 8));
  const found: (KeyPart | null | undefined)[] = layout.map(() => undefined);
  let number = 0;
  for (const [index, column] of columns.entries()) {
    if (!hasBit(present, index)) continue;
    const value = hasBit(nulls, number) ? null : takeValue(body, column);
    number += 1;
    const place = layout.findIndex((part) => part.index === index);
    const form = layout[place]?.form;
    if (form !== undefined) found[place] = value === null ? null : readKeyPart(value, column, form);
  }
  return found;
}

function complete(found: Found): readonly KeyPart[] {
  return found.map((part) => {
    if (part === undefined || part === null) throw new RangeError('the key is not in the log');
    return part;
  });
}
