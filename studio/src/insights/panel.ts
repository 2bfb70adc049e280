// A panel as it is stored, in the form of the peer, and what it asks for. The stored names of panels and options are the peer's, so its
// dashboards open; a name that is not known stays as it is. Pure, imports no framework.

export type Options = Readonly<Record<string, unknown>>;

export interface Panel {
  readonly id: string;
  readonly dashboard: string;
  readonly name: string | null;
  readonly icon: string | null;
  readonly color: string | null;
  readonly show_header: boolean;
  readonly note: string | null;
  readonly type: string;
  readonly position_x: number;
  readonly position_y: number;
  readonly width: number;
  readonly height: number;
  readonly options: Options | null;
}

export const panelTypes = [
  'metric',
  'time-series',
  'line-chart',
  'bar-chart',
  'pie-chart',
  'metric-list',
  'meter',
  'list',
  'label',
] as const;
export type PanelType = (typeof panelTypes)[number];

export const isKnownType = (type: string): type is PanelType => (panelTypes as readonly string[]).includes(type);

const valueFunctions = ['count', 'countDistinct', 'sum', 'sumDistinct', 'avg', 'avgDistinct', 'min', 'max', 'first', 'last'] as const;
export type ValueFunction = (typeof valueFunctions)[number];

export const precisions = ['hour', 'day', 'week', 'month', 'year'] as const;
export type Precision = (typeof precisions)[number];

/** What a panel shows of a collection. */
export interface Asked {
  readonly type: PanelType;
  readonly collection: string;
  readonly fn: ValueFunction;
  /** Null: the items themselves are counted. */
  readonly field: string | null;
  /** The field that the items are grouped by. */
  readonly category: string | null;
  /** The moment that the items are grouped by. */
  readonly date: string | null;
  readonly precision: Precision;
  /** How far back, as `3 months`; null: everything. */
  readonly range: string | null;
  readonly filter: unknown;
  readonly limit: number;
  readonly sort: { readonly field: string | null; readonly descending: boolean };
  readonly template: string | null;
  /** Of a list: what is read of each item. */
  readonly fields: readonly string[];
}

/** The names under which each kind of panel stores what it asks for. */
interface OptionNames {
  readonly field?: string;
  readonly fn?: string;
  readonly category?: string;
  readonly date?: string;
}

export const optionNames: Readonly<Record<PanelType, OptionNames>> = {
  metric: { field: 'field', fn: 'function' },
  meter: { field: 'field', fn: 'function' },
  'time-series': { field: 'valueField', fn: 'function', date: 'dateField' },
  'line-chart': { field: 'yAxis', fn: 'function', category: 'xAxis' },
  'bar-chart': { field: 'yAxis', fn: 'function', category: 'xAxis' },
  'pie-chart': { field: 'valueField', fn: 'function', category: 'column' },
  'metric-list': { field: 'aggregateField', fn: 'aggregateFunction', category: 'groupByField' },
  list: {},
  label: {},
};

const mostEntries = 100;

/** Null for a panel that asks for nothing: a label, one that is not finished, one of a kind that is not known. */
export function readPanel({ type, options: stored }: Pick<Panel, 'type' | 'options'>): Asked | null {
  const options = stored ?? {};
  const collection = textOf(options['collection']);
  if (!isKnownType(type) || type === 'label' || collection === null) return null;
  const names = optionNames[type];
  const option = (name: string | undefined): string | null => (name === undefined ? null : textOf(options[name]));
  const [category, date] = [option(names.category), option(names.date)];
  if ((names.category !== undefined && category === null) || (names.date !== undefined && date === null)) return null;
  const field = option(names.field);
  const fn = functionOf(option(names.fn));
  return {
    type,
    collection,
    fn: field === null ? 'count' : fn,
    field: field === '*' ? null : field,
    category,
    date,
    precision: precisionOf(options['precision']),
    range: rangeOf(options['range']),
    filter: isObject(options['filter']) && Object.keys(options['filter']).length > 0 ? options['filter'] : null,
    limit: limitOf(options['limit'], type),
    sort: { field: textOf(options['sortField']), descending: options['sortDirection'] !== 'asc' },
    template: textOf(options['displayTemplate']),
    fields: [],
  };
}

const functionOf = (name: string | null): ValueFunction => valueFunctions.find((each) => each === name) ?? 'count';

function precisionOf(value: unknown): Precision {
  if (value === 'minute' || value === 'second') return 'hour';
  return precisions.find((each) => each === value) ?? 'day';
}

function rangeOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== null && /^\d{1,3} (?:hour|day|week|month|year)s?$/.test(text) ? text : null;
}

function limitOf(value: unknown, type: PanelType): number {
  const given = Number(value);
  const usual = type === 'list' || type === 'metric-list' ? 5 : mostEntries;
  return Number.isInteger(given) && given > 0 ? Math.min(given, mostEntries) : usual;
}

/** A colour that can be trusted to be one. */
export const colorOf = (value: unknown): string | null => (typeof value === 'string' && /^#[\da-f]{3,8}$/i.test(value) ? value : null);

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const isObject = (value: unknown): value is Options => typeof value === 'object' && value !== null && !Array.isArray(value);
