// Whether a request can only read, as far as its method says it. A POST of GraphQL or to an agent's door may:
// what writes is refused where the document, or the tool, is known.

import type { FastifyRequest } from 'fastify';

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'SEARCH', 'QUERY']);
const mixedPath = /^\/(?:graphql(?:\/system)?|mcp)\/?(?:\?|$)/;

export const isReading = ({ method, raw: { url = '' } }: FastifyRequest): boolean =>
  readingMethods.has(method) || (method === 'POST' && mixedPath.test(url));
