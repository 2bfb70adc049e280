// Turns anything thrown into an answer with a code of the closed table: `{"errors":[{"message","extensions":{"code",…}}]}`. An unforeseen
// error is logged with its request id and answered without details.

import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../core/errors/codes.js';
import { invalidQuery, ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { beforeDropping, isSending } from '../body/drop-body.js';
import { isNewOutage } from './outages.js';

/** Turns errors of lower layers, which the HTTP frame does not know, into ServiceErrors; null for any other error. */
export type TranslateError = (error: unknown) => ServiceError | null;

/** The codes for errors of the framework and its plugins, by their status. */
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

/** A stream that failed before its first byte has already set these headers for its content. */
const headersOfContent = ['content-disposition', 'content-encoding', 'content-length'];

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, translate: TranslateError): FastifyReply {
  const answer = explainError(error, request, translate);
  return sendError(answer, request, reply, errorText(answer));
}

/** `text`: the error in the form of the door. */
export function sendError(answer: ServiceError, request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  if (!reply.raw.headersSent)
    for (const name of headersOfContent) {
      reply.removeHeader(name);
      reply.raw.removeHeader(name);
    }
  if (answer.status === 401) reply.header('www-authenticate', 'Bearer');
  if (answer.status === 503) reply.header('retry-after', '1');
  if (answer.status === 429) reply.header('retry-after', secondsUntil(answer.entries[0].extensions['reset']));
  reply.code(answer.status).header('content-type', 'application/json; charset=utf-8');
  if (!isSending(request.raw)) return reply.send(text);
  reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(text) });
  return reply.send(Readable.from(beforeDropping(text, request.raw), { objectMode: false }));
}

const secondsUntil = (reset: unknown): string => {
  const time = typeof reset === 'string' ? Date.parse(reset) : Date.now();
  return String(Math.max(1, Math.ceil((time - Date.now()) / 1000)));
};

/** The error that clients may see. Logs unforeseen errors, and outages and missing grants, which only an operator can fix. */
export const explainError = (error: unknown, { server, id, method, url }: FastifyRequest, translate: TranslateError): ServiceError =>
  explainFailure(error, server.log, translate, { requestId: id, method, url });

/** The same outside of a request, with the logger of the service; `about` states in the log what failed. */
export function explainFailure(error: unknown, log: FastifyBaseLogger, translate: TranslateError, about: object = {}): ServiceError {
  const known = toServiceError(error, translate);
  if (known !== null && known.cause !== undefined && (known.status === 503 || isDenied(known.cause)) && isNewOutage(log, known))
    log.warn({ ...about, cause: String(known.cause) }, known.message);
  if (known !== null) return known;
  log.error({ err: error, ...about }, 'unexpected error');
  return serviceError('INTERNAL_SERVER_ERROR', 'An unexpected error occurred.', {}, error);
}

/** The database refused the statement for lack of a grant. */
const isDenied = (cause: unknown): boolean => cause instanceof DatabaseError && cause.kind === 'denied';

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
