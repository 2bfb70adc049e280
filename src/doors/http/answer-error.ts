// Whatever was thrown becomes an answer of the closed table: `{"errors":[{"message","extensions":{"code",…}}]}`. A failure we did not
// foresee is logged with its request id and told without any detail.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../core/errors/codes.js';
import { invalidQuery, ServiceError, serviceError } from '../../core/errors/service-error.js';

/** Turns errors of lower floors that doors do not know into ServiceErrors; null: not mine. */
export type TranslateError = (error: unknown) => ServiceError | null;

/** What the framework and its plugins throw, by the status they give it. */
const codeOfStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'INVALID_PAYLOAD'],
  [404, 'ROUTE_NOT_FOUND'],
  [405, 'METHOD_NOT_ALLOWED'],
  [406, 'UNSUPPORTED_MEDIA_TYPE'],
  [412, 'PRECONDITION_FAILED'],
  [413, 'CONTENT_TOO_LARGE'],
  [414, 'CONTENT_TOO_LARGE'],
  [415, 'UNSUPPORTED_MEDIA_TYPE'],
  [416, 'RANGE_NOT_SATISFIABLE'],
  [429, 'REQUESTS_EXCEEDED'],
  [503, 'SERVICE_UNAVAILABLE'],
]);

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, translate: TranslateError): FastifyReply {
  const answer = explainError(error, request, translate);
  if (answer.code === 'CONTENT_TOO_LARGE' || !request.raw.complete) reply.header('connection', 'close');
  if (answer.status === 401) reply.header('www-authenticate', 'Bearer');
  if (answer.status === 503) reply.header('retry-after', '1');
  if (answer.status === 429) reply.header('retry-after', secondsUntil(answer.entries[0].extensions['reset']));
  return reply.code(answer.status).header('content-type', 'application/json; charset=utf-8').send(errorText(answer));
}

const secondsUntil = (reset: unknown): string => {
  const time = typeof reset === 'string' ? Date.parse(reset) : Date.now();
  return String(Math.max(1, Math.ceil((time - Date.now()) / 1000)));
};

/** The error clients may see; one we did not foresee is logged. */
export function explainError(error: unknown, request: FastifyRequest, translate: TranslateError): ServiceError {
  const known = toServiceError(error, translate);
  if (known !== null) return known;
  request.log.error({ err: error, requestId: request.id, method: request.method, url: request.url }, 'unexpected error');
  return serviceError('INTERNAL_SERVER_ERROR', 'An unexpected error occurred.', {}, error);
}

function toServiceError(error: unknown, translate: TranslateError): ServiceError | null {
  if (error instanceof ServiceError) return error;
  const translated = translate(error);
  if (translated !== null) return translated;
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return null;
  if ('code' in error && error.code === 'FST_ERR_BAD_URL') return invalidQuery('The path is not valid UTF-8.');
  const code = codeOfStatus.get(error.statusCode);
  return code === undefined ? null : serviceError(code, error.message);
}

export const errorText = (error: ServiceError): string =>
  JSON.stringify({
    errors: error.entries.map((entry) => ({ message: entry.message, extensions: { ...entry.extensions, code: entry.code } })),
  });

export const routeNotFound = (url: string): ServiceError => {
  const path = url.split('?', 1)[0] ?? url;
  return serviceError('ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`, { path });
};
