// What a list shows, kept in the address: the saved view it began with, search text, filter, sort order and columns. A link restores it. What
// the address does not say is as the view has it.

import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { isEqual } from '../draft/draft.js';
import { type FilterGroup, noFilter, printFilter, readFilter } from '../filter/filter-tree.js';
import { splitNames } from '../schema/field-path.js';

export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

/** What a saved view keeps and the address can change. */
export interface ListSettings {
  readonly search: string;
  readonly filter: FilterGroup;
  readonly sort: readonly Sort[];
  /** Names of fields in their order; null: the usual ones. */
  readonly columns: readonly string[] | null;
}

export interface ListState extends ListSettings {
  /** The key of the saved view. */
  readonly view: string | null;
}

export const plainSettings: ListSettings = { search: '', filter: noFilter, sort: [], columns: null };

export const viewIn = (query: string): string | null => new URLSearchParams(query).get('view');

export function parseListState(query: string, base: ListSettings): ListState {
  const parameters = new URLSearchParams(query);
  const [filter, sort, columns] = [parameters.get('filter'), parameters.get('sort'), parameters.get('fields')];
  return {
    view: parameters.get('view'),
    search: parameters.get('search') ?? base.search,
    filter: filter === null ? base.filter : readFilter(parseJson(filter)),
    sort: sort === null ? base.sort : readSort(splitNames(sort)),
    columns: columns === null ? base.columns : columns === '' ? null : splitNames(columns),
  };
}

export function printListState(state: ListState, base: ListSettings): string {
  const parameters = new URLSearchParams();
  if (state.view !== null) parameters.set('view', state.view);
  if (state.search !== base.search) parameters.set('search', state.search);
  const [filter, usual] = [printFilter(state.filter), printFilter(base.filter)];
  if (!isEqual(filter ?? null, usual ?? null)) parameters.set('filter', filter === undefined ? '' : JSON.stringify(filter));
  if (!isEqual(state.sort, base.sort)) parameters.set('sort', printSort(state.sort).join(','));
  if (!isEqual(state.columns, base.columns)) parameters.set('fields', state.columns?.join(',') ?? '');
  return parameters.toString();
}

export const readSort = (list: readonly string[]): readonly Sort[] =>
  list.map((name) => ({ field: name.replace(/^-/, ''), descending: name.startsWith('-') }));

/** The order once its field is chosen: ascending, turned round in its place when it is there already, then gone. */
export function turnSort(sort: readonly Sort[], field: string, keepsOthers: boolean): readonly Sort[] {
  const present = sort.find((each) => each.field === field);
  const kept = keepsOthers ? sort : sort.filter((each) => each === present);
  if (present === undefined) return [...kept, { field, descending: false }];
  return present.descending
    ? kept.filter((each) => each !== present)
    : kept.map((each) => (each === present ? { field, descending: true } : each));
}

export const printSort = (sort: readonly Sort[]): readonly string[] =>
  sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The part of a query that says which items are meant. */
export function narrowing({ search, filter }: ListSettings): Readonly<Record<string, unknown>> {
  const printed = printFilter(filter);
  return { ...(search === '' ? {} : { search }), ...(printed === undefined ? {} : { filter: printed }) };
}

/** The state of the list at this address, and the way to change it. */
export function useListState(base: ListSettings): readonly [ListState, (state: ListState, settings?: ListSettings) => void] {
  const query = useSearch();
  const [path, navigate] = useLocation();
  const state = useMemo(() => parseListState(query, base), [query, base]);
  return [
    state,
    (next, settings = base) => {
      const text = printListState(next, settings);
      navigate(text === '' ? path : `${path}?${text}`, { replace: true });
    },
  ];
}
