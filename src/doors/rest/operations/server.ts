// /server: whether the service is reachable and healthy, what it is, and what it offers.

import {
  completeSetup,
  ping,
  readGraphqlAliases,
  readGraphqlSchema,
  readMetrics,
  readOpenApi,
  readSlowStatements,
  readTypes,
  serverHealth,
  serverInfo,
  serverReady,
} from '../../../service/operations/server.js';
import type { RestRoute } from './rest-route.js';

const plain = { kind: 'content', type: 'text/plain' } as const;

const graphqlSchema = (path: string, scope: 'items' | 'system'): RestRoute => ({
  operation: readGraphqlSchema,
  method: 'GET',
  path,
  fixed: { scope },
  headers: { 'content-disposition': `attachment; filename="${scope}.graphql"` },
  answer: plain,
});

export const serverRoutes: readonly RestRoute[] = [
  { operation: ping, method: 'GET', path: '/server/ping', early: 'always', answer: plain },
  { operation: serverInfo, method: 'GET', path: '/server/info' },
  { operation: completeSetup, method: 'POST', path: '/server/setup' },
  {
    operation: serverHealth,
    method: 'GET',
    path: '/server/health',
    early: 'without-token',
    headers: { 'cache-control': 'no-store' },
    answer: { kind: 'content', type: 'application/health+json' },
  },
  {
    operation: serverReady,
    method: 'GET',
    path: '/server/ready',
    early: 'always',
    headers: { 'cache-control': 'no-store' },
    answer: { kind: 'content', type: 'application/json' },
  },
  {
    operation: readMetrics,
    method: 'GET',
    path: '/metrics',
    headers: { 'cache-control': 'no-store' },
    answer: { kind: 'content', type: 'text/plain; version=0.0.4' },
  },
  { operation: readSlowStatements, method: 'GET', path: '/server/statements/slow', headers: { 'cache-control': 'no-store' } },
  { operation: readOpenApi, method: 'GET', path: '/server/specs/oas', answer: { kind: 'content', type: 'application/json' } },
  { operation: readTypes, method: 'GET', path: '/server/specs/types', answer: plain },
  { operation: readGraphqlAliases, method: 'GET', path: '/server/specs/graphql/aliases' },
  graphqlSchema('/server/specs/graphql', 'items'),
  { ...graphqlSchema('/server/specs/graphql/items', 'items'), described: false },
  {
    ...graphqlSchema('/server/specs/graphql/system', 'system'),
    described: { id: 'readSystemGraphqlSchema', summary: 'The GraphQL schema of everything else' },
  },
];
