// What a request asks to run: the document, its variables, the operation meant. POST carries it in a JSON body, GET in the URL.

import type { FastifyRequest } from 'fastify';
import { invalidPayload, invalidQuery, serviceError } from '../../core/errors/service-error.js';
import { isNestedTooDeeply } from '../../core/query/json-nesting.js';
import type { Variables } from './document/variables.js';

export interface Parameters {
  readonly query: string;
  readonly variables: Variables;
  readonly operationName: string | null;
}

type Body = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

export const readParameters = (request: FastifyRequest): Parameters =>
  request.method === 'POST' ? readBody(request.body) : readUrl(request.raw.url ?? '');

function readBody(body: unknown): Parameters {
  if (!isMap(body)) throw invalidPayload('The body has to be an object with "query"; several operations need several requests.');
  const { query, variables, operationName, extensions } = body;
  if (typeof variables === 'string') throw serviceError('GRAPHQL_EXECUTION', '"variables" has to be an object, not its JSON text.');
  if (variables !== undefined && variables !== null && !isMap(variables)) throw invalidPayload('"variables" has to be an object.');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw invalidPayload('"operationName" has to be text.');
  if (extensions !== undefined && extensions !== null && !isMap(extensions)) throw invalidPayload('"extensions" has to be an object.');
  return { query: checkDocument(query), variables: variables ?? {}, operationName: nameOrNull(operationName) };
}

function readUrl(url: string): Parameters {
  const start = url.indexOf('?');
  const given = new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  return {
    query: checkDocument(given.get('query')),
    variables: parseMap(given.get('variables'), 'variables'),
    operationName: nameOrNull(given.get('operationName')),
  };
}

function checkDocument(query: unknown): string {
  if (typeof query !== 'string' || query.trim() === '') throw invalidPayload('"query" has to be the text of a GraphQL document.');
  return query;
}

const nameOrNull = (name: string | null | undefined): string | null => (name === undefined || name === '' ? null : name);

function parseMap(text: string | null, parameter: string): Variables {
  if (text === null || text === '') return {};
  const value = parseJson(text);
  if (value === null) return {};
  if (!isMap(value)) throw invalidQuery(`"${parameter}" has to be a JSON object.`);
  return value;
}

function parseJson(text: string): unknown {
  if (isNestedTooDeeply(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
