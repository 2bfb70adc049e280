// From the text of a document to one that fits the caller's schema: parsed, measured, validated. Everything wrong with it is told in one
// error, without guessing at names that may be hidden.

import {
  type DocumentNode,
  type FieldNode,
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
import type { Constant } from '../compile/compile-context.js';
import { checkMeasure } from './measure-document.js';
import { validationRules } from './validation-rules.js';

export interface Prepared {
  readonly document: DocumentNode;
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** What its root fields come to whatever the variables are; filled while it is used. */
  readonly constants: Map<FieldNode, Constant>;
}

/** In characters; a long text is sent as a variable. */
const MAX_LENGTH = 250_000;
const MAX_TOKENS = 5000;
const MAX_ERRORS = 50;

export function prepareDocument(schema: GraphQLSchema, text: string, limits: QueryLimits): Prepared {
  const document = parseDocument(text);
  checkMeasure(document, limits);
  const errors = validate(schema, document, validationRules, { maxErrors: MAX_ERRORS, hideSuggestions: true });
  if (errors.length > 0) throw graphqlValidation(errors);
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return {
    document,
    operations: document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION),
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
    constants: new Map(),
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
