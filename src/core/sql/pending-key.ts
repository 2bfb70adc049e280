// Keys that the database has not generated yet, used as values of later statements. A nested create refers to the key of its parent
// before the parent's INSERT has run; a driver that sends several statements in one exchange fills the key in on the server's side, so
// that no round trip is spent on reading it. core/pipeline makes and settles them; docs/write-pipeline.md shows them at work.

/** The keys one INSERT generates, as far as statements that refer to them need to know; `KeyBatch` of core/pipeline is the implementation. */
export interface GeneratedKeys {
  /** The number of the batch within its transaction: it names the variable or setting that carries the keys. */
  readonly place: number;
  /** How many rows the INSERT has. */
  readonly rows: number;
  /** The key of a row, counted from 0; undefined before the INSERT has run. */
  at(row: number): unknown;
}

/** The key of one row of a batch. */
export class PendingKey {
  readonly batch: GeneratedKeys;
  readonly row: number;
  /** Two pending keys of the same name are written as the same SQL: cached texts are found by it. */
  readonly name: string;

  constructor(batch: GeneratedKeys, row: number) {
    this.batch = batch;
    this.row = row;
    this.name = `${batch.place}.${row}/${batch.rows}`;
  }

  /** The generated key once the INSERT has run; the pending key itself before. */
  current(): unknown {
    return this.batch.at(this.row) ?? this;
  }
}

/** A text that contains pending keys: the JSON of a revision names keys of items that its own transaction creates. */
export class PendingText {
  readonly parts: readonly (string | PendingKey)[];

  constructor(parts: readonly (string | PendingKey)[]) {
    this.parts = parts;
  }

  /** The keys in the order in which they occur. */
  get keys(): readonly PendingKey[] {
    return this.parts.filter((part) => typeof part !== 'string');
  }

  /** The text with a placeholder for each key; `ofText` escapes what lies between them. */
  template(ofText: (text: string) => string, ofKey: (place: number) => string): string {
    let template = '';
    let place = 0;
    for (const part of this.parts) template += typeof part === 'string' ? ofText(part) : ofKey(place++);
    return template;
  }
}

export type Pending = PendingKey | PendingText;

/** Where a statement's list of values has a pending one, which the driver fills in. */
export interface PendingPlace {
  readonly at: number;
  readonly pending: Pending;
}

export const isPending = (value: unknown): value is Pending => value instanceof PendingKey || value instanceof PendingText;
