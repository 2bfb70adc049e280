// Which operation of a document runs, and with which values of its variables.

import { GraphQLError, type GraphQLSchema, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { graphqlValidation, type Prepared } from './prepare-document.js';
import type { Variables } from './variables.js';

const MAX_ERRORS = 20;

export function chooseOperation({ operations }: Prepared, name: string | null): OperationDefinitionNode {
  const [only, ...more] = operations;
  if (name === null && only !== undefined && more.length === 0) return only;
  const named = name === null ? undefined : operations.find((operation) => operation.name?.value === name);
  if (named !== undefined) return named;
  throw graphqlValidation([
    new GraphQLError(name === null ? 'Several operations: "operationName" has to say which one.' : 'There is no operation of that name.'),
  ]);
}

export function coerceVariables(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Variables): Variables {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return {};
  const { errors, coerced } = getVariableValues(schema, definitions, given, { maxErrors: MAX_ERRORS, hideSuggestions: true });
  if (errors !== undefined) throw graphqlValidation(errors);
  return coerced;
}
