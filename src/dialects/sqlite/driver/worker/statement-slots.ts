// Prepared statements of one worker, by slot. The main thread assigns the slots (StatementSlots), so that the text of a statement crosses to the
// worker once and afterwards only its number; the worker holds the statements (PreparedStatements). Both sides must see the same requests in
// the same order.

import type { SqliteConnection, SqliteStatement } from '../connection.js';
import { type Request, requestKind } from './messages.js';

export interface StatementSlots {
  /** `known`: the worker already has this text in the slot. */
  find(text: string): { readonly slot: number; readonly known: boolean };
}

/** The main thread's side. When all slots are taken, the least recently used statement is replaced. */
export function createStatementSlots(size: number): StatementSlots {
  const slots = new Map<string, number>();

  function take(text: string): number {
    if (slots.size < size) return slots.size;
    const [oldest, slot] = slots.entries().next().value ?? [text, 0];
    slots.delete(oldest);
    return slot;
  }

  return {
    find(text) {
      const known = slots.get(text);
      const slot = known ?? take(text);
      slots.delete(text);
      slots.set(text, slot);
      return { slot, known: known !== undefined };
    },
  };
}

/** The worker's side. */
export class PreparedStatements {
  readonly #connection: SqliteConnection;
  readonly #slots: { readonly text: string; statement: SqliteStatement | null }[] = [];
  /** The last statement without a slot. */
  #latest: { readonly text: string; readonly statement: SqliteStatement } | null = null;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Stores the texts of a request in their slots. Also call it for a request that will not run: the main thread does not send them again. */
  store(request: Request): void {
    if (request[0] === requestKind.exchange) for (const [slot, text] of request[3]) this.#storeText(slot, text);
    else if (request.length === 3) this.#storeText(request[2][0], request[2][1]);
  }

  find(slot: number, text: string | null): SqliteStatement {
    if (slot < 0) return this.#connection.prepare(text ?? '');
    const stored = this.#slots[slot];
    if (stored === undefined) throw new Error(`no statement in slot ${slot}`);
    stored.statement ??= this.#connection.prepare(stored.text);
    return stored.statement;
  }

  /**
   * Like `find`, but reuses the last statement without a slot: the parts of a bulk insert share one text, which is too long for a slot. Only for
   * statements that run to completion before the next call.
   */
  findAgain(slot: number, text: string | null): SqliteStatement {
    if (slot >= 0 || text === null) return this.find(slot, text);
    if (this.#latest?.text !== text) this.#latest = { text, statement: this.find(slot, text) };
    return this.#latest.statement;
  }

  #storeText(slot: number, text: string | null): void {
    if (slot >= 0 && text !== null) this.#slots[slot] = { text, statement: null };
  }
}
