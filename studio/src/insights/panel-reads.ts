// The requests of a dashboard: one for each different question. Panels that ask for single values of the same items share one. Pure, imports
// no framework.

import type { Asked, Options, Precision } from './panel.js';

/** One read, made with the rights of the viewing person. */
export interface Read {
  /** Equal for equal questions. */
  readonly id: string;
  readonly collection: string;
  readonly query: Options;
}

export type Row = Readonly<Record<string, unknown>>;

/** The most groups that one chart reads. */
const mostGroups = 5000;

interface Plan {
  readonly reads: readonly Read[];
  /** The read of each panel. */
  readonly byPanel: ReadonlyMap<string, Read>;
}

export function planReads(panels: ReadonlyMap<string, Asked>): Plan {
  const groups = new Map<string, { readonly first: Asked; readonly ids: string[]; readonly aggregate: Map<string, Set<string>> }>();
  for (const [id, asked] of panels) {
    const key = JSON.stringify(isSingle(asked) ? [asked.collection, asked.filter] : [asked.collection, queryOf(asked)]);
    const group = groups.get(key) ?? { first: asked, ids: [] as string[], aggregate: new Map<string, Set<string>>() };
    groups.set(key, group);
    group.ids.push(id);
    for (const [name, fields] of Object.entries(aggregateOf(asked)))
      group.aggregate.set(name, new Set([...(group.aggregate.get(name) ?? []), ...fields]));
  }
  const byPanel = new Map<string, Read>();
  const reads = [...groups.values()].map(({ first, ids, aggregate }) => {
    const merged = Object.fromEntries([...aggregate].map(([name, fields]) => [name, [...fields].sort()]));
    const query = isSingle(first) ? { aggregate: merged, ...filterOf(first) } : queryOf(first);
    const read = { id: JSON.stringify([first.collection, query]), collection: first.collection, query };
    for (const id of ids) byPanel.set(id, read);
    return read;
  });
  return { reads, byPanel };
}

/** A single value that the database computes. */
const isSingle = ({ type, fn }: Asked): boolean => (type === 'metric' || type === 'meter') && fn !== 'first' && fn !== 'last';

/** Weeks are put together of days, because the number of a week does not tell its year: that needs the sum and the number behind an average. */
export const isByWeek = ({ date, precision }: Asked): boolean => date !== null && precision === 'week';

function aggregateOf(asked: Asked): Readonly<Record<string, readonly string[]>> {
  const { fn, field } = asked;
  if (field === null) return { count: ['*'] };
  if (fn === 'avg' && isByWeek(asked)) return { sum: [field], count: [field] };
  return fn === 'first' || fn === 'last' ? {} : { [fn]: [field] };
}

const parts: Readonly<Record<Precision, readonly string[]>> = {
  hour: ['year', 'month', 'day', 'hour'],
  day: ['year', 'month', 'day'],
  week: ['year', 'month', 'day'],
  month: ['year', 'month'],
  year: ['year'],
};

function queryOf(asked: Asked): Options {
  const { type, fn, field, category, date, precision, limit, sort, fields } = asked;
  const filter = filterOf(asked);
  if (type === 'list') return { ...filter, fields, limit, ...(sort.field === null ? {} : { sort: [signed(sort.field, sort.descending)] }) };
  const aggregate = aggregateOf(asked);
  if (date !== null) {
    // Descending, so that the limit keeps the newest groups.
    const groupBy = parts[precision].map((part) => `${part}(${date})`);
    return { ...filter, aggregate, groupBy, sort: groupBy.map((each) => `-${each}`), limit: mostGroups };
  }
  if (category !== null) {
    const value = field === null ? 'count' : `${fn}.${field}`;
    const order = type === 'line-chart' ? [category] : [signed(value, type !== 'metric-list' || sort.descending), category];
    return { ...filter, aggregate, groupBy: [category], sort: order, limit };
  }
  return { ...filter, fields: [field], sort: [signed(sort.field ?? field ?? '', fn === 'last')], limit: 1 };
}

const signed = (name: string, descending: boolean): string => (descending ? `-${name}` : name);

function filterOf({ filter, date, range }: Asked): Options {
  const recent = date === null || range === null ? null : { [date]: { _gte: `$NOW(-${range})` } };
  // Items without a moment have no place on the line.
  const dated = date === null ? null : { [date]: { _nnull: true } };
  const all = [filter, recent ?? dated].filter((each) => each !== null);
  return all.length === 0 ? {} : { filter: all.length === 1 ? all[0] : { _and: all } };
}

