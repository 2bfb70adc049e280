// Which bodies are taken: JSON in UTF-8, not compressed. Doors that take more (uploads) add their own parser in their own scope.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ServiceError, serviceError } from '../../core/errors/service-error.js';
import { queryBounds } from '../../core/query/json-nesting.js';
import { parseJsonBody, payloadBounds } from './parse-json-body.js';
import { readBody } from './read-body.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler takes a long list as a LongList. */
    readonly listsInParts?: (request: FastifyRequest) => boolean;
  }
}

export interface BodyLimits {
  readonly bodyLimit: number;
  readonly bodyTimeoutMs: number;
}

export function addBodyParsers(app: FastifyInstance, limits: BodyLimits): void {
  const most = payloadBounds(limits.bodyLimit);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    refuseEncodings(request);
    const bytes = await readBody(payload, limits.bodyLimit, limits.bodyTimeoutMs);
    return parseJsonBody(bytes, isQuery(request) ? queryBounds : most, request.routeOptions.config.listsInParts?.(request) === true);
  });
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (hasBody(request)) throw unsupportedMediaType(request.headers['content-type'] ?? '', 'Content-Type header');
    return undefined;
  });
}

/** Any other method may carry items to write, GraphQL's included. */
const isQuery = ({ method }: FastifyRequest): boolean => method === 'SEARCH' || method === 'QUERY';

function refuseEncodings(request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  const charset = type.length > 16 ? /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1] : undefined;
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw unsupportedMediaType(type, 'Content-Type header');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupportedMediaType(encoding, 'Content-Encoding header');
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');

export const unsupportedMediaType = (mediaType: string, where: string): ServiceError =>
  serviceError('UNSUPPORTED_MEDIA_TYPE', `Unsupported media type "${mediaType}" in the ${where}.`, { mediaType, where });
