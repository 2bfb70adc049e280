// What every step of a running write uses: the transaction's connection, the vendor's words, the hooks, and what is known so far.

import { isReference } from '../plan/bound-write.js';
import type { ItemKey } from '../plan/item-key.js';
import type { ItemNumber, WritePlan, WriteStep } from '../plan/write-steps.js';
import type { Collection } from '../schema/schema.js';
import type { WriteVendor } from '../sql/keys-to-sql.js';
import { isLate, LateValue, mostCounted } from '../sql/late-value.js';
import { renderLate } from '../sql/render-late.js';
import { paramsOf, type Sql } from '../sql/sql.js';
import { DatabaseError } from '../vendor/database-error.js';
import type { Row, Statement } from '../vendor/driver.js';
import type { ResolveFor } from './dynamics.js';
import type { Told } from './gathering-connection.js';
import type { Hooks, WriteAction, WriteEvent } from './hooks.js';
import type { RunRow } from './run-row.js';
import { bindValue } from './statement-values.js';
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

/** Statements that come again with other values are worth preparing; long ones hardly come again. */
export const MAX_PREPARED_PARAMETERS = 50;

export class WriteRun {
  readonly engine: WriteEngine;
  readonly work: TransactionWork;
  readonly state: WriteState;
  readonly #plan: WritePlan;
  #named: ReadonlySet<ItemNumber> | null = null;

  constructor(engine: WriteEngine, work: TransactionWork, plan: WritePlan, state: WriteState) {
    this.engine = engine;
    this.work = work;
    this.state = state;
    this.#plan = plan;
  }

  get vendor(): WriteVendor {
    return this.engine.vendor;
  }

  /** Whether so many rows may be counted by a statement that has not run yet. */
  canCount(rows: number): boolean {
    return this.vendor.syntax.late !== null && rows <= mostCounted;
  }

  /** Whether anybody wants to know what the step makes: the request, another step, or who observes. */
  isTold({ collection, rows }: Extract<WriteStep, { kind: 'insert' }>): boolean {
    if (this.engine.hooks.has(collection.name, 'create')) return true;
    this.#named ??= namedItems(this.#plan);
    const named = this.#named;
    return rows.some(({ item }) => named.has(item));
  }

  async rows(sql: Sql): Promise<readonly Row[]> {
    return this.work.connection.rows(await this.#statement(sql));
  }

  /** How many items the statement touched. */
  async run(sql: Sql): Promise<number> {
    return this.work.connection.run(await this.#statement(sql));
  }

  /** Sent with the next statement; `rows`, to say why it failed; `told` is given what it answers. */
  later(
    statement: Statement,
    { collection, rows, told }: { readonly collection: Collection; readonly rows: readonly RunRow[]; readonly told?: Told },
  ): void {
    const explain = (error: unknown): unknown => this.#explain(collection, rows, error);
    this.work.connection.later(statement, { explain, ...(told === undefined ? {} : { told }) });
  }

  async #statement(sql: Sql): Promise<Statement> {
    const resolve = await this.engine.resolveFor(this.work, [], paramsOf(sql));
    const rendered = renderLate(this.vendor.syntax, sql, (param) => bindValue(param, [], resolve));
    return { prepare: rendered.values.length <= MAX_PREPARED_PARAMETERS, ...rendered };
  }

  /** The hooks before, which see what was sent, then the transforms; answers the rows as they shall be written. */
  async before<R extends RunRow>(action: WriteAction, collection: Collection, rows: readonly R[]): Promise<readonly R[]> {
    const hooked = this.engine.hooks.has(collection.name, action, ['before']) ? await this.#hooked(action, collection, rows) : rows;
    return action === 'delete' ? hooked : applyTransforms(this.engine.transforms, collection, hooked);
  }

  async #hooked<R extends RunRow>(action: WriteAction, collection: Collection, rows: readonly R[]): Promise<readonly R[]> {
    const items = await this.engine.hooks.runBefore(this.#event(action, collection, rows, keyToWire));
    return rows.map((row, index) => ({ ...row, values: items[index]?.values ?? row.values }));
  }

  async after(action: WriteAction, collection: Collection, rows: readonly RunRow[]): Promise<void> {
    const { hooks } = this.engine;
    if (hooks.has(collection.name, action, ['observe'])) await hooks.runObserve(this.#event(action, collection, rows, keyForObservers));
    if (hooks.has(collection.name, action, ['after', 'committed'])) await hooks.runAfter(this.#event(action, collection, rows, keyToWire));
  }

  #event<K>(action: WriteAction, collection: Collection, rows: readonly RunRow[], toKey: (key: ItemKey) => K): WriteEvent<K> {
    return {
      write: this.state,
      work: this.work,
      collection,
      action,
      items: rows.map(({ key, values, item = null }) => ({
        key: key === null ? null : toKey(key),
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

/** The items of the request, and those that rows of other items refer to. */
function namedItems({ roots, steps }: WritePlan): ReadonlySet<ItemNumber> {
  const named = new Set(roots);
  for (const step of steps) {
    if (step.kind !== 'insert') continue;
    for (const { values } of step.rows)
      for (const value of values.values()) if (isReference(value)) named.add(value.kind === 'ref' ? value.item : value.parent);
  }
  return named;
}

/** A key as answers carry it: numbers and text. */
export function keyToWire(key: ItemKey): Key {
  if (key.some(isLate)) throw new Error('the key is not known yet');
  const parts = key.map((part) => (typeof part === 'number' ? part : String(part)));
  return parts.length === 1 ? (parts[0] ?? '') : parts;
}

/** The same for who can do with a key that is not known yet. */
function keyForObservers(key: ItemKey): Key | LateValue {
  const [only] = key;
  return key.length === 1 && only instanceof LateValue ? only : keyToWire(key);
}
