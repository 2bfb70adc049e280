// A failed root field in the answer: message, where it stands, the code the same failure has over REST.

import { type FieldNode, GraphQLError, getLocation } from 'graphql';
import { type ServiceError, serviceError } from '../../../core/errors/service-error.js';

export interface FieldError {
  readonly message: string;
  readonly locations: readonly { readonly line: number; readonly column: number }[];
  readonly path: readonly string[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** One error per field: the first failure; further ones of the same write stand beside it. */
export function toFieldError(error: ServiceError, key: string, node: FieldNode): FieldError {
  const [first, ...others] = error.entries;
  const failures = others.map(({ message, code, extensions }) => ({ ...extensions, message, code }));
  return {
    message: first.message,
    locations: node.loc === undefined ? [] : [getLocation(node.loc.source, node.loc.start)],
    path: [key],
    extensions: { ...first.extensions, code: first.code, ...(failures.length === 0 ? {} : { failures }) },
  };
}

/** What graphql-js refuses about arguments and values. */
export const fromGraphql = (error: unknown): ServiceError | null =>
  error instanceof GraphQLError ? serviceError('GRAPHQL_VALIDATION', error.message, {}, error) : null;
