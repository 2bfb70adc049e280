// Reading: the only way items come out. Answers are JSON texts the database wrote; nothing here looks inside them.

import { lookUpCollection } from '../access/view.js';
import { forbidden, invalidQuery } from '../errors/service-error.js';
import { type AnswerColumn, columnsOfGroups, columnsOfShape } from '../plan/answer-columns.js';
import { printGroups, printRead } from '../plan/print-read.js';
import { parseQueryObject } from '../query/parse-query-object.js';
import { emptyQuery, type MetaField, type ParsedQuery, type Query } from '../query/query.js';
import type { Collection } from '../schema/schema.js';
import { goOnWith, type MaybeLater } from './at-once.js';
import type { Seal } from './cursor.js';
import { defaultItem } from './default-item.js';
import type { Pending } from './gathering-connection.js';
import { parseKeySegment, readKeyValue } from './item-key.js';
import type { ReadQuestion, Target } from './read-plan.js';
import { ReadRunner, type RunnerOptions } from './read-runner.js';
import { findWindow, isWindow, type PlannedWindow, readWindow, type WindowAnswer } from './read-window.js';
import type { TransactionWork } from './transaction.js';
import type { Key, Work } from './work.js';
import type { NewItemAnswer } from './write-run.js';

export interface ReaderOptions extends RunnerOptions {
  /** Seals the cursors of lists. */
  readonly seal: Seal;
}

export interface ItemsAnswer {
  /** The items' JSON texts joined by commas, without brackets. */
  readonly items: string;
  /** The JSON text of `meta`, null when none was asked for. */
  readonly meta: string | null;
}

export interface Explanation {
  /** The lines of the plan, nested by blanks. */
  readonly plan: readonly string[];
  readonly sql: string;
  readonly database: unknown;
}

const list: Target = { kind: 'list' };

