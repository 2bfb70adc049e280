// Reads the parts of a form as they arrive, and turns errors of the parser into errors that name what to fix.

import type { FastifyRequest } from 'fastify';
import { invalidPayload, ServiceError } from '../../core/errors/service-error.js';
import type { UploadPart } from '../../service/files/transfer/receive-upload.js';

export async function* readFormParts(request: FastifyRequest): AsyncGenerator<UploadPart> {
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        yield { kind: 'file', filename: part.filename ?? '', type: part.mimetype, bytes: part.file };
        // Unread bytes would keep the next part from arriving.
        part.file.resume();
      } else {
        if (part.valueTruncated || part.fieldnameTruncated) throw invalidPayload('A text of the form is too long.');
        yield { kind: 'text', name: part.fieldname, text: textOf(part.value) };
      }
    }
  } catch (error) {
    throw explain(error);
  }
}

/** Parts that say they are JSON come parsed. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function explain(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  if ('statusCode' in error) return error;
  return invalidPayload('The form cannot be read: it is broken off or malformed.');
}
