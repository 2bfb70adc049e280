// What an extension did wrong. Its name goes to the log, with what it threw; the client is told neither.

import { ServiceError } from '../../core/errors/service-error.js';
import { DatabaseError } from '../../core/vendor/database-error.js';

export class ExtensionFault extends Error {
  constructor(extension: string, what: string, cause?: unknown) {
    super(`the extension "${extension}" ${what}`, cause === undefined ? undefined : { cause });
    this.name = 'ExtensionFault';
  }
}

/** Refusals, and failures of the database that may pass, go on as they are; anything else is the fault of whoever threw it. */
export function faultOf(extension: string, where: string, error: unknown): unknown {
  if (error instanceof ServiceError || error instanceof DatabaseError || error instanceof ExtensionFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ExtensionFault(extension, `failed in ${where}: ${message}`, error);
}
