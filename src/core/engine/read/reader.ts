// Reading: the only way items get out of the database. Answers are JSON texts that the database wrote; they are passed on unparsed.

import { lookUpCollection } from '../../access/view.js';
import { forbidden, invalidQuery } from '../../errors/service-error.js';
import { type AnswerColumn, columnsOfGroups, columnsOfShape } from '../../plan/read/answer-columns.js';
import type { Output, Shape } from '../../plan/read/bound-read.js';
import { parseQueryObject } from '../../query/parse/parse-query-object.js';
import type { MetaField, ParsedQuery, Query } from '../../query/query.js';
import type { Collection } from '../../schema/schema.js';
import { type MaybePromise, whenReady } from '../work/maybe-promise.js';
import type { TransactionWork } from '../work/transaction.js';
import type { AfterFlush, Key, NewItemAnswer, Work } from '../work/work.js';
import type { Seal } from './cursor.js';
import { type Explanation, explainRead } from './explain-read.js';
import { parseKeySegment } from './item-key.js';
import { cutKey, type KeyedItem, type ListFacts, listFacts, withKeys } from './keyed-items.js';
import type { CacheState, ReadQuestion } from './prepared-read.js';
import { itemQuestion, listQuestion, singleQuery } from './read-question.js';
import { ReadRunner, type RunnerDeps } from './read-runner.js';
import { isWindow, prepareWindowOf, readWindow, type WindowAnswer } from './read-window.js';

export interface ReaderDeps extends RunnerDeps {
  /** Seals the cursors of lists. */
  readonly seal: Seal;
}

export interface ItemsAnswer {
  /** The items' JSON texts joined by commas, without brackets. */
  readonly items: string;
  /** The JSON text of `meta`, null when none was asked for. */
  readonly meta: string | null;
}

