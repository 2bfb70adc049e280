// The arguments of a list, at the root or nested, as the query REST would have parsed.

import type { FieldNode, GraphQLField } from 'graphql';
import { type Arguments, parseArguments } from '../../../core/query/parse-arguments.js';
import type { ParseContext } from '../../../core/query/parse-context.js';
import type { Query } from '../../../core/query/query.js';
import type { CompileContext } from './compile-context.js';
import { compileFilter } from './compile-filter.js';
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

/** `aggregate` is what an aggregated root field selects. */
export function compileArguments(
  field: GraphQLField<unknown, unknown>,
  values: ArgumentValues,
  parsing: ParseContext,
  hops: number,
  aggregate?: unknown,
): Query {
  const { filter, sort, limit, offset, page, search, groupBy } = values;
  const filterType = field.args.find((argument) => argument.name === 'filter')?.type;
  const input: Arguments = {
    filter: filter === undefined || filter === null || filterType === undefined ? undefined : compileFilter(filter, filterType),
    sort: sort ?? undefined,
    limit: limit ?? undefined,
    offset: offset ?? undefined,
    page: page ?? undefined,
    search: search ?? undefined,
    aggregate,
    groupBy: groupBy ?? undefined,
    having: undefined,
  };
  return parseArguments(input, null, parsing, hops);
}
