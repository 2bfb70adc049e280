// What is not even HTTP: answered on the bare socket, in the same shape as every other error, and closed.

import type { Socket } from 'node:net';
import { invalidPayload, type ServiceError, serviceError } from '../../core/errors/service-error.js';
import { errorText } from './answer-error.js';

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    return;
  }
  const answer = toAnswer(error);
  const text = errorText(answer);
  const reason = answer.status === 413 ? 'Content Too Large' : 'Bad Request';
  socket.end(
    `HTTP/1.1 ${answer.status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const toAnswer = (error: NodeJS.ErrnoException): ServiceError =>
  error.code === 'HPE_HEADER_OVERFLOW'
    ? serviceError('CONTENT_TOO_LARGE', 'The URL and the headers are too large. Send a large query as the body of a SEARCH request.')
    : invalidPayload('The request is not valid HTTP.');