/** The value of a panel in a row of its read. Exact decimals and large numbers are text. */
export function valueIn({ fn, field }: Asked, row: Row | undefined): unknown {
  if (row === undefined) return null;
  if (field === null) return row['count'] ?? null;
  if (fn === 'first' || fn === 'last') return row[field] ?? null;
  return (row[fn] as Row | undefined)?.[field] ?? null;
}

interface Entry {
  readonly key: unknown;
  readonly value: number;
}

/** The groups of a panel, in the order of the answer. */
export const entriesIn = (asked: Asked, rows: readonly Row[]): readonly Entry[] =>
  rows.flatMap((row) => {
    const value = Number(valueIn(asked, row) ?? Number.NaN);
    return Number.isNaN(value) ? [] : [{ key: row[asked.category ?? ''] ?? null, value }];
  });

interface Point {
  /** The beginning of the hour, day, week, month or year, in UTC. */
  readonly time: number;
  /** Null: there is none for this time. */
  readonly value: number | null;
}

/** The points of a line, one for each step between the first and the last, the empty ones included. */
export function pointsIn(asked: Asked, rows: readonly Row[], now = Date.now()): readonly Point[] {
  const { date, precision, range, fn } = asked;
  const gathered = new Map<number, Sums>();
  for (const row of rows) {
    const part = (name: string, other: number): number => Number(row[`${date}_${name}`] ?? other);
    const moment = new Date(0);
    // Not `Date.UTC`, which reads the year 26 as 1926.
    moment.setUTCFullYear(part('year', 1970), part('month', 1) - 1, part('day', 1));
    moment.setUTCHours(part('hour', 0));
    const time = startOf(moment.getTime(), precision);
    gathered.set(time, merge(gathered.get(time), sumsOf(asked, row)));
  }
  const times = [...gathered.keys()].sort((left, right) => left - right);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const empty = fn === 'count' || fn === 'countDistinct' || fn === 'sum' || fn === 'sumDistinct' ? 0 : null;
  const end = range === null ? last : Math.max(last, startOf(now, precision));
  const points: Point[] = [];
  for (let time = first; time <= end && points.length < mostGroups; time = nextOf(time, precision)) {
    const sums = gathered.get(time);
    points.push({ time, value: sums === undefined ? empty : resultOf(asked, sums) });
  }
  return points;
}

interface Sums {
  readonly value: number;
  /** Of an average of a week: how many values there are. */
  readonly count: number;
  readonly least: number;
  readonly most: number;
}

function sumsOf(asked: Asked, row: Row): Sums {
  const { fn, field } = asked;
  const isWeeklyAverage = fn === 'avg' && isByWeek(asked) && field !== null;
  const raw = isWeeklyAverage ? (row['sum'] as Row | undefined)?.[field] : valueIn(asked, row);
  const value = raw === null || raw === undefined ? Number.NaN : Number(raw);
  return { value, count: isWeeklyAverage ? Number((row['count'] as Row | undefined)?.[field] ?? 0) : 1, least: value, most: value };
}

function merge(before: Sums | undefined, next: Sums): Sums {
  if (before === undefined || Number.isNaN(before.value)) return next;
  if (Number.isNaN(next.value)) return before;
  return {
    value: before.value + next.value,
    count: before.count + next.count,
    least: Math.min(before.least, next.least),
    most: Math.max(before.most, next.most),
  };
}

function resultOf(asked: Asked, { value, count, least, most }: Sums): number | null {
  if (Number.isNaN(value)) return null;
  if (asked.fn === 'min') return least;
  if (asked.fn === 'max') return most;
  return asked.fn === 'avg' && isByWeek(asked) ? value / count : value;
}

const dayMs = 86_400_000;

function startOf(time: number, precision: Precision): number {
  const moment = new Date(time);
  if (precision === 'hour') return moment.setUTCMinutes(0, 0, 0);
  moment.setUTCHours(0, 0, 0, 0);
  // Weeks begin on Monday.
  if (precision === 'week') return moment.getTime() - ((moment.getUTCDay() + 6) % 7) * dayMs;
  if (precision === 'month') return moment.setUTCDate(1);
  return precision === 'year' ? moment.setUTCMonth(0, 1) : moment.getTime();
}

function nextOf(time: number, precision: Precision): number {
  const moment = new Date(time);
  switch (precision) {
    case 'hour':
      return time + 3_600_000;
    case 'day':
      return time + dayMs;
    case 'week':
      return time + 7 * dayMs;
    case 'month':
      return moment.setUTCMonth(moment.getUTCMonth() + 1);
    default:
      return moment.setUTCFullYear(moment.getUTCFullYear() + 1);
  }
}