export class Reader {
  readonly #deps: ReaderDeps;
  readonly #runner: ReadRunner;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
    this.#runner = new ReadRunner(deps);
  }

  /** The reads that were prepared. */
  get cache(): CacheState {
    return this.#runner.cache;
  }

  /** `keys`: only these items; keys that match no item are ignored, as by a filter. */
  async items(work: Work, collection: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): Promise<ItemsAnswer> {
    const question = listQuestion(work, collection, parsed, keys);
    if (isWindow(parsed)) {
      const { items, cursor } = await readWindow(this.#runner, this.#deps.seal, work, question, parsed);
      return { items, meta: parsed.meta.length === 0 ? null : await this.#meta(work, question, parsed, cursor) };
    }
    const items = await this.#runner.texts(work, this.#runner.prepare(work.caller, question, work.clock), question);
    return { items, meta: parsed.meta.length === 0 ? null : await this.#meta(work, question, parsed, null) };
  }

  /** Prepares without running: refuses what `items` and `item` would refuse. */
  check(work: Pick<Work, 'caller'>, collection: string, parsed: ParsedQuery): void {
    this.#runner.check(work.caller, listQuestion(work, collection, parsed, null));
  }

  /** The items of these keys, in the order of the keys; the query's own sort, limit and offset take precedence. */
  async itemsInOrder(work: Work, name: string, parsed: ParsedQuery, keys: readonly Key[]): Promise<string> {
    const { query } = parsed;
    if (query.sort.length > 0 || query.limit !== null || query.offset !== null || keys.length < 2)
      return (await this.items(work, name, parsed, keys)).items;
    const all = { ...parsed, query: { ...query, limit: -1 }, meta: [] };
    const collection = lookUpCollection(work.caller.view, name, 'read');
    if (isAscending(keys) && collection.sortField === null) return (await this.items(work, name, all, keys)).items;
    return this.#reordered(work, collection, all, keys);
  }

  /** Reads the key with each item, under a name that no field has, and removes it after sorting. */
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

  /** The item's JSON text. Missing and hidden items are both FORBIDDEN. */
  item(work: Work, name: string, keyParts: readonly unknown[], parsed: ParsedQuery): MaybePromise<string> {
    if (parsed.query.limit === 0) throw forbidden();
    const question = itemQuestion(name, keyParts, parsed);
    return whenReady(this.#runner.texts(work, this.#runner.prepare(work.caller, question, work.clock), question), requireItem);
  }

  /** Queues the same read behind what the transaction has queued, the item's own INSERT perhaps; yields null for a missing or hidden item. */
  async enqueueItem(
    work: TransactionWork,
    name: string,
    keyParts: readonly unknown[],
    parsed: ParsedQuery,
  ): Promise<AfterFlush<string | null>> {
    if (parsed.query.limit === 0) return () => null;
    const question = itemQuestion(name, keyParts, parsed);
    return this.#runner.enqueueText(work, this.#runner.prepare(work.caller, question, work.clock), question);
  }

  /** Queues the read of the items of these keys; `onTexts` gets their texts joined by commas when the next statement has run. */
  async enqueueItems(
    work: TransactionWork,
    collection: string,
    parsed: ParsedQuery,
    keys: readonly unknown[],
    onTexts: (texts: string) => void,
  ): Promise<void> {
    const question = listQuestion(work, collection, parsed, keys);
    await this.#runner.enqueueTexts(work, this.#runner.prepare(work.caller, question, work.clock), question, onTexts);
  }

  /** What the INSERT of a new item can return in place of `item`; null: the item has to be read. */
  newItem(work: Pick<Work, 'caller' | 'clock'>, collection: string, { query, literals }: ParsedQuery): NewItemAnswer | null {
    if (query.limit === 0) return null;
    const question: ReadQuestion = { collection, query: singleQuery(query), literals, target: { kind: 'new' }, streamed: false };
    const { answer } = this.#runner.prepare(work.caller, question, work.clock);
    return answer === null ? null : { answer, literals };
  }

  /** The same for the items of one request, in their order; null also where the query itself sorts or limits. */
  newItems(work: Pick<Work, 'caller' | 'clock'>, collection: string, parsed: ParsedQuery): NewItemAnswer | null {
    const { sort, limit, offset } = parsed.query;
    return sort.length > 0 || limit !== null || offset !== null ? null : this.newItem(work, collection, parsed);
  }

  itemBySegment(work: Work, name: string, segment: string, parsed: ParsedQuery): MaybePromise<string> {
    return this.item(work, name, parseKeySegment(lookUpCollection(work.caller.view, name, 'read'), segment), parsed);
  }

  /** The one item of a singleton, or its defaults before the first write. */
  async singleton(work: Work, collection: string, parsed: ParsedQuery): Promise<string> {
    const question = listQuestion(work, collection, { ...parsed, query: { ...singleQuery(parsed.query), sort: parsed.query.sort } }, null);
    const read = this.#runner.prepare(work.caller, question, work.clock);
    const text = await this.#runner.texts(work, read, question);
    return text === '' ? JSON.stringify(defaultItem(read.bound.kind === 'read' ? read.bound.read.shape : null)) : text;
  }

  /** For the service itself: items as objects. `query` has the form of a SEARCH body's query. */
  async objects(
    work: Work,
    collection: string,
    query: Readonly<Record<string, unknown>>,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { items } = await this.items(work, collection, parseQueryObject(query, this.#deps.limits));
    return JSON.parse(`[${items}]`) as readonly Readonly<Record<string, unknown>>[];
  }

  /** The keys of the items that a query selects; all of them where the query has no limit. */
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

  /** Each item with its key. Needs the right to read the key; an item whose key is hidden is left out. */
  async keyedItems(work: Work, name: string, parsed: ParsedQuery, keys: readonly unknown[] | null): Promise<readonly KeyedItem[]> {
    const collection = lookUpCollection(work.caller.view, name, 'read');
    const texts = await this.#runner.list(work, listQuestion(work, name, withKeys(work, name, parsed), keys));
    return texts.flatMap((text) => cutKey(text, collection) ?? []);
  }

  /** The same, and whether these are all that the query selects without its limit. */
  async keyedPage(
    work: Work,
    name: string,
    parsed: ParsedQuery,
    keys: readonly unknown[] | null,
  ): Promise<{ readonly items: readonly KeyedItem[]; readonly isWhole: boolean }> {
    const collection = lookUpCollection(work.caller.view, name, 'read');
    const question = listQuestion(work, name, withKeys(work, name, parsed), keys);
    const { limit } = this.#runner.prepare(work.caller, question, work.clock);
    const texts = await this.#runner.list(work, question);
    const isWhole = skipsNothing(parsed) && (limit === null || texts.length < limit);
    return { items: texts.flatMap((text) => cutKey(text, collection) ?? []), isWhole };
  }

  /** The same of everything that the query selects; null when that is more than `most` items. */
  async shortKeyedList(
    work: Work,
    name: string,
    parsed: ParsedQuery,
    keys: readonly unknown[] | null,
    most: number,
  ): Promise<readonly KeyedItem[] | null> {
    const collection = lookUpCollection(work.caller.view, name, 'read');
    const limited = { ...parsed, query: { ...parsed.query, limit: most + 1, offset: null } };
    const texts = await this.#runner.list(work, listQuestion(work, name, withKeys(work, name, limited), keys));
    return texts.length > most ? null : texts.flatMap((text) => cutKey(text, collection) ?? []);
  }

  /** The same in batches. */
  async *keyedStream(work: Work, name: string, parsed: ParsedQuery, keys: readonly unknown[] | null): AsyncGenerator<readonly KeyedItem[]> {
    const collection = lookUpCollection(work.caller.view, name, 'read');
    for await (const texts of this.#runner.stream(work, listQuestion(work, name, withKeys(work, name, parsed), keys)))
      yield texts.flatMap((text) => cutKey(text, collection) ?? []);
  }

  /** What the keyed items of a list depend on; refuses what reading them would refuse. */
  facts(work: Pick<Work, 'caller'>, name: string, parsed: ParsedQuery): ListFacts {
    const question = listQuestion(work, name, withKeys(work, name, parsed), null);
    this.#runner.check(work.caller, question);
    return listFacts(work.caller.view, this.#runner.prepare(work.caller, question), question);
  }

  /** Whether the answer may be too long to hold in memory: then it should be streamed. */
  isLong(work: Work, collection: string, parsed: ParsedQuery): boolean {
    const { limit } = this.#runner.prepare(work.caller, listQuestion(work, collection, parsed, null), work.clock);
    return limit === null || limit > 1000;
  }

  /** The same items in batches of their texts. */
  stream(work: Work, collection: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): AsyncIterable<readonly string[]> {
    if (isWindow(parsed)) throw invalidQuery('A list paged by cursor cannot be streamed.');
    return this.#runner.stream(work, listQuestion(work, collection, parsed, keys));
  }

  /** What each item of the answer contains, for formats with columns. */
  columns(work: Work, collection: string, parsed: ParsedQuery): readonly AnswerColumn[] {
    const { bound } = this.#runner.prepare(work.caller, listQuestion(work, collection, parsed, null), work.clock);
    return bound.kind === 'read' ? columnsOfShape(bound.read.shape) : columnsOfGroups(bound.groups);
  }

  /** The JSON text of `meta`, for a list that is streamed separately. */
  meta(work: Work, collection: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): Promise<string> {
    return this.#meta(work, listQuestion(work, collection, parsed, keys), parsed, null);
  }

  /** How a list is read: the plan, the statement, and the database's own explanation. */
  async explain(work: Work, collection: string, parsed: ParsedQuery, keys: readonly unknown[] | null = null): Promise<Explanation> {
    if (!work.caller.accountability.admin) throw forbidden();
    const question = listQuestion(work, collection, parsed, keys);
    if (isWindow(parsed))
      return explainRead(this.#runner, this.#deps.dialect, work, prepareWindowOf(this.#runner, this.#deps.seal, work, question, parsed));
    return explainRead(this.#runner, this.#deps.dialect, work, {
      question,
      read: this.#runner.prepare(work.caller, question, work.clock),
      marks: [],
    });
  }

  async explainBySegment(work: Work, name: string, segment: string, parsed: ParsedQuery): Promise<Explanation> {
    if (!work.caller.accountability.admin) throw forbidden();
    const question = itemQuestion(name, parseKeySegment(lookUpCollection(work.caller.view, name, 'read'), segment), parsed);
    return explainRead(this.#runner, this.#deps.dialect, work, {
      question,
      read: this.#runner.prepare(work.caller, question, work.clock),
      marks: [],
    });
  }

  async #meta(work: Work, question: ReadQuestion, parsed: ParsedQuery, cursor: WindowAnswer['cursor'] | null): Promise<string> {
    const { meta: wanted, countAtMost: atMost } = parsed;
    const counts = { total: wanted.includes('total_count'), atMost };
    const counted = wanted.some((name) => name !== 'cursor') ? await this.#runner.counts(work, question, counts) : null;
    const values: Readonly<Record<MetaField, unknown>> = {
      total_count: showCount(counted?.total, atMost),
      filter_count: showCount(counted?.filtered, atMost),
      cursor,
    };
    return JSON.stringify(Object.fromEntries(wanted.map((name) => [name, values[name]])));
  }
}

/** A count that stopped at its bound says so: `">1000"`. */
const showCount = (count: number | undefined, atMost: number | null): number | string | undefined =>
  count !== undefined && atMost !== null && count > atMost ? `>${atMost}` : count;

/** The query names its offset by the slot of a literal. */
const skipsNothing = ({ query: { offset }, literals }: ParsedQuery): boolean => offset === null || Number(literals[offset]) === 0;

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

/** A singleton before its first write: the defaults of its columns, and a key of null. */
function defaultItem(shape: Shape | null): Readonly<Record<string, unknown>> {
  if (shape?.kind !== 'object') return {};
  return Object.fromEntries(shape.fields.map(({ as, output }) => [as, defaultOf(output)]));
}

function defaultOf(output: Output): unknown {
  if (output.kind === 'to-many' || output.kind === 'groups') return [];
  if (output.kind === 'constant') return output.text;
  if (output.kind === 'object') return Object.fromEntries(output.fields.map((field) => [field.as, defaultOf(field.output)]));
  if (output.kind !== 'scalar' || output.scalar.kind !== 'column') return null;
  const { column, type } = output.scalar.field;
  if (column.primaryKey || column.default?.kind !== 'literal') return null;
  return type === 'json' && typeof column.default.value === 'string' ? parseOrText(column.default.value) : column.default.value;
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
