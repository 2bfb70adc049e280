// From a parsed query to a statement that runs with any values: found by the shape of the query, else bound, planned and written as SQL.

import { type Caller, lookUpCollection, type SchemaView } from '../../access/view.js';
import { bindKey, bindKeyList } from '../../plan/names/bind-keys.js';
import { bindRowRules } from '../../plan/names/bind-rules.js';
import type { BoundFilter } from '../../plan/names/bound-filter.js';
import { startBinding } from '../../plan/names/start-binding.js';
import { bindGroups } from '../../plan/read/bind-groups.js';
import { bindItems } from '../../plan/read/bind-page.js';
import { bindRead } from '../../plan/read/bind-read.js';
import type { Window } from '../../plan/read/bind-window.js';
import type { BoundGroups, BoundRead, Shape } from '../../plan/read/bound-read.js';
import type { Query, QueryLimits } from '../../query/query.js';
import { shapeOf } from '../../query/query-shape.js';
import type { Collection } from '../../schema/schema.js';
import { answerToSql } from '../../sql/read/answer-to-sql.js';
import { countsToSql, groupsStatement, type NamedStatement, readToSql } from '../../sql/read/read-to-sql.js';
import type { Rendered, Sql } from '../../sql/sql.js';
import { Lru } from '../../util/lru.js';
import { type Dialect, syntaxFor } from '../../vendor/dialect.js';
import type { StageClock } from '../work/stage-clock.js';

/** Restricts a read further than the query's own conditions do. The literals of keys follow those of the query. */
export type Target =
  | { readonly kind: 'list' }
  | { readonly kind: 'one' }
  | { readonly kind: 'keys'; readonly count: number }
  /** The item that an INSERT of the same request creates. */
  | { readonly kind: 'new' };

export interface PreparedRead {
  readonly collection: Collection;
  readonly statement: NamedStatement;
  /** The bound query: a list of items, or groups. */
  readonly bound: { readonly kind: 'read'; readonly read: BoundRead } | { readonly kind: 'groups'; readonly groups: BoundGroups };
  /** The item's JSON as an expression for RETURNING; null: the item has to be read after its INSERT. */
  readonly answer: Sql | null;
  /** null: the number of items is not limited. */
  readonly limit: number | null;
  /** One item by its key, without lists: SQLite runs it on the main thread. */
  readonly cheap: boolean;
  /** Whether the collection, and with it the statement, belongs to the mirrored database. */
  readonly mirrored: boolean;
}

/** A statement for one or two numbers. */
export interface PreparedCounts extends Pick<PreparedRead, 'collection' | 'mirrored'> {
  readonly statement: Rendered;
}

export interface ReadQuestion {
  readonly collection: string;
  readonly query: Query;
  readonly literals: readonly unknown[];
  readonly target: Target;
  readonly streamed: boolean;
  /** Set for paging by cursor. */
  readonly window?: Window;
}

export interface WantedCounts {
  readonly total: boolean;
  /** The greatest number that is counted exactly; null: all are. */
  readonly atMost: number | null;
}

/** The last read that was prepared for a query object, with everything it depends on except values. */
interface LatestRead extends Pick<ReadQuestion, 'collection' | 'streamed'> {
  readonly view: SchemaView;
  readonly target: Target['kind'];
  readonly literalCount: number;
  readonly window: Window | undefined;
  readonly read: PreparedRead;
}

const capacity = 2000;

export interface CacheState {
  readonly entries: number;
  /** The number of lookups that found nothing and had to prepare. */
  readonly misses: number;
}

/** The syntax of each database that statements are written for. */
export type ReadDatabases = Pick<Dialect, 'syntax' | 'mirrored'>;

export class ReadPreparer {
  readonly #reads = new Lru<string, PreparedRead>(capacity);
  readonly #counts = new Lru<string, PreparedCounts>(capacity);
  /** Keyed by the query object: a URL seen before gives the same object again (core/query/parse/parse-url-query.ts), so its shape need not be written out. */
  readonly #latest = new WeakMap<Query, LatestRead>();
  readonly #databases: ReadDatabases;
  readonly #limits: QueryLimits;
  #made = 0;

  constructor(databases: ReadDatabases, limits: QueryLimits) {
    this.#databases = databases;
    this.#limits = limits;
  }

  /** How many reads are kept, and how many have been prepared so far. */
  get state(): CacheState {
    return { entries: this.#reads.size, misses: this.#made };
  }

  prepare(caller: Caller, question: ReadQuestion, clock: StageClock | null = null): PreparedRead {
    clock?.start('plan');
    const read = this.#find(caller, question, clock);
    clock?.stop();
    return read;
  }

  #find(caller: Caller, question: ReadQuestion, clock: StageClock | null): PreparedRead {
    const latest = this.#latest.get(question.query);
    if (latest !== undefined && isLatest(latest, caller, question)) return latest.read;
    const key = contextKey(caller, question) + shapeOf(question.query);
    const known = this.#reads.get(key);
    const { read, cacheable } = known === undefined ? this.#make(caller, question, clock) : { read: known, cacheable: true };
    if (!cacheable) return read;
    if (known === undefined) this.#reads.set(key, read);
    this.#latest.set(question.query, latestRead(caller, question, read));
    return read;
  }

