// Puts the GraphQL door together over the same engine and services as REST; loaded with the first request for it.

import { printSchema } from 'graphql';
import { answerGraphql, type GraphqlDeps } from '../doors/graphql/answer-graphql.js';
import { SchemaCache } from '../doors/graphql/compile/schema-cache.js';
import type { GraphqlAnswers } from '../doors/graphql/graphql-routes.js';
import { drawSystemRoots } from '../doors/graphql/operations/draw-operations.js';
import { graphqlTable } from '../doors/graphql/operations/graphql-table.js';
import { itemOperations } from '../doors/graphql/operations/item-operations.js';
import type { Operation } from '../doors/graphql/operations/operation.js';
import { drawField, type OperationField } from '../doors/graphql/operations/operation-field.js';
import { prepareEvents } from '../doors/graphql/prepare-events.js';
import { explainError, type TranslateError } from '../doors/http/answer/answer-error.js';
import type { ServeDeps } from '../doors/http/answer/serve-operation.js';
import type { VersionReader } from '../service/history/versions/version-reader.js';

export interface ComposeGraphqlDeps {
  readonly serve: ServeDeps;
  readonly versionReader: VersionReader;
  readonly work: GraphqlDeps['work'];
  readonly translateError: TranslateError;
  readonly isOutdated: (error: unknown) => boolean;
  /** Fields of this service alone. */
  readonly fields: readonly OperationField[];
}

export function composeGraphql(deps: ComposeGraphqlDeps): GraphqlAnswers {
  const { serve, versionReader, work, translateError, isOutdated } = deps;
  const { reader, writer, idempotency, limits } = serve.operations;
  const operations = listOperations(deps);
  const schemas = new SchemaCache(limits, (drawing, caller) => drawSystemRoots(operations, drawing, caller));
  const door: GraphqlDeps = {
    reader,
    writer,
    idempotency,
    schemas,
    operations: new Map(operations.map((operation) => [operation.name, operation])),
    work,
    versions: versionReader,
    isOutdated,
    explain: (error, request) => explainError(error, request, translateError),
  };
  return {
    answer: (endpoint, request, reply) => answerGraphql(door, endpoint, request, reply),
    prepareEvents: (caller, payload) => prepareEvents(schemas, caller, payload),
    printSchema: (caller, endpoint) => printSchema(schemas.get(caller, endpoint).schema),
  };
}

function listOperations({ serve, versionReader, fields }: ComposeGraphqlDeps): readonly Operation[] {
  const { reader, writer, limits } = serve.operations;
  return [
    ...[...graphqlTable, ...fields].map((row) => drawField(serve, row)),
    ...itemOperations({ reader, writer, versions: versionReader, limits }),
  ];
}
