// Whether a request can only read, as far as its method says it. A POST of GraphQL may: mutations are refused where the document is known.

import type { FastifyRequest } from 'fastify';

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'SEARCH', 'QUERY']);
const graphqlPath = /^\/graphql(?:\/system)?\/?(?:\?|$)/;

export const isReading = ({ method, raw: { url = '' } }: FastifyRequest): boolean =>
  readingMethods.has(method) || (method === 'POST' && graphqlPath.test(url));
