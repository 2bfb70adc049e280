// What compiling an operation works with.

import type { FieldNode, FragmentDefinitionNode, GraphQLSchema } from 'graphql';
import { makeContext, type ParseContext } from '../../../core/query/parse/parse-context.js';
import type { ParsedQuery, Query, QueryLimits, Selection } from '../../../core/query/query.js';

/** The values of a document's variables, by name. */
export type Variables = Readonly<Record<string, unknown>>;

export interface CompiledSelection {
  /** Never empty. */
  readonly fields: readonly Selection[];
  readonly deep: Readonly<Record<string, Query>>;
}

/** What is known about the query of a root field before the variables are. */
export type KnownQuery =
  /** Neither its arguments nor its selection name a variable. */
  | { readonly kind: 'query'; readonly parsed: ParsedQuery }
  /** Only its arguments do. `literals` and `nodes` are those of the selection; the arguments add to them. */
  | { readonly kind: 'selection'; readonly selection: CompiledSelection; readonly literals: readonly unknown[]; readonly nodes: number };

/** What an operation is compiled against: the schema of a caller's view, and the rest of its document. */
export interface CompileSource {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly limits: QueryLimits;
}

export interface CompileContext extends CompileSource {
  readonly variables: Variables;
  /** By the only node of a root field; `compileQuery` starts from it. */
  readonly known: ReadonlyMap<FieldNode, KnownQuery>;
}

/** Collects the literals of one root field and counts what it asks for. */
export const startParsing = (context: CompileContext): ParseContext => makeContext(context.limits);
