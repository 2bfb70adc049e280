// What every step of a running write uses: the transaction's connection, the vendor's words, the hooks, and what is known so far.

import type { ItemKey } from '../plan/item-key.js';
import type { Collection } from '../schema/schema.js';
import type { WriteVendor } from '../sql/keys-to-sql.js';
import { render, type Sql } from '../sql/sql.js';
import { DatabaseError } from '../vendor/database-error.js';
import type { Row, Statement } from '../vendor/driver.js';
import type { ResolveFor } from './dynamics.js';
import type { Told } from './gathering-connection.js';
import type { Hooks, WriteAction, WriteEvent } from './hooks.js';
import type { RunRow } from './run-row.js';
import { makeStatement } from './statement-values.js';
import type { TransactionWork } from './transaction.js';
import { applyTransforms, type Transforms } from './transforms.js';
import { translateError } from './translate-error.js';
import type { Key } from './work.js';
import type { WriteState } from './write-state.js';

export interface WriteEngine {
  readonly vendor: WriteVendor;
  readonly hooks: Hooks;
  readonly transforms: Transforms;
  readonly resolveFor: ResolveFor;
}

/** What is asked of a new item beside its key. */
export interface NewItemAnswer {
  readonly answer: Sql;
  readonly literals: readonly unknown[];
}

interface RunOptions {
  readonly literals?: readonly unknown[];
  /** Nothing follows in the transaction. */
  readonly last?: boolean;
}

/** Statements that come again with other values are worth preparing; long ones hardly come again. */
export const MAX_PREPARED_PARAMETERS = 50;

export class WriteRun {
  readonly engine: WriteEngine;
  readonly work: TransactionWork;
  readonly state: WriteState;

  constructor(engine: WriteEngine, work: TransactionWork, state: WriteState) {
    this.engine = engine;
    this.work = work;
    this.state = state;
  }

  get vendor(): WriteVendor {
    return this.engine.vendor;
  }

  async rows(sql: Sql, options: RunOptions = {}): Promise<readonly Row[]> {
    return this.work.connection.rows(await this.#statement(sql, options));
  }

  /** How many items the statement touched. */
  async run(sql: Sql): Promise<number> {
    return this.work.connection.run(await this.#statement(sql, {}));
  }

  /** Sent with the next statement; `rows`, to say why it failed; `told` is given what it answers. */
  later(
    statement: Statement,
    { collection, rows, told }: { readonly collection: Collection; readonly rows: readonly RunRow[]; readonly told?: Told },
  ): void {
    const explain = (error: unknown): unknown => this.#explain(collection, rows, error);
    this.work.connection.later(statement, { explain, ...(told === undefined ? {} : { told }) });
  }

  async #statement(sql: Sql, { literals = [], last = false }: RunOptions): Promise<Statement> {
    const rendered = render(sql, (index) => this.vendor.syntax.placeholder(index));
    const resolve = await this.engine.resolveFor(this.work, literals, rendered.params);
    return { ...makeStatement(rendered, literals, resolve, { last }), prepare: rendered.params.length <= MAX_PREPARED_PARAMETERS };
  }

  /** The hooks before, which see what was sent, then the transforms; answers the rows as they shall be written. */
  async before<R extends RunRow>(action: WriteAction, collection: Collection, rows: readonly R[]): Promise<readonly R[]> {
    const hooked = this.engine.hooks.has(collection.name, action, ['before']) ? await this.#hooked(action, collection, rows) : rows;
    return action === 'delete' ? hooked : applyTransforms(this.engine.transforms, collection, hooked);
  }

  async #hooked<R extends RunRow>(action: WriteAction, collection: Collection, rows: readonly R[]): Promise<readonly R[]> {
    const items = await this.engine.hooks.runBefore(this.#event(action, collection, rows));
    return rows.map((row, index) => ({ ...row, values: items[index]?.values ?? row.values }));
  }

  async after(action: WriteAction, collection: Collection, rows: readonly RunRow[]): Promise<void> {
    if (this.engine.hooks.has(collection.name, action)) await this.engine.hooks.runAfter(this.#event(action, collection, rows));
  }

  #event(action: WriteAction, collection: Collection, rows: readonly RunRow[]): WriteEvent {
    return {
      write: this.state,
      work: this.work,
      collection,
      action,
      items: rows.map(({ key, values, item = null }) => ({
        key: key === null ? null : keyToWire(key),
        values,
        item,
        parent: item === null ? null : this.state.parentOf(item),
      })),
    };
  }

  /** The database's refusals become the service's, with the names and the value of what was being written. */
  async translating<T>(collection: Collection, rows: readonly RunRow[], act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw this.#explain(collection, rows, error);
    }
  }

  #explain(collection: Collection, rows: readonly RunRow[], error: unknown): unknown {
    if (!(error instanceof DatabaseError) || error.kind === 'retry') return error;
    const values = rows.length === 1 ? (rows[0]?.values ?? null) : null;
    return translateError(this.work.caller.view.schema, error, { collection, values });
  }
}

/** A key as answers carry it: numbers and text. */
export function keyToWire(key: ItemKey): Key {
  const parts = key.map((part) => (typeof part === 'number' ? part : String(part)));
  return parts.length === 1 ? (parts[0] ?? '') : parts;
}
