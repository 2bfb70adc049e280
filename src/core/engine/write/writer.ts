// Writing: the only way items get into the database. Every call runs inside a transaction opened by `transaction`; several calls in one
// transaction succeed or fail together. The answers are keys; the reader reads the items.

import { randomUUID } from 'node:crypto';
import { type Caller, findCollection, lookUpCollection } from '../../access/view.js';
import { ServiceError } from '../../errors/service-error.js';
import type { BoundFilter } from '../../plan/names/bound-filter.js';
import { bindBatch, bindCreate, bindCreatePart, bindDelete, bindUpdate, bindUpsert, uniqueKeys } from '../../plan/write/bind-write.js';
import type { BoundWrite } from '../../plan/write/bound-write.js';
import { type ItemKey, readKey } from '../../plan/write/item-key.js';
import { PayloadShapes } from '../../plan/write/payload.js';
import { planDelete, planWrite } from '../../plan/write/plan-write.js';
import { Failures, type WriteContext } from '../../plan/write/write-context.js';
import { ruleGuard } from '../../plan/write/write-guards.js';
import type { WritePlan } from '../../plan/write/write-steps.js';
import type { QueryLimits } from '../../query/query.js';
import type { Collection } from '../../schema/schema.js';
import { hasTrigger } from '../../schema/triggers.js';
import { empty, render } from '../../sql/sql.js';
import { firstKey, selectByValues } from '../../sql/write/keys-to-sql.js';
import { DatabaseError } from '../../vendor/database-error.js';
import type { Dialect } from '../../vendor/dialect.js';
import type { Connection } from '../../vendor/driver.js';
import type { ChangeSink } from '../work/changes.js';
import type { Dynamics } from '../work/dynamics.js';
import { RetryQueue } from '../work/retry.js';
import { keyToWire } from '../work/run-row.js';
import { makeStatement } from '../work/statement-values.js';
import { runTransaction, type TransactionWork, type WriteOptions } from '../work/transaction.js';
import { fieldsOf } from '../work/translate-error.js';
import type { AfterFlush, Key, NewItemAnswer } from '../work/work.js';
import { filterBatch, filterCreates, filterDelete, filterUpdate } from './filter-writes.js';
import type { Hooks } from './hooks.js';
import { inParts, type Payloads } from './in-parts.js';
import { beginSteps, runSteps } from './run-steps.js';
import type { Transforms } from './transforms.js';
import type { WriteEngine } from './write-run.js';
import type { WriteState } from './write-state.js';

export interface WriterDeps {
  readonly dialect: Pick<Dialect, 'driver' | 'deadlines' | 'syntax' | 'write'>;
  readonly limits: QueryLimits;
  readonly dynamics: Dynamics;
  readonly hooks: Hooks;
  readonly transforms: Transforms;
  readonly now: () => Date;
  /** Takes the exclusive lock of the service and holds it until the transaction ends. */
  readonly lockExclusively: (connection: Connection) => Promise<void>;
  readonly onEffectError: (error: unknown) => void;
  /** Receives what committed transactions have changed; absent: changes are not collected. */
  readonly changes?: ChangeSink;
}

export interface NewItems {
  readonly keys: readonly Key[];
  /** The JSON texts of the items the caller may read, in the order of the payloads; null: they have to be read. */
  readonly texts: readonly string[] | null;
}

export interface Upserted {
  readonly keys: readonly Key[];
  /** The keys of items that existed before. */
  readonly found: readonly Key[];
  readonly created: number;
  readonly updated: number;
}

/** A new item whose INSERT may still be queued: parts of its key may be pending. */
export interface NewItem {
  readonly key: ItemKey;
  /** null: the item has to be read. Yields null when the caller may not read what they created. */
  readonly text: AfterFlush<string | null> | null;
}

export class Writer {
  readonly #deps: WriterDeps;
  readonly #engine: WriteEngine;
  readonly #retries = new RetryQueue();

  constructor(deps: WriterDeps) {
    this.#deps = deps;
    const { dialect, hooks, transforms, dynamics } = deps;
    this.#engine = { vendor: { syntax: dialect.syntax, write: dialect.write }, hooks, transforms, dynamics };
  }

