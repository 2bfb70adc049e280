// From a parsed query to a statement that can be run with any values: looked up by shape, else bound, planned and written.

import { type Caller, lookUpCollection, type SchemaView } from '../access/view.js';
import { bindGroups } from '../plan/bind-groups.js';
import { bindKey, bindKeyList } from '../plan/bind-keys.js';
import { bindItems } from '../plan/bind-page.js';
import { bindRead } from '../plan/bind-read.js';
import { bindRowRules } from '../plan/bind-rules.js';
import type { Window } from '../plan/bind-window.js';
import type { BoundFilter, BoundGroups, BoundRead, Shape } from '../plan/bound.js';
import { startBinding } from '../plan/start-binding.js';
import type { Query, QueryLimits } from '../query/query.js';
import { shapeOf } from '../query/query-shape.js';
import type { Collection } from '../schema/schema.js';
import { answerToSql } from '../sql/answer-to-sql.js';
import { countsToSql } from '../sql/count-to-sql.js';
import { groupsStatement, readToSql } from '../sql/read-to-sql.js';
import type { Rendered, Sql } from '../sql/sql.js';
import type { Syntax } from '../sql/syntax.js';
import { PlanCache } from './plan-cache.js';

/** Which items are meant besides the query's own conditions; key literals stand behind the query's own. */
export type Target =
  | { readonly kind: 'list' }
  | { readonly kind: 'one' }
  | { readonly kind: 'keys'; readonly count: number }
  /** The item that is being made. */
  | { readonly kind: 'new' };

export interface ReadPlan {
  readonly collection: Collection;
  readonly statement: Rendered;
  /** What was bound: a list of items, or groups. */
  readonly bound: { readonly kind: 'read'; readonly read: BoundRead } | { readonly kind: 'groups'; readonly groups: BoundGroups };
  /** What the INSERT of a new item can answer itself; null: it has to be read. */
  readonly answer: Sql | null;
  /** null: no bound on the number of items. */
  readonly limit: number | null;
  /** One item by its key, without lists: a driver may run it without leaving its thread. */
  readonly cheap: boolean;
}

export interface ReadQuestion {
  readonly collection: string;
  readonly query: Query;
  readonly literals: readonly unknown[];
  readonly target: Target;
  readonly streamed: boolean;
  /** Paging by cursor. */
  readonly window?: Window;
}

/** A plan and the question it was for, without its values. */
interface LatestPlan extends Pick<ReadQuestion, 'collection' | 'streamed'> {
  readonly view: SchemaView;
  readonly target: Target['kind'];
  /** How many. */
  readonly literals: number;
  readonly window: Window | undefined;
  readonly plan: ReadPlan;
}

const CAPACITY = 2000;

export class ReadPlanner {
  readonly #plans = new PlanCache<ReadPlan>(CAPACITY);
  readonly #counts = new PlanCache<Rendered>(CAPACITY);
  /** Of a query object that comes again (see parse-url-query) the plan it had last. */
  readonly #latest = new WeakMap<Query, LatestPlan>();
  readonly #syntax: Syntax;
  readonly #limits: QueryLimits;

  constructor(syntax: Syntax, limits: QueryLimits) {
    this.#syntax = syntax;
    this.#limits = limits;
  }

  plan(caller: Caller, question: ReadQuestion): ReadPlan {
    const latest = this.#latest.get(question.query);
    if (latest !== undefined && isLatest(latest, caller, question)) return latest.plan;
    const key = placeOf(caller, question) + shapeOf(question.query);
    const known = this.#plans.get(key);
    const { plan, cacheable } = known === undefined ? this.#make(caller, question) : { plan: known, cacheable: true };
    if (!cacheable) return plan;
    if (known === undefined) this.#plans.set(key, plan);
    this.#latest.set(question.query, latestPlan(caller, question, plan));
    return plan;
  }

  #make(caller: Caller, question: ReadQuestion): { readonly plan: ReadPlan; readonly cacheable: boolean } {
    const { query, literals, streamed } = question;
    const collection = lookUpCollection(caller.view, question.collection, 'read');
    const context = startBinding(caller.view, this.#limits, literals);
    const also = bindTarget(collection, question);
    if (query.aggregate.length > 0 || query.groupBy.length > 0) {
      const groups = bindGroups(context, collection, query, { depth: 0, visible: bindRowRules(context, collection, 'read'), also });
      const statement = groupsStatement(this.#syntax, groups);
      return {
        plan: { collection, statement, bound: { kind: 'groups', groups }, answer: null, limit: groups.limit, cheap: false },
        cacheable: groups.cacheable,
      };
    }
    const { window = null } = question;
    const read = bindRead(context, collection, query, { also, window, single: question.target.kind === 'one' });
    const statement = readToSql(this.#syntax, read, streamed);
    const limit = window === null || read.page.limit === null ? read.page.limit : read.page.limit - 1;
    const cheap = question.target.kind === 'one' && isShort(read.shape);
    const answer = question.target.kind === 'new' ? answerToSql(this.#syntax, read) : null;
    return { plan: { collection, statement, bound: { kind: 'read', read }, answer, limit, cheap }, cacheable: read.cacheable };
  }

  /** Two numbers: all items the caller may see, and those the query means. */
  counts(caller: Caller, question: ReadQuestion): Rendered {
    const key = placeOf(caller, question) + shapeOf(question.query);
    const known = this.#counts.get(key);
    if (known) return known;
    const collection = lookUpCollection(caller.view, question.collection, 'read');
    const context = startBinding(caller.view, this.#limits, question.literals);
    const total = bindRowRules(context, collection, 'read');
    const also = bindTarget(collection, question);
    const filtered = bindItems(context, collection, question.query, { depth: 0, visible: total, also });
    const statement = countsToSql(this.#syntax, collection, [total, filtered]);
    this.#counts.set(key, statement);
    return statement;
  }
}

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

const latestPlan = ({ view }: Caller, { collection, literals, target, streamed, window }: ReadQuestion, plan: ReadPlan): LatestPlan => ({
  view,
  collection,
  target: target.kind,
  literals: literals.length,
  streamed,
  window,
  plan,
});

/** The same in all that `placeOf` names, told without writing it down; lists of keys seldom come again. */
const isLatest = (latest: LatestPlan, { view }: Caller, { collection, literals, target, streamed, window }: ReadQuestion): boolean =>
  latest.view === view &&
  latest.collection === collection &&
  latest.target === target.kind &&
  target.kind !== 'keys' &&
  latest.literals === literals.length &&
  latest.streamed === streamed &&
  latest.window === window;

/** All that a plan depends on besides the shape of its query. */
function placeOf(caller: Caller, { collection, literals, target, streamed, window }: ReadQuestion): string {
  const which = target.kind === 'list' ? '' : `${target.kind}${literals.length}${target.kind === 'keys' ? `,${target.count}` : ''}`;
  return `${caller.view.key}|${collection}|${which}${streamed ? '~' : ''}${window ? windowKey(window) : ''}|`;
}

const windowKey = ({ backwards, nulls }: Window): string =>
  `${backwards ? '<' : '>'}${nulls === null ? '' : nulls.map((isNull) => (isNull ? '0' : '1')).join('')}`;
