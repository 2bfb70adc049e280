// Saved views: rows of `/presets` as the peer's projects have them. One with a name is a view for its person, for a role or for everybody; one
// without a name keeps how a person arranged the columns of a collection. Pure, imports no framework.

import { isEqual } from '../../draft/draft.js';
import { printFilter, readFilter } from '../../filter/filter-tree.js';
import { splitNames } from '../../schema/field-path.js';
import type { Preset } from '../../schema/preset.js';
import type { Widths } from '../columns.js';
import { type ListSettings, plainSettings, printSort, readSort } from '../list-state.js';

type Json = Readonly<Record<string, unknown>>;

export type Audience = 'own' | 'role' | 'all';

export const audienceOf = ({ user, role }: Preset): Audience => (user !== null ? 'own' : role !== null ? 'role' : 'all');

/** The layout whose options Studio reads and writes; those of other layouts stay as they are. */
const layout = 'tabular';

export function settingsOf(preset: Preset): ListSettings {
  const { fields, sort } = objectOf(preset.layout_query?.[layout]);
  const columns = textsOf(fields);
  return {
    search: preset.search ?? '',
    filter: readFilter(preset.filter),
    sort: readSort(typeof sort === 'string' ? splitNames(sort) : textsOf(sort)),
    columns: columns.length === 0 ? null : columns,
  };
}

export function widthsOf(preset: Preset | undefined): Widths {
  const widths = Object.entries(objectOf(objectOf(preset?.layout_options?.[layout])['widths']));
  return Object.fromEntries(widths.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

/** How a person arranged a collection applies to columns and order; what to filter by is for named views to say. */
export function arrangementOf(preset: Preset | undefined): ListSettings {
  if (preset === undefined) return plainSettings;
  const { sort, columns } = settingsOf(preset);
  return { ...plainSettings, sort, columns };
}

/** The members of a preset that say what a list shows, over those it has. */
export function writePreset(settings: ListSettings, widths: Widths, before: Preset | undefined): Json {
  const search = settings.search === '' ? null : settings.search;
  return { search, filter: printFilter(settings.filter) ?? null, ...writeArrangement(settings, widths, before) };
}

export function writeArrangement({ sort, columns }: ListSettings, widths: Widths, before: Preset | undefined): Json {
  const query = { ...objectOf(before?.layout_query?.[layout]), fields: columns, sort: printSort(sort) };
  const options = { ...objectOf(before?.layout_options?.[layout]), widths };
  return {
    layout,
    layout_query: { ...before?.layout_query, [layout]: query },
    layout_options: { ...before?.layout_options, [layout]: options },
  };
}

export const isSameView = (one: ListSettings, other: ListSettings): boolean =>
  one.search === other.search &&
  isEqual(one.sort, other.sort) &&
  isEqual(one.columns, other.columns) &&
  isEqual(printFilter(one.filter) ?? null, printFilter(other.filter) ?? null);

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {});
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string' && entry !== '') : [];
