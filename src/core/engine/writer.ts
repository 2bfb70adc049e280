// Writing: the only way items come in. Every call runs inside a transaction that `transaction` opened; several calls in one are all or
// nothing together. Answers are keys; reading the items is the reader's business.

import { randomUUID } from 'node:crypto';
import { type Caller, lookUpCollection } from '../access/view.js';
import { ServiceError } from '../errors/service-error.js';
import { bindBatch, bindCreate, bindCreatePart, bindDelete, bindUpdate, bindUpsert, uniqueKeys } from '../plan/bind-write.js';
import type { BoundWrite } from '../plan/bound-write.js';
import type { ItemKey } from '../plan/item-key.js';
import { PayloadShapes } from '../plan/payload-shape.js';
import { planDelete, planWrite } from '../plan/plan-write.js';
import { Failures, type WriteContext } from '../plan/write-context.js';
import type { WritePlan } from '../plan/write-steps.js';
import type { QueryLimits } from '../query/query.js';
import type { Collection } from '../schema/schema.js';
import { firstKey, selectByValues } from '../sql/keys-to-sql.js';
import { render } from '../sql/sql.js';
import { DatabaseError } from '../vendor/database-error.js';
import type { Dialect } from '../vendor/dialect.js';
import type { Connection } from '../vendor/driver.js';
import { dynamicLiterals } from './dynamic-literals.js';
import type { ResolveFor } from './dynamics.js';
import type { Pending } from './gathering-connection.js';
import type { Hooks } from './hooks.js';
import { inParts, type Payloads } from './in-parts.js';
import { beginSteps, runSteps } from './run-steps.js';
import { makeStatement } from './statement-values.js';
import { runTransaction, type TransactionChoices, type TransactionWork } from './transaction.js';
import type { Transforms } from './transforms.js';
import { fieldsOf } from './translate-error.js';
import type { Key } from './work.js';
import { keyToWire, type NewItemAnswer, type WriteEngine } from './write-run.js';
import type { WriteState } from './write-state.js';

export interface WriterOptions {
  readonly dialect: Pick<Dialect, 'driver' | 'syntax' | 'write'>;
  readonly limits: QueryLimits;
  readonly resolveFor: ResolveFor;
  readonly hooks: Hooks;
  readonly transforms: Transforms;
  readonly now: () => Date;
  /** Waits for whoever holds others off, and does so until the transaction ends. */
  readonly holdOthers: (connection: Connection) => Promise<void>;
  readonly onEffectError: (error: unknown) => void;
}

export interface NewItems {
  readonly keys: readonly Key[];
  /** Of those the caller may see, in the order of the payloads; null: they have to be read. */
  readonly texts: readonly string[] | null;
}

export interface Upserted {
  readonly keys: readonly Key[];
  readonly created: number;
  readonly updated: number;
}

/** Of an item that may still be on its way: parts of its key may be late values. */
export interface NewItem {
  readonly key: ItemKey;
  /** Null when no statement tells it and it has to be read; tells null when the caller may not see what he made. */
  readonly text: Pending<string | null> | null;
}

export class Writer {
  readonly #options: WriterOptions;
  readonly #engine: WriteEngine;

  constructor(options: WriterOptions) {
    this.#options = options;
    const { dialect, hooks, transforms, resolveFor } = options;
    this.#engine = { vendor: { syntax: dialect.syntax, write: dialect.write }, hooks, transforms, resolveFor };
  }

  transaction<T>(caller: Caller, act: (work: TransactionWork) => Promise<T>, choices: TransactionChoices = {}): Promise<T> {
    const { dialect, onEffectError } = this.#options;
    return runTransaction({ driver: dialect.driver, onEffectError }, caller, act, choices);
  }

  /** The new keys in the order of the payloads. */
  async create(work: TransactionWork, collection: string, payloads: readonly unknown[]): Promise<readonly Key[]> {
    return (await this.createMany(work, collection, payloads, null)).keys;
  }

  /** The same; `answer`: what their statements are asked to tell, where they can. */
  async createMany(work: TransactionWork, collection: string, payloads: Payloads, answer: NewItemAnswer | null): Promise<NewItems> {
    const context = await this.#context(work);
    const prepare = (part: readonly unknown[]): WritePlan | null => {
      const bound = bindCreatePart(context, collection, part);
      return bound === null ? null : planWrite(context, bound);
    };
    const run = (plan: WritePlan): Promise<NewItems> => this.#createPart(work, plan, answer);
    const runsAlone = ({ steps }: WritePlan): boolean => steps.length > 1 || !this.#mayOverlap(collection);
    return joinParts(await inParts(payloads, { prepare, judge: () => context.failures.refuseAny(), run, runsAlone }));
  }

  /** Whether a part is one statement that nobody meddles with: what an INSERT does not tell has to be asked right behind it. */
  #mayOverlap(collection: string): boolean {
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

