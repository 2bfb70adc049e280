// Puts the GraphQL door together over the same engine and services as REST; loaded with the first request for it.

import { parseQueryObject } from './core/query/parse-query-object.js';
import { answerGraphql, type GraphqlDoor, sendSchemaFile } from './doors/graphql/answer-graphql.js';
import type { GraphqlAnswers } from './doors/graphql/graphql-routes.js';
import { authOperations } from './doors/graphql/operations/auth-operations.js';
import { drawSystemRoots } from './doors/graphql/operations/draw-operations.js';
import { fileOperations } from './doors/graphql/operations/file-operations.js';
import { itemOperations } from './doors/graphql/operations/item-operations.js';
import type { Operation, OperationCall } from './doors/graphql/operations/operation.js';
import { ownOperations } from './doors/graphql/operations/own-operations.js';
import { serverOperations } from './doors/graphql/operations/server-operations.js';
import { structureOperations } from './doors/graphql/operations/structure-operations.js';
import { utilityOperations } from './doors/graphql/operations/utility-operations.js';
import { versionOperations } from './doors/graphql/operations/version-operations.js';
import { SchemaCache } from './doors/graphql/schema/schema-cache.js';
import { explainError, type TranslateError } from './doors/http/answer-error.js';
import type { AuthDoor } from './doors/rest/auth-routes.js';
import { runBatch } from './doors/rest/batch-routes.js';
import type { FilesDoor } from './doors/rest/file-routes.js';
import type { SchemaDoor } from './doors/rest/schema-routes.js';
import type { ServerSources } from './doors/rest/server-routes.js';
import type { UtilityDoor } from './doors/rest/utility-routes.js';
import type { VersionContext } from './service/history/version-context.js';
import { parseBatch } from './service/utilities/parse-batch.js';

/** The doors REST has, each with what it works with. */
export interface GraphqlFloor {
  readonly identity: AuthDoor;
  readonly structure: SchemaDoor;
  readonly versions: VersionContext;
  readonly files: FilesDoor;
  readonly utilities: UtilityDoor;
  readonly server: ServerSources;
  readonly translateError: TranslateError;
  readonly isOutdated: (error: unknown) => boolean;
}

export function composeGraphql(floor: GraphqlFloor): GraphqlAnswers {
  const { utilities, translateError, isOutdated } = floor;
  const { limits, reader, writer, idempotency, applyVersion } = utilities;
  const operations = listOperations(floor, () => schemas);
  const schemas = new SchemaCache(limits, (drawing, caller) => drawSystemRoots(operations, drawing, caller));
  const door: GraphqlDoor = {
    reader,
    writer,
    idempotency,
    limits,
    schemas,
    operations: new Map(operations.map((operation) => [operation.name, operation])),
    work: utilities.work,
    readVersion: async (work, collection, segment, version) => {
      const main = await reader.itemBySegment(work, collection, segment, parseQueryObject({}, limits));
      return JSON.parse(await applyVersion(work, collection, segment, version, main)) as Readonly<Record<string, unknown>>;
    },
    isOutdated,
    explain: (error, request) => explainError(error, request, translateError),
  };
  return {
    answer: (endpoint, request, reply) => answerGraphql(door, endpoint, request, reply),
    sendSchema: (endpoint, request, reply) => sendSchemaFile(door, endpoint, request, reply),
  };
}

function listOperations(floor: GraphqlFloor, schemas: () => SchemaCache): readonly Operation[] {
  const { identity, structure, versions, files, utilities, server } = floor;
  const { reader, writer, limits } = utilities;
  return [
    ...serverOperations({ ...server, schemas }),
    ...authOperations(identity),
    ...ownOperations({
      ...identity,
      findItem: async (caller, collection, key) => {
        const fields = caller.view.schema.collections.get(collection)?.primaryKey ?? [];
        const work = { caller, connection: identity.auth.driver, signal: null, afterCommit: null };
        return reader.itemBySegment(work, collection, key, parseQueryObject({ fields }, limits));
      },
    }),
    ...structureOperations(structure),
    ...versionOperations({ versions, writer }),
    ...fileOperations({ files: files.files, writer }),
    ...itemOperations({ reader, writer, limits }),
    ...utilityOperations({ ...utilities, runBatch: (call, body) => batch(utilities, call, body) }),
  ];
}

async function batch(door: UtilityDoor, { caller }: OperationCall, body: unknown): Promise<unknown> {
  const parsed = parseBatch(body);
  const { text } = await door.writer.transaction(caller, (work) => runBatch(door, work, parsed), { dryRun: parsed.dryRun });
  return (JSON.parse(text) as { readonly data: unknown }).data;
}