  #make(caller: Caller, question: ReadQuestion, clock: StageClock | null): { readonly read: PreparedRead; readonly cacheable: boolean } {
    const { query, literals, streamed } = question;
    this.#made += 1;
    clock?.start('bind');
    const collection = lookUpCollection(caller.view, question.collection, 'read');
    const syntax = syntaxFor(this.#databases, collection.table);
    const mirrored = isMirrored(collection);
    const context = startBinding(caller.view, this.#limits, literals);
    const also = bindTarget(collection, question);
    if (query.aggregate.length > 0 || query.groupBy.length > 0) {
      const groups = bindGroups(context, collection, query, { depth: 0, visible: bindRowRules(context, collection, 'read'), also });
      clock?.start('sql');
      const statement = groupsStatement(syntax, groups);
      return {
        read: { collection, statement, bound: { kind: 'groups', groups }, answer: null, limit: groups.limit, cheap: false, mirrored },
        cacheable: groups.cacheable,
      };
    }
    const { window = null } = question;
    const read = bindRead(context, collection, query, { also, window, single: question.target.kind === 'one' });
    clock?.start('sql');
    const statement = readToSql(syntax, read, streamed);
    const limit = window === null || read.page.limit === null ? read.page.limit : read.page.limit - 1;
    const cheap = question.target.kind === 'one' && isShort(read.shape);
    const answer = question.target.kind === 'new' ? answerToSql(syntax, read) : null;
    return { read: { collection, statement, bound: { kind: 'read', read }, answer, limit, cheap, mirrored }, cacheable: read.cacheable };
  }

  /** A statement that returns the number of items the query selects and, if it is wanted, that of all items the caller may see. */
  counts(caller: Caller, question: ReadQuestion, wanted: WantedCounts): PreparedCounts {
    const key = `${wanted.total} ${wanted.atMost} ${contextKey(caller, question)}${shapeOf(question.query)}`;
    const known = this.#counts.get(key);
    if (known) return known;
    const collection = lookUpCollection(caller.view, question.collection, 'read');
    const context = startBinding(caller.view, this.#limits, question.literals);
    const total = bindRowRules(context, collection, 'read');
    const also = bindTarget(collection, question);
    const filtered = bindItems(context, collection, question.query, { depth: 0, visible: total, also });
    const filters = wanted.total ? [filtered, total] : [filtered];
    const statement = countsToSql(syntaxFor(this.#databases, collection.table), collection, filters, wanted.atMost);
    const counts = { collection, statement, mirrored: isMirrored(collection) };
    this.#counts.set(key, counts);
    return counts;
  }
}

const isMirrored = ({ table }: Collection): boolean => table?.mirrored === true;

function isShort(shape: Shape): boolean {
  const outputs = shape.kind === 'value' ? [shape.value] : shape.fields.map((field) => field.output);
  return outputs.every(
    (output) => output.kind === 'scalar' || output.kind === 'concealed' || (output.kind === 'to-one' && isShort(output.shape)),
  );
}

function bindTarget(collection: Collection, { target, literals }: ReadQuestion): BoundFilter | null {
  switch (target.kind) {
    case 'list':
    case 'new':
      return null;
    case 'one':
      return bindKey(collection, literals.length - collection.primaryKey.length);
    case 'keys':
      return bindKeyList(collection, literals.length - 1, target.count);
  }
}

const latestRead = (
  { view }: Caller,
  { collection, literals, target, streamed, window }: ReadQuestion,
  read: PreparedRead,
): LatestRead => ({
  view,
  collection,
  target: target.kind,
  literalCount: literals.length,
  streamed,
  window,
  read,
});

/** Equal in everything that `contextKey` contains, without writing that key. Lists of keys seldom come again. */
const isLatest = (latest: LatestRead, { view }: Caller, { collection, literals, target, streamed, window }: ReadQuestion): boolean =>
  latest.view === view &&
  latest.collection === collection &&
  latest.target === target.kind &&
  target.kind !== 'keys' &&
  latest.literalCount === literals.length &&
  latest.streamed === streamed &&
  latest.window === window;

/** Everything a prepared read depends on besides the shape of its query. */
function contextKey(caller: Caller, { collection, literals, target, streamed, window }: ReadQuestion): string {
  const which = target.kind === 'list' ? '' : `${target.kind}${literals.length}${target.kind === 'keys' ? `,${target.count}` : ''}`;
  return `${caller.view.key}|${collection}|${which}${streamed ? '~' : ''}${window ? windowKey(window) : ''}|`;
}

const windowKey = ({ backwards, nulls }: Window): string =>
  `${backwards ? '<' : '>'}${nulls === null ? '' : nulls.map((isNull) => (isNull ? '0' : '1')).join('')}`;
