// The arguments of a list, at the root or nested, as the query that REST would have parsed.

import { type FieldNode, type GraphQLField, getNamedType, isObjectType } from 'graphql';
import { type Arguments, parseArguments } from '../../../core/query/parse/parse-arguments.js';
import type { ParseContext } from '../../../core/query/parse/parse-context.js';
import { resolveAliases } from '../../../core/query/parse/parse-sort.js';
import type { Query, Selection, SortTerm } from '../../../core/query/query.js';
import type { CompileContext } from './compile-context.js';
import { compileFilter } from './compile-filter.js';
import { compilePaths } from './compile-paths.js';
import { readValue } from './read-value.js';

export type ArgumentValues = Readonly<Record<string, unknown>>;

export function readArguments(context: CompileContext, field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentValues {
  const values: Record<string, unknown> = {};
  for (const { name, value } of node.arguments ?? []) {
    const argument = field.args.find((candidate) => candidate.name === name.value);
    const read = argument === undefined ? undefined : readValue(value, argument.type, context.variables);
    if (read !== undefined) values[name.value] = read;
  }
  return values;
}

/** `aggregate`: the functions that an aggregated root field selects. `selected`: the selection of the items, whose aliases `sort` may name. */
export function compileArguments(
  field: GraphQLField<unknown, unknown>,
  values: ArgumentValues,
  parsing: ParseContext,
  hops: number,
  { aggregate, selected }: { readonly aggregate?: unknown; readonly selected?: readonly Selection[] },
): Query {
  const { filter, sort, limit, offset, page, search, groupBy } = values;
  const filterType = field.args.find((argument) => argument.name === 'filter')?.type;
  const input: Arguments = {
    filter: filter === undefined || filter === null || filterType === undefined ? undefined : compileFilter(filter, filterType),
    sort: compilePaths(field, sort ?? undefined),
    limit: limit ?? undefined,
    offset: offset ?? undefined,
    page: page ?? undefined,
    search: search ?? undefined,
    aggregate,
    groupBy: compilePaths(field, groupBy ?? undefined),
    having: undefined,
  };
  const query = parseArguments(input, null, null, parsing, hops);
  return selected === undefined || query.sort.length === 0 ? query : { ...query, sort: sortByAliases(field, query.sort, selected) };
}

/** A name in `sort` means the field of that name, and only then an alias. */
function sortByAliases(
  field: GraphQLField<unknown, unknown>,
  sort: readonly SortTerm[],
  selected: readonly Selection[],
): readonly SortTerm[] {
  const type = getNamedType(field.type);
  const fields = isObjectType(type) ? type.getFields() : {};
  return resolveAliases(sort, (name) => {
    if (Object.hasOwn(fields, name)) return null;
    const aliased = selected.find((selection) => selection.kind === 'field' && selection.as === name);
    return aliased?.kind === 'field' ? aliased.field : null;
  });
}
