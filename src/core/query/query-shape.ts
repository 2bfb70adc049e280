// Texts that identify queries: by structure alone (`shapeOf`), and by the items they select (`resultSetKey`).

import { unreachable } from '../errors/service-error.js';
import type { Aggregate, FieldRef, Filter, GroupTerm, Having, ParsedQuery, Path, Query, Selection, SortTerm } from './query.js';

const shapes = new WeakMap<Query, string>();

/**
 * Equal texts mean equal trees, literals excluded, so the text serves as the key of the plan cache. Names are written with their length in
 * front and may therefore contain any character.
 */
export function shapeOf(query: Query): string {
  const known = shapes.get(query);
  if (known !== undefined) return known;
  const shape = writeQuery(query);
  shapes.set(query, shape);
  return shape;
}

function writeQuery(query: Query): string {
  let text = `${writeRootSelections(query.fields)}|${query.limit ?? ''},${query.offset ?? ''},${query.search ?? ''}${query.backlink ? '' : '!'}`;
  if (query.filter !== null) text += `f${writeFilter(query.filter)}`;
  if (query.sort.length > 0) text += `s${writeList(query.sort, writeSort)}`;
  if (query.aggregate.length > 0) text += `a${writeList(query.aggregate, writeAggregate)}`;
  if (query.groupBy.length > 0) text += `g${writeList(query.groupBy, writeGroup)}`;
  if (query.having !== null) text += `h${writeHaving(query.having)}`;
  for (const key of Object.keys(query.deep)) text += `d${writeName(key)}{${writeEntry(query.deep[key])}}`;
  return text;
}

const writeEntry = (query: Query | undefined): string => (query === undefined ? '' : writeQuery(query));
const writeName = (name: string): string => `${name.length}:${name}`;
const writePath = (path: Path): string => writeList(path, writeRef);
const writeSort = (term: SortTerm): string => (term.descending ? '-' : '+') + writePath(term.path);
const writeAggregate = (aggregate: Aggregate): string => aggregate.fn + (aggregate.path === null ? '*' : writePath(aggregate.path));
const writeGroup = (term: GroupTerm): string => writePath(term.path) + writeName(term.as);

function writeList<T>(items: readonly T[], write: (item: T) => string): string {
  let text = '[';
  for (const item of items) text += `${write(item)};`;
  return `${text}]`;
}

function writeRef(ref: FieldRef): string {
  let text = writeName(ref.name);
  if (ref.fn !== null) text += `(${writeName(ref.fn)}`;
  for (const arg of ref.args) text += `,${writeName(arg)}`;
  if (ref.scope !== null) text += `@${writeName(ref.scope)}`;
  return text;
}

function writeSelections(selections: readonly Selection[]): string {
  return selections.length === 0 ? '' : writeList(selections, writeSelection);
}

const selectionTexts = new WeakMap<readonly Selection[], string>();

/** Cached apart: GraphQL uses one selection with different arguments. */
function writeRootSelections(selections: readonly Selection[]): string {
  const known = selectionTexts.get(selections);
  if (known !== undefined) return known;
  const text = writeSelections(selections);
  selectionTexts.set(selections, text);
  return text;
}

function writeSelection(selection: Selection): string {
  switch (selection.kind) {
    case 'wildcard':
      return `*${writeSelections(selection.children)}`;
    case 'typename':
      return `t${writeName(selection.as)}${selection.name === undefined ? '' : writeName(selection.name)}`;
    case 'object':
      return `o${writeName(selection.as)}${writeSelections(selection.children)}`;
    case 'rest':
      return `r${writeName(selection.as)}`;
    case 'nothing':
      return '-';
    case 'field': {
      let text = writeRef(selection.field);
      if (selection.as !== selection.field.name) text += `=${writeName(selection.as)}`;
      if (selection.cast !== undefined) text += selection.cast === 'string' ? '"' : '#';
      text += writeSelections(selection.children);
      for (const scope of Object.keys(selection.scopes)) text += `%${writeName(scope)}${writeSelections(selection.scopes[scope] ?? [])}`;
      return text;
    }
    default:
      return unreachable(selection);
  }
}

function writeFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return (filter.kind === 'and' ? '&' : '|') + writeList(filter.filters, writeFilter);
    case 'compare':
      return `${writeRef(filter.field)}${filter.operator}${filter.slot ?? ''}${filter.structured ? 'x' : ''}`;
    case 'json':
      return `j${writeRef(filter.field)}${writeName(filter.path)}${filter.operator}${filter.slot ?? ''}`;
    case 'related':
      return `${filter.quantifier === 'some' ? 'r' : 'n'}${writeRef(filter.field)}(${writeFilter(filter.filter)})`;
    default:
      return unreachable(filter);
  }
}

function writeHaving(having: Having): string {
  if (having.kind === 'compare') return `${writeAggregate(having.aggregate)}${having.operator}${having.slot ?? ''}`;
  return (having.kind === 'and' ? '&' : '|') + writeList(having.filters, writeHaving);
}

/**
 * Identifies which items a query selects and in which order, values included. A cursor stores it and is refused with any other query.
 * Fields, limits and nested lists are left out: a cursor may be continued with different ones.
 */
export function resultSetKey({ query, literals }: ParsedQuery): string {
  const search = query.search === null ? null : spell(literals[query.search]);
  return JSON.stringify([query.filter, query.sort, search], (key, value: unknown) =>
    key === 'slot' && typeof value === 'number' ? [spell(literals[value])] : value,
  );
}

/** A URL carries texts only, a body also numbers; both spellings select the same. */
function spell(literal: unknown): unknown {
  if (Array.isArray(literal)) return literal.map(spell);
  return typeof literal === 'object' ? literal : String(literal);
}