export class Reader {
  readonly #options: ReaderOptions;
  readonly #runner: ReadRunner;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#runner = new ReadRunner(options);
  }

  /** `keys`: only these items; keys nobody has are left out, as by a filter. */
  async items(work: Work, collection: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): Promise<ItemsAnswer> {
    const question = this.#question(work, collection, parsed, keys);
    if (isWindow(parsed)) {
      const { items, cursor } = await readWindow(this.#runner, this.#options.seal, work, question, parsed);
      return { items, meta: parsed.meta.length === 0 ? null : await this.#meta(work, question, parsed.meta, cursor) };
    }
    const items = await this.#runner.texts(work, this.#runner.plan(work.caller, question), question);
    return { items, meta: parsed.meta.length === 0 ? null : await this.#meta(work, question, parsed.meta, null) };
  }

  /** Binds and plans without running: refuses what `items` and `item` would refuse. */
  check(work: Pick<Work, 'caller'>, collection: string, parsed: ParsedQuery): void {
    this.#runner.plan(work.caller, this.#question(work, collection, parsed, null));
  }

  /** The items of these keys, in the order of the keys; the query's own sort, limit and offset count when it has any. */
  async itemsInOrder(work: Work, name: string, parsed: ParsedQuery, keys: readonly Key[]): Promise<string> {
    const { query } = parsed;
    if (query.sort.length > 0 || query.limit !== null || query.offset !== null || keys.length < 2)
      return (await this.items(work, name, parsed, keys)).items;
    const all = { ...parsed, query: { ...query, limit: -1 }, meta: [] };
    const collection = lookUpCollection(work.caller.view, name, 'read');
    if (isAscending(keys) && collection.sortField === null) return (await this.items(work, name, all, keys)).items;
    return this.#reordered(work, collection, all, keys);
  }

  /** The key is read beside each item, under a name of its own, and taken out again. */
  async #reordered(work: Work, collection: Collection, parsed: ParsedQuery, keys: readonly Key[]): Promise<string> {
    const marks = collection.primaryKey.map((name, index) => ({
      kind: 'field' as const,
      field: { name, fn: null, args: [], scope: null },
      as: `$key${index}`,
      children: [],
      scopes: {},
    }));
    const fields = parsed.query.fields.length === 0 ? [{ kind: 'wildcard' as const, children: [] }] : parsed.query.fields;
    const { items } = await this.items(
      work,
      collection.name,
      { ...parsed, query: { ...parsed.query, fields: [...fields, ...marks] } },
      keys,
    );
    const byKey = new Map<string, unknown>();
    for (const item of JSON.parse(`[${items}]`) as readonly Record<string, unknown>[]) {
      const key = marks.map((mark) => String(item[mark.as]));
      for (const mark of marks) delete item[mark.as];
      byKey.set(JSON.stringify(key), item);
    }
    const ordered = keys.flatMap((key) => byKey.get(JSON.stringify([key].flat().map(String))) ?? []);
    return ordered.map((item) => JSON.stringify(item)).join(',');
  }

  /** The item's JSON text. A missing item and a hidden one are both forbidden. */
  item(work: Work, name: string, keyParts: readonly unknown[], parsed: ParsedQuery): MaybeLater<string> {
    if (parsed.query.limit === 0) throw forbidden();
    const question = itemQuestion(name, keyParts, parsed);
    return goOnWith(this.#runner.texts(work, this.#runner.plan(work.caller, question), question), requireItem);
  }

  /** The same behind what the transaction has still to send, the item itself perhaps; null: missing or hidden. */
  async itemLater(work: TransactionWork, name: string, keyParts: readonly unknown[], parsed: ParsedQuery): Promise<Pending<string | null>> {
    if (parsed.query.limit === 0) return () => null;
    const question = itemQuestion(name, keyParts, parsed);
    return this.#runner.textLater(work, this.#runner.plan(work.caller, question), question);
  }

  /** What the INSERT of a new item can answer itself, instead of `item`; null: the item has to be read. */
  newItem(work: Pick<Work, 'caller'>, collection: string, { query, literals }: ParsedQuery): NewItemAnswer | null {
    if (query.limit === 0) return null;
    const question: ReadQuestion = { collection, query: singleQuery(query), literals, target: { kind: 'new' }, streamed: false };
    const { answer } = this.#runner.plan(work.caller, question);
    return answer === null ? null : { answer, literals };
  }

  /** The same for the items of one request, in their order; null also where the query has an order or a limit of its own. */
  newItems(work: Pick<Work, 'caller'>, collection: string, parsed: ParsedQuery): NewItemAnswer | null {
    const { sort, limit, offset } = parsed.query;
    return sort.length > 0 || limit !== null || offset !== null ? null : this.newItem(work, collection, parsed);
  }

  itemBySegment(work: Work, name: string, segment: string, parsed: ParsedQuery): MaybeLater<string> {
    return this.item(work, name, parseKeySegment(lookUpCollection(work.caller.view, name, 'read'), segment), parsed);
  }

  /** The one item of a singleton, or its defaults before it was first written. */
  async singleton(work: Work, collection: string, parsed: ParsedQuery): Promise<string> {
    const question = this.#question(
      work,
      collection,
      { ...parsed, query: { ...singleQuery(parsed.query), sort: parsed.query.sort } },
      null,
    );
    const plan = this.#runner.plan(work.caller, question);
    const text = await this.#runner.texts(work, plan, question);
    return text === '' ? JSON.stringify(defaultItem(plan.bound.kind === 'read' ? plan.bound.read.shape : null)) : text;
  }

  /** For the service's own work: items as objects. `query` is written as a SEARCH body's query. */
  async objects(
    work: Work,
    collection: string,
    query: Readonly<Record<string, unknown>>,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { items } = await this.items(work, collection, parseQueryObject(query, this.#options.limits));
    return JSON.parse(`[${items}]`) as readonly Readonly<Record<string, unknown>>[];
  }

  /** The keys of every item a query means, without a limit of its own all of them. */
  async keys(work: Work, name: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): Promise<readonly Key[]> {
    const collection = lookUpCollection(work.caller.view, name, 'read');
    const fields = collection.primaryKey.map((key) => ({
      kind: 'field' as const,
      field: { name: key, fn: null, args: [], scope: null },
      as: key,
      children: [],
      scopes: {},
    }));
    const query: Query = { ...parsed.query, fields, deep: {}, limit: parsed.query.limit ?? -1 };
    const { items } = await this.items(work, name, { ...parsed, query, meta: [] }, keys);
    const rows = JSON.parse(`[${items}]`) as readonly Readonly<Record<string, string | number>>[];
    return rows.map((row) => keyOfItem(collection, row));
  }

  /** True when the answer has no bound worth holding in memory: it should be streamed. */
  isLong(work: Work, collection: string, parsed: ParsedQuery): boolean {
    const { limit } = this.#runner.plan(work.caller, this.#question(work, collection, parsed, null));
    return limit === null || limit > 1000;
  }

  /** The same items in batches of their texts. */
  stream(work: Work, collection: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): AsyncIterable<readonly string[]> {
    if (isWindow(parsed)) throw invalidQuery('A list paged by cursor cannot be streamed.');
    return this.#runner.stream(work, this.#question(work, collection, parsed, keys));
  }

  /** What each item of the answer holds, for formats with columns. */
  columns(work: Work, collection: string, parsed: ParsedQuery): readonly AnswerColumn[] {
    const { bound } = this.#runner.plan(work.caller, this.#question(work, collection, parsed, null));
    return bound.kind === 'read' ? columnsOfShape(bound.read.shape) : columnsOfGroups(bound.groups);
  }

  /** The JSON text of `meta`: what a list streamed by itself has beside it. */
  meta(work: Work, collection: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): Promise<string> {
    return this.#meta(work, this.#question(work, collection, parsed, keys), parsed.meta, null);
  }

  /** How a list is read: the plan, the statement, and what the database says about it. */
  async explain(work: Work, collection: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): Promise<Explanation> {
    if (!work.caller.accountability.admin) throw forbidden();
    const question = this.#question(work, collection, parsed, keys);
    if (isWindow(parsed)) return this.#explain(work, findWindow(this.#runner, this.#options.seal, work, question, parsed));
    return this.#explain(work, { question, plan: this.#runner.plan(work.caller, question), marks: [] });
  }

  async explainBySegment(work: Work, name: string, segment: string, parsed: ParsedQuery): Promise<Explanation> {
    if (!work.caller.accountability.admin) throw forbidden();
    const question = itemQuestion(name, parseKeySegment(lookUpCollection(work.caller.view, name, 'read'), segment), parsed);
    return this.#explain(work, { question, plan: this.#runner.plan(work.caller, question), marks: [] });
  }

  async #explain(work: Work, { question, plan, marks }: PlannedWindow): Promise<Explanation> {
    const { bound, statement } = plan;
    const lines = bound.kind === 'read' ? printRead(bound.read) : printGroups(bound.groups);
    return { plan: lines, sql: statement.text, database: await this.#runner.explain(work, plan, question, marks) };
  }

  #question(work: Pick<Work, 'caller'>, name: string, parsed: ParsedQuery, keys: readonly unknown[] | null): ReadQuestion {
    if (keys === null) return { collection: name, query: parsed.query, literals: parsed.literals, target: list, streamed: false };
    const collection = lookUpCollection(work.caller.view, name, 'read');
    const fitting = keys.map((key) => readKeyValue(collection, key)).filter((key) => key !== null);
    const listed = collection.primaryKey.length > 1 ? fitting : fitting.map((parts) => parts[0]);
    return {
      collection: name,
      query: parsed.query,
      literals: [...parsed.literals, listed],
      target: { kind: 'keys', count: collection.primaryKey.length > 1 ? listed.length : 1 },
      streamed: false,
    };
  }

  async #meta(work: Work, question: ReadQuestion, wanted: readonly MetaField[], cursor: WindowAnswer['cursor'] | null): Promise<string> {
    const counted = wanted.some((name) => name !== 'cursor') ? await this.#runner.counts(work, question) : null;
    const values: Readonly<Record<MetaField, unknown>> = { total_count: counted?.total, filter_count: counted?.filtered, cursor };
    return JSON.stringify(Object.fromEntries(wanted.map((name) => [name, values[name]])));
  }
}

const singles = new WeakMap<Query, Query>();

/** The same object for the same query: its shape is written once. */
function singleQuery(query: Query): Query {
  const known = singles.get(query);
  if (known !== undefined) return known;
  const single = { ...query, limit: 1, offset: null, sort: emptyQuery.sort };
  singles.set(query, single);
  return single;
}

const itemQuestion = (collection: string, keyParts: readonly unknown[], { query, literals }: ParsedQuery): ReadQuestion => ({
  collection,
  query: singleQuery(query),
  literals: [...literals, ...keyParts],
  target: { kind: 'one' },
  streamed: false,
});

function requireItem(text: string): string {
  if (text === '') throw forbidden();
  return text;
}

const isAscending = (keys: readonly Key[]): boolean =>
  keys.every((key, index) => typeof key === 'number' && (index === 0 || key > Number(keys[index - 1])));

function keyOfItem(collection: Collection, row: Readonly<Record<string, string | number>>): Key {
  const parts = collection.primaryKey.map((name) => row[name] ?? '');
  return parts.length === 1 ? (parts[0] ?? '') : parts;
}
