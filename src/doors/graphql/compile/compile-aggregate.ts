// Totals: the selection decides which functions of which fields are computed, and under which keys they are answered.

import type { GraphQLField, GraphQLObjectType } from 'graphql';
import { getNamedType, isObjectType } from 'graphql';
import { escapeName } from '../../../core/query/escape-name.js';
import type { ParseContext } from '../../../core/query/parse/parse-context.js';
import type { Query } from '../../../core/query/query.js';
import { aggregateMeaning } from '../schema/types/meanings.js';
import { type CollectedFields, collectFields, type FieldNodes, selectionsOf } from './collect-fields.js';
import { type ArgumentValues, compileArguments } from './compile-arguments.js';
import type { CompileContext } from './compile-context.js';
import { nameOfPath } from './compile-paths.js';

export type AggregateShape = readonly AggregateEntry[];

export type AggregateEntry =
  | { readonly kind: 'constant'; readonly as: string; readonly text: string }
  /** The values that rows are grouped by: their names in the row and in GraphQL. */
  | { readonly kind: 'group'; readonly as: string; readonly names: readonly { readonly name: string; readonly as: string }[] }
  | { readonly kind: 'count-all'; readonly as: string }
  | { readonly kind: 'values'; readonly as: string; readonly fn: string; readonly values: readonly ValueEntry[] };

export type ValueEntry =
  | { readonly kind: 'constant'; readonly as: string; readonly text: string }
  | { readonly kind: 'value'; readonly as: string; readonly field: string; readonly isNumber: boolean };

export interface CompiledAggregate {
  readonly query: Query;
  readonly shape: AggregateShape;
}

type Field = GraphQLField<unknown, unknown>;

export function compileAggregate(
  context: CompileContext,
  parsing: ParseContext,
  field: Field,
  nodes: FieldNodes,
  values: ArgumentValues,
): CompiledAggregate {
  const type = objectOf(field);
  const collected = collectFields(context, type, selectionsOf(nodes));
  const aggregate: Record<string, string[]> = {};
  const ask = (fn: string, name: string): void => {
    aggregate[fn] = [...new Set([...(aggregate[fn] ?? []), name])];
  };
  const drafts = draftEntries(context, type, collected);
  for (const entry of drafts) {
    if (entry.kind === 'count-all') ask('countAll', '*');
    if (entry.kind === 'values') for (const value of entry.values) if (value.kind === 'value') ask(entry.fn, escapeName(value.field));
  }
  // A selection without functions still has one row, or one per group.
  if (Object.keys(aggregate).length === 0) ask('countAll', '*');
  const query = compileArguments(field, values, parsing, 0, { aggregate });
  const names = query.groupBy.map((term) => ({ name: term.as, as: nameOfPath(field, term.path) }));
  return { query, shape: drafts.map((entry) => (entry.kind === 'group' ? { ...entry, names } : entry)) };
}

function draftEntries(context: CompileContext, type: GraphQLObjectType, collected: CollectedFields): AggregateShape {
  const definitions = type.getFields();
  return [...collected].map(([as, nodes]): AggregateEntry => {
    const field = definitions[nodes[0].name.value];
    if (field === undefined) return { kind: 'constant', as, text: type.name };
    const meaning = aggregateMeaning(field);
    if (meaning.kind === 'count-all') return { kind: 'count-all', as };
    if (meaning.kind !== 'aggregate') return { kind: 'group', as, names: [] };
    return { kind: 'values', as, fn: meaning.fn, values: valueEntries(context, objectOf(field), nodes) };
  });
}

function valueEntries(context: CompileContext, type: GraphQLObjectType, nodes: FieldNodes): readonly ValueEntry[] {
  const definitions = type.getFields();
  return [...collectFields(context, type, selectionsOf(nodes))].map(([as, [node]]): ValueEntry => {
    const field = definitions[node.name.value];
    const meaning = field === undefined ? null : aggregateMeaning(field);
    if (meaning?.kind !== 'aggregate-of') return { kind: 'constant', as, text: type.name };
    return { kind: 'value', as, field: meaning.field, isNumber: meaning.isNumber };
  });
}

function objectOf(field: Field): GraphQLObjectType {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) throw new Error(`the field ${field.name} has no fields of its own`);
  return type;
}