  /** One new item; `answer`: what its statement is asked to tell, where it can. Nothing need have been sent yet. */
  async createOne(work: TransactionWork, collection: string, payload: unknown, answer: NewItemAnswer | null): Promise<NewItem> {
    const context = await this.#context(work);
    const plan = planWrite(context, bindCreate(context, collection, [payload]));
    const { state, texts } = await beginSteps(this.#engine, work, plan, this.#asked(plan, answer));
    const [root = 0] = plan.roots;
    return { key: state.key(root), text: texts === null ? null : () => texts.get(root) ?? null };
  }

  #asked({ collection }: WritePlan, answer: NewItemAnswer | null): NewItemAnswer | null {
    return collection.system || !this.#engine.vendor.write.insertReturns ? null : answer;
  }

  /** The same payload for every key. */
  async update(work: TransactionWork, collection: string, keys: readonly unknown[], payload: unknown): Promise<readonly Key[]> {
    const context = await this.#context(work);
    return this.#write(work, context, bindUpdate(context, collection, keys, payload));
  }

  /** Each payload names the key of the item it changes. */
  async updateBatch(work: TransactionWork, collection: string, payloads: readonly unknown[]): Promise<readonly Key[]> {
    const context = await this.#context(work);
    return this.#write(work, context, bindBatch(context, collection, payloads));
  }

  /** `conflict`: the fields of a unique key; what it finds is updated, the rest is created. */
  async upsert(work: TransactionWork, collection: string, payloads: readonly unknown[], conflict: readonly string[]): Promise<Upserted> {
    const context = await this.#context(work);
    const plan = planWrite(context, bindUpsert(context, collection, payloads, conflict));
    try {
      const { state } = await runSteps(this.#engine, work, plan);
      const updated = plan.roots.filter((item) => state.wasFound(item)).length;
      return { keys: keysOf(state, plan.roots), created: plan.roots.length - updated, updated };
    } catch (error) {
      throw raceLost(error, plan.collection, conflict) ?? error;
    }
  }

  async delete(work: TransactionWork, collection: string, keys: readonly unknown[]): Promise<void> {
    const context = await this.#context(work);
    await runSteps(this.#engine, work, planDelete(context, bindDelete(context, collection, keys)));
  }

  /** Holds these items until the transaction ends; those that are not there are nobody's. */
  async lock(work: TransactionWork, name: string, keys: readonly unknown[]): Promise<void> {
    const collection = lookUpCollection(work.caller.view, name, 'read');
    const { vendor } = this.#engine;
    const by = collection.primaryKey;
    const held = selectByValues(vendor, { collection, by, lists: uniqueKeys(collection, keys), guard: null, locks: true, columns: by });
    await work.connection.rows(
      makeStatement(
        render(held, (index) => vendor.syntax.placeholder(index)),
        [],
        (value) => value,
      ),
    );
  }

  /** The one item of a singleton: changed, or created by its first write. */
  async updateSingleton(work: TransactionWork, name: string, payload: unknown): Promise<Key> {
    const present = work.caller.view.schema.collections.get(name);
    const key = present === undefined || present.table === null ? null : await this.#onlyKey(work, present);
    const keys = key === null ? await this.create(work, name, [payload]) : await this.update(work, name, [key], payload);
    return keys[0] ?? '';
  }

  /** Of several first writes at once one creates the item; the others wait for it and look again. */
  async #onlyKey(work: TransactionWork, collection: Collection): Promise<Key | null> {
    const key = await this.#firstKey(work, collection);
    if (key !== null) return key;
    await this.#options.holdOthers(work.connection);
    return this.#firstKey(work, collection);
  }

  async #firstKey(work: TransactionWork, collection: Collection): Promise<Key | null> {
    const { vendor } = this.#engine;
    const { text } = render(firstKey(vendor, collection), (index) => vendor.syntax.placeholder(index));
    const [row] = await work.connection.rows({ text, values: [] });
    return row === undefined ? null : keyToWire(row);
  }

  async #write(work: TransactionWork, context: WriteContext, write: BoundWrite): Promise<readonly Key[]> {
    const plan = planWrite(context, write);
    return keysOf((await runSteps(this.#engine, work, plan)).state, plan.roots);
  }

  async #context(work: TransactionWork): Promise<WriteContext> {
    const { limits, now, resolveFor } = this.#options;
    const resolve = await resolveFor(work, dynamicLiterals(work.caller.view.grants), []);
    return {
      caller: work.caller,
      limits,
      now: now(),
      makeUuid: randomUUID,
      resolve,
      stamps: new Map(),
      shapes: new PayloadShapes(),
      failures: new Failures(),
    };
  }
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

/** Somebody else created the item between our look and our insert: the next try finds it. */
function raceLost(error: unknown, collection: Collection, conflict: readonly string[]): DatabaseError | null {
  const cause = error instanceof ServiceError ? error.cause : null;
  if (!(cause instanceof DatabaseError) || cause.kind !== 'unique') return null;
  const fields = fieldsOf(collection, cause) ?? [];
  return fields.length === conflict.length && fields.every((name) => conflict.includes(name)) ? new DatabaseError('retry', cause) : null;
}
