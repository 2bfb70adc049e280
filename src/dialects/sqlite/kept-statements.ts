// The worker's side of statement-slots.ts: prepared statements by the slots the main thread gave them.

import type { SqliteConnection, SqliteStatement } from './connection.js';
import { ask, type Request } from './worker-messages.js';

export class KeptStatements {
  readonly #connection: SqliteConnection;
  readonly #slots: { readonly text: string; statement: SqliteStatement | null }[] = [];
  /** The latest without a slot. */
  #latest: { readonly text: string; readonly statement: SqliteStatement } | null = null;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Also the texts of what will not run: the main thread counts on their being kept. */
  keep(request: Request): void {
    if (request[0] === ask.exchange) for (const [slot, text] of request[3]) this.#keepText(slot, text);
    else if (request.length === 3) this.#keepText(request[2][0], request[2][1]);
  }

  find(slot: number, text: string | null): SqliteStatement {
    if (slot < 0) return this.#connection.prepare(text ?? '');
    const kept = this.#slots[slot];
    if (kept === undefined) throw new Error(`no statement in slot ${slot}`);
    kept.statement ??= this.#connection.prepare(kept.text);
    return kept.statement;
  }

  /** For statements of a transaction, which run to their end: the parts of a bulk have one text, too long to be worth a slot. */
  findAgain(slot: number, text: string | null): SqliteStatement {
    if (slot >= 0 || text === null) return this.find(slot, text);
    if (this.#latest?.text !== text) this.#latest = { text, statement: this.find(slot, text) };
    return this.#latest.statement;
  }

  #keepText(slot: number, text: string | null): void {
    if (slot >= 0 && text !== null) this.#slots[slot] = { text, statement: null };
  }
}
