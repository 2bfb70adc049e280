// What the steps of a running write share: the transaction's connection, the vendor's syntax, the hooks, and the keys known so far.

import { rowRules, type SchemaView } from '../../access/view.js';
import { forbidden, ServiceError } from '../../errors/service-error.js';
import type { OnRows } from '../../pipeline/pipelined-connection.js';
import { renderPending } from '../../pipeline/render-pending.js';
import { withoutPresets } from '../../plan/write/added-values.js';
import { isReference, type PlainValue } from '../../plan/write/bound-write.js';
import type { ItemKey } from '../../plan/write/item-key.js';
import type { ItemNumber, StepValue, WritePlan, WriteStep } from '../../plan/write/write-steps.js';
import type { Collection } from '../../schema/schema.js';
import { paramsOf, type Sql } from '../../sql/sql.js';
import type { WriteVendor } from '../../sql/write/keys-to-sql.js';
import { DatabaseError, mayRetry } from '../../vendor/database-error.js';
import type { Row, Statement, StatementKind } from '../../vendor/driver.js';
import type { Dynamics } from '../work/dynamics.js';
import { keyForObservers, keyToWire, type RunRow } from '../work/run-row.js';
import { bindValue } from '../work/statement-values.js';
import type { TransactionWork } from '../work/transaction.js';
import { translateError } from '../work/translate-error.js';
import type { Hooks, WriteAction, WriteEvent } from './hooks.js';
import { applyTransforms, type Transforms } from './transforms.js';
import type { WriteState } from './write-state.js';

export interface WriteEngine {
  readonly vendor: WriteVendor;
  readonly hooks: Hooks;
  readonly transforms: Transforms;
  readonly dynamics: Dynamics;
}

/** Statements that come again with other values are worth preparing; longer ones hardly come again. */
export const maxPreparedParameters = 50;

const nothingToHold = async (): Promise<void> => undefined;

export class WriteRun {
  readonly engine: WriteEngine;
  readonly work: TransactionWork;
  readonly state: WriteState;
  readonly #plan: WritePlan;
  #referred: ReadonlySet<ItemNumber> | null = null;
  /** The fields that hooks have set, `collection.field`: the caller did not send these values and may not be allowed to see them. */
  readonly #hookedFields = new Set<string>();

  constructor(engine: WriteEngine, work: TransactionWork, plan: WritePlan, state: WriteState) {
    this.engine = engine;
    this.work = work;
    this.state = state;
    this.#plan = plan;
  }

  get vendor(): WriteVendor {
    return this.engine.vendor;
  }

  /** Whether the keys of the step's items are needed: by the answer, by another step, by a hook, or by followers of changes. */
  isReferredTo({ collection, rows }: Extract<WriteStep, { kind: 'insert' }>): boolean {
    if (this.isObserved('create', collection)) return true;
    this.#referred ??= referredItems(this.#plan);
    const referred = this.#referred;
    return rows.some(({ item }) => referred.has(item));
  }

