// Answers input that is not valid HTTP: an error of the usual shape, written to the socket, which is then closed.

import type { Socket } from 'node:net';
import { invalidPayload, type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { errorText } from '../answer/answer-error.js';
import { endSocket, isLingering } from '../body/drop-body.js';

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (isLingering(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    endSocket(socket, 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    return;
  }
  const answer = toAnswer(error);
  const text = errorText(answer);
  const reason = answer.status === 413 ? 'Content Too Large' : 'Bad Request';
  endSocket(
    socket,
    `HTTP/1.1 ${answer.status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const toAnswer = (error: NodeJS.ErrnoException): ServiceError =>
  error.code === 'HPE_HEADER_OVERFLOW'
    ? serviceError('CONTENT_TOO_LARGE', 'The URL and the headers are too large. Send a large query as the body of a SEARCH request.')
    : invalidPayload('The request is not valid HTTP.');