  transaction<T>(caller: Caller, act: (work: TransactionWork) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { dialect, onEffectError, changes = null } = this.#deps;
    return runTransaction({ dialect, retries: this.#retries, onEffectError, changes }, caller, act, options);
  }

  /** Returns the new keys in the order of the payloads. */
  async create(work: TransactionWork, collection: string, payloads: readonly unknown[]): Promise<readonly Key[]> {
    return (await this.createMany(work, collection, payloads, null)).keys;
  }

  /** The same; `answer`: what the INSERTs return of the items, where they can. */
  async createMany(given: TransactionWork, collection: string, sent: Payloads, answer: NewItemAnswer | null): Promise<NewItems> {
    const { work, asked: payloads } = await filterCreates(this.#deps.hooks, given, collection, sent);
    const context = await this.#context(work);
    const prepare = (part: readonly unknown[]): WritePlan | null => {
      work.clock?.start('bind');
      const bound = bindCreatePart(context, collection, part);
      return bound === null ? null : planIn(work, context, bound);
    };
    const run = (plan: WritePlan): Promise<NewItems> => this.#createPart(work, plan, answer);
    const runsAlone = (plan: WritePlan): boolean => plan.steps.length > 1 || !this.#mayOverlap(plan.collection);
    return joinParts(await inParts(payloads, { prepare, judge: () => context.failures.throwIfAny(), run, runsAlone }));
  }

  /** Whether INSERTs of several parts may be under way at once: not with hooks, and not where a statement behind the INSERT reads its keys. */
  #mayOverlap(collection: Collection): boolean {
    const { hooks, vendor } = this.#engine;
    return vendor.write.insertReturns && !hooks.has(collection, 'create', ['before', 'after', 'committed']);
  }

  async #createPart(work: TransactionWork, plan: WritePlan, answer: NewItemAnswer | null): Promise<NewItems> {
    const { state, texts } = await runSteps(this.#engine, work, plan, this.#asked(plan, answer));
    return {
      keys: keysOf(state, plan.roots),
      texts: texts === null ? null : plan.roots.flatMap((item) => texts.get(item) ?? []),
    };
  }

  /** One new item; `answer`: what its INSERT returns, where it can. The INSERT may still be queued when the promise resolves. */
  async createOne(given: TransactionWork, collection: string, payload: unknown, answer: NewItemAnswer | null): Promise<NewItem> {
    const { work, asked } = await filterCreates(this.#deps.hooks, given, collection, [payload]);
    const context = await this.#context(work);
    const plan = planIn(work, context, bindCreate(context, collection, asked));
    const { state, texts } = await beginSteps(this.#engine, work, plan, this.#asked(plan, answer));
    const [root = 0] = plan.roots;
    return { key: state.key(root), text: texts === null ? null : () => texts.get(root) ?? null };
  }

  #asked({ collection }: WritePlan, answer: NewItemAnswer | null): NewItemAnswer | null {
    if (collection.system || hasTrigger(collection, 'insert')) return null;
    return this.#engine.vendor.write.insertReturns ? answer : null;
  }

  /** The same payload for every key. */
  async update(given: TransactionWork, collection: string, keys: readonly unknown[], sent: unknown): Promise<readonly Key[]> {
    const { work, asked: payload } = await filterUpdate(this.#deps.hooks, given, collection, keys, sent);
    const context = await this.#context(work);
    return this.#write(work, context, bindUpdate(context, collection, keys, payload));
  }

  /** Each payload names the key of the item it changes. */
  async updateBatch(given: TransactionWork, collection: string, sent: readonly unknown[]): Promise<readonly Key[]> {
    const { work, asked: payloads } = await filterBatch(this.#deps.hooks, given, collection, sent);
    const context = await this.#context(work);
    return this.#write(work, context, bindBatch(context, collection, payloads));
  }

  /** `conflict`: the fields of a unique key; what it finds is updated, the rest is created. */
  async upsert(work: TransactionWork, collection: string, payloads: readonly unknown[], conflict: readonly string[]): Promise<Upserted> {
    const context = await this.#context(work);
    const plan = planIn(work, context, bindUpsert(context, collection, payloads, conflict));
    try {
      const { state } = await runSteps(this.#engine, work, plan);
      const found = plan.roots.filter((item) => state.wasFound(item));
      const [created, updated] = [plan.roots.length - found.length, found.length];
      return { keys: keysOf(state, plan.roots), found: keysOf(state, found), created, updated };
    } catch (error) {
      throw raceLost(error, plan.collection, conflict) ?? error;
    }
  }

  async delete(given: TransactionWork, collection: string, keys: readonly unknown[]): Promise<void> {
    const work = await filterDelete(this.#deps.hooks, given, collection, keys);
    const context = await this.#context(work);
    const bound = bindDelete(context, collection, keys);
    work.clock?.start('plan');
    const plan = planDelete(context, bound);
    work.clock?.stop();
    await runSteps(this.#engine, work, plan);
  }

  /** Locks these items until the transaction ends; missing ones are ignored, and so are those of a collection that is only read. */
  async lock(work: TransactionWork, name: string, keys: readonly unknown[]): Promise<void> {
    const collection = lookUpCollection(work.caller.view, name, 'read');
    if (!collection.readOnly) await this.#hold(work, collection, uniqueKeys(collection, keys), null);
  }

  /**
   * Locks items of several collections, given by name, until the transaction ends. All callers lock in the same order, so two calls may wait for
   * each other but never deadlock. Items that are missing or not the caller's to change are left to the write that names them.
   */
  async lockInOrder(work: TransactionWork, wanted: ReadonlyMap<string, readonly unknown[]>): Promise<void> {
    const { view } = work.caller;
    if (wanted.size === 0 || this.#engine.vendor.write.forUpdate === empty) return;
    const context = await this.#context(work);
    work.clock?.stop();
    for (const name of [...wanted.keys()].sort()) {
      const action = findCollection(view, name, 'update') === null ? 'delete' : 'update';
      const collection = findCollection(view, name, action);
      if (collection === null || collection.readOnly) continue;
      const keys = (wanted.get(name) ?? []).filter((key) => readKey(collection, key) !== null);
      if (keys.length > 0) await this.#hold(work, collection, uniqueKeys(collection, keys), ruleGuard(context, collection, action));
    }
  }

  async #hold(work: TransactionWork, collection: Collection, lists: readonly ItemKey[], guard: BoundFilter | null): Promise<void> {
    const { vendor, dynamics } = this.#engine;
    const by = collection.primaryKey;
    const held = selectByValues(vendor, { collection, by, lists, guard, locks: true, columns: by });
    const rendered = render(held, (index) => vendor.syntax.placeholder(index));
    await work.connection.rows(makeStatement(rendered, [], await dynamics.ofStatement(work, [], rendered.params), { kind: 'write' }));
  }

  /** Changes the one item of a singleton, or creates it by the first write. */
  async updateSingleton(work: TransactionWork, name: string, payload: unknown): Promise<Key> {
    const present = work.caller.view.schema.collections.get(name);
    const key = present === undefined || present.readOnly ? null : await this.#onlyKey(work, present);
    const keys = key === null ? await this.create(work, name, [payload]) : await this.update(work, name, [key], payload);
    return keys[0] ?? '';
  }

  /** Of several concurrent first writes one creates the item; the others wait for the lock and find it. */
  async #onlyKey(work: TransactionWork, collection: Collection): Promise<Key | null> {
    const key = await this.#firstKey(work, collection);
    if (key !== null) return key;
    await this.#deps.lockExclusively(work.connection);
    return this.#firstKey(work, collection);
  }

  async #firstKey(work: TransactionWork, collection: Collection): Promise<Key | null> {
    const { vendor } = this.#engine;
    const { text, tables } = render(firstKey(vendor, collection), (index) => vendor.syntax.placeholder(index));
    const [row] = await work.connection.rows({ kind: 'write', tables, text, values: [] });
    return row === undefined ? null : keyToWire(row);
  }

  async #write(work: TransactionWork, context: WriteContext, write: BoundWrite): Promise<readonly Key[]> {
    const plan = planIn(work, context, write);
    return keysOf((await runSteps(this.#engine, work, plan)).state, plan.roots);
  }

  /** Begins the stage `bind`, which ends when `planIn` begins `plan`. */
  async #context(work: TransactionWork): Promise<WriteContext> {
    const { limits, now, dynamics } = this.#deps;
    const resolve = await dynamics.ofWrite(work, limits);
    work.clock?.start('bind');
    return {
      caller: work.caller,
      limits,
      now: now(),
      makeUuid: randomUUID,
      resolve,
      stamps: new Map(),
      shapes: new PayloadShapes(),
      failures: new Failures(),
      named: { items: 0 },
    };
  }
}

function planIn({ clock }: TransactionWork, context: WriteContext, write: BoundWrite): WritePlan {
  clock?.start('plan');
  const plan = planWrite(context, write);
  clock?.stop();
  return plan;
}

function joinParts(parts: readonly NewItems[]): NewItems {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const [keys, texts]: [Key[], string[]] = [[], []];
  for (const part of parts) {
    keys.push(...part.keys);
    texts.push(...(part.texts ?? []));
  }
  return { keys, texts: parts.every((part) => part.texts !== null) ? texts : null };
}

const keysOf = (state: WriteState, items: readonly number[]): readonly Key[] => items.map((item) => keyToWire(state.key(item)));

/** Another transaction created the item between our look-up and our INSERT: the next attempt finds it. */
function raceLost(error: unknown, collection: Collection, conflict: readonly string[]): DatabaseError | null {
  const cause = error instanceof ServiceError ? error.cause : null;
  if (!(cause instanceof DatabaseError) || cause.kind !== 'unique') return null;
  const fields = fieldsOf(collection, cause) ?? [];
  return fields.length === conflict.length && fields.every((name) => conflict.includes(name)) ? new DatabaseError('retry', cause) : null;
}
