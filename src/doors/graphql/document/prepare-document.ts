// From the text of a document to one that fits the caller's schema: parsed, measured, validated. One error lists everything that is wrong
// with it and suggests no names, since a suggestion may reveal a hidden one.

import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { invalidQuery, type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { QueryLimits } from '../../../core/query/query.js';
import { checkMeasure } from './measure-document.js';
import { validationRules } from './validation-rules.js';

export interface PreparedDocument {
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** In characters. Long texts belong in variables. */
const MAX_LENGTH = 250_000;
const MAX_TOKENS = 5000;
const MAX_ERRORS = 50;

export function prepareDocument(schema: GraphQLSchema, text: string, limits: QueryLimits): PreparedDocument {
  const document = parseDocument(text);
  checkMeasure(document, limits);
  const errors = validate(schema, document, validationRules, { maxErrors: MAX_ERRORS, hideSuggestions: true });
  if (errors.length > 0) throw graphqlValidation(errors);
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return {
    operations: document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION),
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
  };
}

function parseDocument(text: string): DocumentNode {
  if (text.length > MAX_LENGTH) throw invalidQuery(`The document is longer than ${MAX_LENGTH} characters.`);
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) throw graphqlValidation([error]);
    if (error instanceof RangeError) throw invalidQuery('The document is nested too deeply.');
    throw error;
  }
}

export function graphqlValidation(errors: readonly GraphQLError[]): ServiceError {
  const entries = errors.map(({ message, locations }) => (locations === undefined ? { message } : { message, locations }));
  return serviceError('GRAPHQL_VALIDATION', `GraphQL validation error. ${errors[0]?.message ?? ''}`.trim(), { errors: entries });
}
