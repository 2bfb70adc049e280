// Parses request bodies: JSON or YAML in UTF-8, not compressed. Routes that accept anything else (uploads) add a parser in a scope of their own.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidPayload, unsupportedMediaType } from '../../../core/errors/service-error.js';
import { queryBounds } from '../../../core/util/json-nesting.js';
import { carriesBody } from './drop-body.js';
import { parseFormBody, parseTextBody } from './parse-form-body.js';
import { parseJsonBody, payloadBounds } from './parse-json-body.js';
import { readBody } from './read-body.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler accepts a long list as a LongList, which is parsed while it is written. */
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
    const { clock } = request.context;
    clock?.start('parse');
    const listsInParts = request.routeOptions.config.listsInParts?.(request) === true;
    const body = await parseJsonBody(bytes, isQuery(request) ? queryBounds : most, listsInParts);
    clock?.stop();
    return body;
  });
  app.addContentTypeParser([...yamlTypes], async (request: FastifyRequest, payload: IncomingMessage) => {
    refuseEncodings(request);
    const bytes = await readBody(payload, limits.bodyLimit, limits.bodyTimeoutMs);
    return parseYamlBody(bytes, isQuery(request) ? queryBounds : most);
  });
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (carriesBody(request.headers)) throw unsupportedMediaType(request.headers['content-type'] ?? '', 'Content-Type header');
    return undefined;
  });
}

/** For webhooks, whose senders choose what they send: forms without files and text as well. */
export function addWebhookParsers(scope: FastifyInstance, { bodyLimit, bodyTimeoutMs }: BodyLimits): void {
  const add = (type: string | RegExp, parse: (bytes: Buffer) => unknown): void => {
    scope.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) => {
      refuseEncodings(request);
      return parse(await readBody(payload, bodyLimit, bodyTimeoutMs));
    });
  };
  add('application/x-www-form-urlencoded', parseFormBody);
  add(/^text\//, parseTextBody);
}

/** The structure of a project is kept as a file of YAML. */
const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'] as const;

/** As JSON it passes the same bounds of depth and size as any other body. JSON is YAML, too. */
export async function parseYamlBody(bytes: Buffer, bounds: ReturnType<typeof payloadBounds>): Promise<unknown> {
  const { parse } = await import('yaml');
  return parseJsonBody(Buffer.from(JSON.stringify(readYaml(bytes, parse) ?? null)), bounds, false);
}

function readYaml(bytes: Buffer, parse: (text: string) => unknown): unknown {
  try {
    return parse(bytes.toString('utf8'));
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw invalidPayload(`The body is no YAML: ${line}`);
  }
}

/** Bodies of all other methods, GraphQL's included, may carry items to write and have the wider bounds of payloads. */
const isQuery = ({ method }: FastifyRequest): boolean => method === 'SEARCH' || method === 'QUERY';

function refuseEncodings(request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  const charset = type.length > 16 ? /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1] : undefined;
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw unsupportedMediaType(type, 'Content-Type header');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupportedMediaType(encoding, 'Content-Encoding header');
}
