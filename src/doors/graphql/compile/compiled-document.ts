// A valid document with its operations, each compiled when it is first chosen: a document may hold fifty, and a request runs one.

import { GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { QueryLimits } from '../../../core/query/query.js';
import { graphqlValidation, type PreparedDocument } from '../document/prepare-document.js';
import type { CompileSource } from './compile-context.js';
import { type CompiledOperation, compileOperation } from './compile-operation.js';

export class CompiledDocument {
  readonly #source: CompileSource;
  readonly #definitions: readonly OperationDefinitionNode[];
  readonly #compiled = new Map<OperationDefinitionNode, CompiledOperation>();

  constructor(schema: GraphQLSchema, { operations, fragments }: PreparedDocument, limits: QueryLimits) {
    this.#source = { schema, fragments, limits };
    this.#definitions = operations;
  }

  /** The operation of that name; without a name, the only one. */
  operation(name: string | null): CompiledOperation {
    const definition = this.#choose(name);
    const known = this.#compiled.get(definition);
    if (known !== undefined) return known;
    const compiled = compileOperation(this.#source, definition);
    this.#compiled.set(definition, compiled);
    return compiled;
  }

  #choose(name: string | null): OperationDefinitionNode {
    const [only, ...more] = this.#definitions;
    if (name === null && only !== undefined && more.length === 0) return only;
    const named = name === null ? undefined : this.#definitions.find((definition) => definition.name?.value === name);
    if (named !== undefined) return named;
    throw graphqlValidation([
      new GraphQLError(name === null ? 'Several operations: "operationName" has to say which one.' : 'There is no operation of that name.'),
    ]);
  }
}