  /** `kind`: `write` for reads that lock rows. */
  async rows(sql: Sql, kind: StatementKind = 'read'): Promise<readonly Row[]> {
    return this.work.connection.rows(await this.#statement(kind, sql));
  }

  /** The number of rows the statement touched. */
  async run(sql: Sql): Promise<number> {
    return this.work.connection.run(await this.#statement('write', sql));
  }

  /** Sends the statement with the next one; `collection` and `rows` are those it writes, to explain its failure. */
  enqueue(
    statement: Statement,
    { collection, rows, onRows }: { readonly collection: Collection; readonly rows: readonly RunRow[]; readonly onRows?: OnRows },
  ): void {
    const explain = (error: unknown): unknown => this.#explain(collection, rows, error);
    this.work.connection.enqueue(statement, { explain, ...(onRows === undefined ? {} : { onRows }) });
  }

  /** Sends a read that locks rows with the next statement. */
  async enqueueLock(sql: Sql, collection: Collection, rows: readonly RunRow[]): Promise<void> {
    this.enqueue(await this.#statement('write', sql), { collection, rows });
  }

  async #statement(kind: StatementKind, sql: Sql): Promise<Statement> {
    const resolve = await this.engine.dynamics.ofStatement(this.work, [], paramsOf(sql));
    this.work.clock?.start('sql');
    const rendered = renderPending(this.vendor.syntax, sql, (param) => bindValue(param, [], resolve));
    this.work.clock?.stop();
    return { kind, prepare: rendered.values.length <= maxPreparedParameters, ...rendered };
  }

  /**
   * Runs the hooks before the write, which see the values as sent, then the transforms; returns the rows to write. `hold` queues a lock of
   * their items.
   */
  async before<R extends RunRow>(
    action: WriteAction,
    collection: Collection,
    rows: readonly R[],
    hold: () => Promise<void> = nothingToHold,
  ): Promise<readonly R[]> {
    this.work.witness?.(action, collection, rows);
    const hooked = this.engine.hooks.has(collection, action, ['before']) ? await this.#hooked(action, collection, rows, hold) : rows;
    return action === 'delete' ? hooked : applyTransforms(this.engine.transforms, collection, hooked);
  }

  async #hooked<R extends RunRow>(
    action: WriteAction,
    collection: Collection,
    rows: readonly R[],
    hold: () => Promise<void>,
  ): Promise<readonly R[]> {
    const items = await this.engine.hooks.runBefore({ ...this.#event(action, collection, rows, keyToWire), hold });
    return rows.map((row, index) => {
      const values = items[index]?.values ?? row.values;
      if (values === row.values) return row;
      for (const [field, value] of values) if (value !== row.values.get(field)) this.#hookedFields.add(`${collection.name}.${field}`);
      return { ...row, values };
    });
  }

  /** Whether `after` does anything. */
  isObserved(action: WriteAction, collection: Collection): boolean {
    return this.work.changes !== null || this.engine.hooks.has(collection, action);
  }

  async after(action: WriteAction, collection: Collection, rows: readonly RunRow[]): Promise<void> {
    const { hooks } = this.engine;
    this.work.changes?.add(action, collection, rows);
    if (hooks.has(collection, action, ['observe'])) await hooks.runObserve(this.#event(action, collection, rows, keyForObservers));
    if (hooks.has(collection, action, ['after', 'committed'])) await hooks.runAfter(this.#event(action, collection, rows, keyToWire));
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

  /** Turns errors of the database into the service's, with the names and the value of what was being written. */
  async translating<T>(collection: Collection, rows: readonly RunRow[], act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw this.#explain(collection, rows, error);
    }
  }

  #explain(collection: Collection, rows: readonly RunRow[], error: unknown): unknown {
    const { view } = this.work.caller;
    if (error instanceof DatabaseError && error.kind === 'foreign-key' && hidesTargets(view, collection))
      return new ServiceError(forbidden().entries, { cause: error });
    if (!(error instanceof DatabaseError) || mayRetry(error)) return error;
    const [row] = rows;
    const values = row === undefined || rows.length > 1 ? null : withoutPresets(view, collection, this.#sentValues(collection, row));
    return translateError(view.schema, error, { collection, values });
  }

  #sentValues({ name }: Collection, { values }: RunRow): ReadonlyMap<string, unknown> {
    if (this.#hookedFields.size === 0) return values;
    return new Map([...values].filter(([field]) => !this.#hookedFields.has(`${name}.${field}`)));
  }
}

/**
 * Whether a foreign key of several columns refers to a collection of which the caller may read only some items. Its columns can be written one
 * by one, so only the database can tell that the target is missing, and missing has to look like hidden. Targets of foreign keys of one column
 * were checked by an earlier step.
 */
const hidesTargets = (view: SchemaView, { fields }: Collection): boolean =>
  [...fields.values()].some((field) => field.kind === 'reference' && rowRules(view, field.relation.related, 'read') !== 'all');

/** The root items of the request, and those that rows of other items refer to. */
function referredItems({ roots, steps }: WritePlan): ReadonlySet<ItemNumber> {
  const referred = new Set(roots);
  for (const step of steps) {
    if (step.kind !== 'insert') continue;
    for (const { values } of step.rows)
      for (const value of values.values()) if (isReference(value)) for (const item of itemsOf(value)) referred.add(item);
  }
  return referred;
}

function itemsOf(value: Exclude<StepValue, PlainValue>): readonly ItemNumber[] {
  if (value.kind === 'next') return [value.parent];
  return [value.item, ...(value.agrees ?? []).flatMap((other) => (isReference(other) ? itemsOf(other) : []))];
}
