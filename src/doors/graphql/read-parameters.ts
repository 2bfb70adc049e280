// Reads the parameters of a request: the document, its variables, the name of the operation. POST has them in a JSON body, GET in the URL.

import type { FastifyRequest } from 'fastify';
import { invalidPayload, invalidQuery, type ServiceError, serviceError } from '../../core/errors/service-error.js';
import { isNestedTooDeeply } from '../../core/util/json-nesting.js';
import { isPlainObject } from '../../core/util/plain-object.js';
import { tryParseJson } from '../../core/util/try-parse-json.js';
import type { Variables } from './compile/compile-context.js';

export interface Parameters {
  readonly query: string;
  readonly variables: Variables;
  readonly operationName: string | null;
}

export const readParameters = (request: FastifyRequest): Parameters =>
  request.method === 'POST' ? readBody(request.body) : readUrl(request.raw.url ?? '');

/** Also of a message over a WebSocket. */
export function readBody(body: unknown): Parameters {
  if (!isPlainObject(body)) throw invalidPayload('The body has to be an object with "query"; several operations need several requests.');
  const { query, variables, operationName, extensions } = body;
  if (typeof variables === 'string') throw serviceError('GRAPHQL_EXECUTION', '"variables" has to be an object, not its JSON text.');
  if (variables !== undefined && variables !== null && !isPlainObject(variables)) throw invalidPayload('"variables" has to be an object.');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw invalidPayload('"operationName" has to be text.');
  if (extensions !== undefined && extensions !== null && !isPlainObject(extensions))
    throw invalidPayload('"extensions" has to be an object.');
  return { query: checkDocument(query, extensions), variables: variables ?? {}, operationName: nameOrNull(operationName) };
}

function readUrl(url: string): Parameters {
  const start = url.indexOf('?');
  const given = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  return {
    query: checkDocument(given.get('query'), parseMap(given.get('extensions'), 'extensions')),
    variables: parseMap(given.get('variables'), 'variables'),
    operationName: nameOrNull(given.get('operationName')),
  };
}

/** Clients that send the digest of a document first go on with the document itself after exactly this message. */
const noPersisted = (): ServiceError => serviceError('GRAPHQL_VALIDATION', 'PersistedQueryNotSupported');

function checkDocument(query: unknown, extensions: unknown): string {
  const isMissing = query === undefined || query === null;
  if (isMissing && isPlainObject(extensions) && extensions['persistedQuery'] !== undefined) throw noPersisted();
  if (typeof query !== 'string' || query.trim() === '') throw invalidPayload('"query" has to be the text of a GraphQL document.');
  return query;
}

const nameOrNull = (name: string | null | undefined): string | null => (name === undefined || name === '' ? null : name);

function parseMap(text: string | null, parameter: string): Variables {
  if (text === null || text === '') return {};
  const value = isNestedTooDeeply(text) ? undefined : tryParseJson(text);
  if (value === null) return {};
  if (!isPlainObject(value)) throw invalidQuery(`"${parameter}" has to be a JSON object.`);
  return value;
}
