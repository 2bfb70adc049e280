// What the service says of itself.

import {
  completeSetup,
  knownServerInfo,
  ping,
  publicServerInfo,
  readGraphqlSchema,
  readMetrics,
  readOpenApi,
  readTypes,
  serverHealth,
  serverInfo,
  serverReady,
} from '../../../../service/operations/server.js';
import { outputType } from '../draw-shapes.js';
import type { OperationField } from '../operation-field.js';

export const serverFields: readonly OperationField[] = [
  { operation: ping, kind: 'query', field: 'server_ping' },
  {
    operation: serverInfo,
    kind: 'query',
    field: 'server_info',
    type: ({ accountability }) => outputType(accountability.user === null ? publicServerInfo : knownServerInfo),
  },
  { operation: serverHealth, kind: 'query', field: 'server_health' },
  { operation: serverReady, kind: 'query', field: 'server_ready' },
  { operation: readMetrics, kind: 'query', field: 'server_metrics' },
  { operation: readOpenApi, kind: 'query', field: 'server_specs_oas' },
  { operation: readTypes, kind: 'query', field: 'server_specs_types' },
  { operation: readGraphqlSchema, kind: 'query', field: 'server_specs_graphql' },
  { operation: completeSetup, kind: 'mutation', field: 'server_setup' },
];
