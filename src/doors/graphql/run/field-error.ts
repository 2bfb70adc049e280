// The error of a failed root field: message, location, path, and the code that the same failure has over REST.

import { type FieldNode, GraphQLError, getLocation } from 'graphql';
import { type ServiceError, serviceError } from '../../../core/errors/service-error.js';

export interface FieldError {
  readonly message: string;
  readonly locations: readonly { readonly line: number; readonly column: number }[];
  readonly path: readonly string[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** One error per field. If a write failed for several reasons, the first is the error and `failures` lists the others. */
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

/** The error for a value or argument that graphql-js refuses; null for any other error. */
export const fromGraphql = (error: unknown): ServiceError | null =>
  error instanceof GraphQLError ? serviceError('GRAPHQL_VALIDATION', error.message, {}, error) : null;
