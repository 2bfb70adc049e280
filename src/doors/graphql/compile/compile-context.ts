// What compiling works with: the schema, the fragments and variables of the operation, and how much it may still ask for.

import type { FieldNode, FragmentDefinitionNode, GraphQLSchema } from 'graphql';
import { makeContext, type ParseContext } from '../../../core/query/parse-context.js';
import type { ParsedQuery, Query, QueryLimits, Selection } from '../../../core/query/query.js';
import type { Variables } from '../document/variables.js';

/** What a root field comes to whatever the variables are. */
export type Constant =
  /** All of it. */
  | { readonly kind: 'query'; readonly parsed: ParsedQuery }
  /** What it selects, with the literals and the size of that. */
  | { readonly kind: 'selection'; readonly selection: CompiledSelection; readonly literals: readonly unknown[]; readonly nodes: number }
  | { readonly kind: 'nothing' };

export interface CompiledSelection {
  /** Never empty. */
  readonly fields: readonly Selection[];
  readonly deep: Readonly<Record<string, Query>>;
}

export interface CompileContext {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
  readonly limits: QueryLimits;
  /** Kept with the document, by root field. */
  readonly constants: Map<FieldNode, Constant>;
}

/** The literals of one root field. */
export const startParsing = (context: CompileContext): ParseContext => makeContext(context.limits);
