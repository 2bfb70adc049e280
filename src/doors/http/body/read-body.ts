// Reads a request body into memory, within a limit of bytes and a deadline.

import type { IncomingMessage } from 'node:http';
import { invalidPayload, type ServiceError, serviceError } from '../../../core/errors/service-error.js';

export const contentTooLarge = (limit: number): ServiceError =>
  serviceError('CONTENT_TOO_LARGE', `The body is larger than ${limit} bytes.`, { limit });

export function readBody(message: IncomingMessage, limit: number, deadlineMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(message.headers['content-length'] ?? 0) > limit) {
      reject(contentTooLarge(limit));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => finish(invalidPayload(`The body did not arrive within ${deadlineMs / 1000} s.`)), deadlineMs);
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) finish(contentTooLarge(limit));
    };
    const onEnd = (): void => finish(null);
    const onError = (): void => finish(invalidPayload('The body ended before it was complete.'));
    const finish = (error: ServiceError | null): void => {
      clearTimeout(timer);
      message.off('data', onData).off('end', onEnd).off('error', onError).off('aborted', onError);
      if (error !== null) reject(error);
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    message.on('data', onData).on('end', onEnd).on('error', onError).on('aborted', onError);
  });
}
