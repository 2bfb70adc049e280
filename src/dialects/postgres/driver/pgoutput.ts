// Reads the messages of `pgoutput`, the server's plugin for logical decoding: which rows a transaction has inserted, updated and deleted.

import type { TableName } from '../../../core/schema/table-name.js';

/** The text of each column by its name: null for NULL; values that the server did not send are missing. */
type Values = ReadonlyMap<string, { readonly text: string | null; readonly type: number }>;

export type WalMessage =
  | { readonly kind: 'insert' | 'delete'; readonly table: TableName; readonly row: Values }
  /** `old` is set if the key has changed. */
  | { readonly kind: 'update'; readonly table: TableName; readonly row: Values; readonly old: Values | null }
  | { readonly kind: 'truncate'; readonly tables: readonly TableName[] }
  /** The message was cut off before its end. */
  | { readonly kind: 'cut'; readonly table: TableName };

interface Relation {
  readonly table: TableName;
  readonly columns: readonly { readonly name: string; readonly type: number }[];
}

class Cut extends Error {}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  #take(count: number): number {
    const from = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) throw new Cut();
    return from;
  }

  letter(): string {
    return String.fromCharCode(this.#bytes.readUInt8(this.#take(1)));
  }

  short(): number {
    return this.#bytes.readUInt16BE(this.#take(2));
  }

  long(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  name(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0) throw new Cut();
    return this.#bytes.toString('utf8', this.#take(end - this.#at + 1), end);
  }

  text(): string {
    const length = this.long();
    const from = this.#take(length);
    return this.#bytes.toString('utf8', from, from + length);
  }
}

/** One per call of the decoding function: the server describes each table again with every call. */
export class WalReader {
  readonly #relations = new Map<number, Relation>();

  /** null for messages that change no rows. */
  read(bytes: Buffer): WalMessage | null {
    const reader = new Reader(bytes);
    switch (reader.letter()) {
      case 'R':
        this.#describe(reader);
        return null;
      case 'I':
        return this.#change('insert', reader);
      case 'U':
        return this.#change('update', reader);
      case 'D':
        return this.#change('delete', reader);
      case 'T':
        return this.#truncate(reader);
      default:
        return null;
    }
  }

  #describe(reader: Reader): void {
    const id = reader.long();
    const table = { schema: reader.name(), name: reader.name() };
    reader.letter();
    const columns = Array.from({ length: reader.short() }, () => {
      reader.letter();
      const name = reader.name();
      const type = reader.long();
      reader.long();
      return { name, type };
    });
    this.#relations.set(id, { table, columns });
  }

  #relation(id: number): Relation {
    const relation = this.#relations.get(id);
    if (relation === undefined) throw new Error('a change of a table that was not described');
    return relation;
  }

  #change(kind: 'insert' | 'update' | 'delete', reader: Reader): WalMessage {
    const relation = this.#relation(reader.long());
    const { table } = relation;
    try {
      const first = reader.letter();
      const row = readTuple(reader, relation);
      if (kind !== 'update') return { kind, table, row };
      if (first === 'N') return { kind, table, row, old: null };
      reader.letter();
      return { kind, table, row: readTuple(reader, relation), old: row };
    } catch (error) {
      if (error instanceof Cut) return { kind: 'cut', table };
      throw error;
    }
  }

  #truncate(reader: Reader): WalMessage {
    const count = reader.long();
    reader.letter();
    return { kind: 'truncate', tables: Array.from({ length: count }, () => this.#relation(reader.long()).table) };
  }
}

function readTuple(reader: Reader, { columns }: Relation): Values {
  const values = new Map<string, { readonly text: string | null; readonly type: number }>();
  const count = reader.short();
  for (const { name, type } of columns.slice(0, count)) {
    const kind = reader.letter();
    if (kind === 'n') values.set(name, { text: null, type });
    else if (kind === 't') values.set(name, { text: reader.text(), type });
  }
  return values;
}
