// What a failed operation leaves in the data of a run: always a code, a status and a message, and no stack and no configuration.

import { errorStatus } from '../../../core/errors/codes.js';
import { AuthoredError, type ErrorEntry, ServiceError, serviceError } from '../../../core/errors/service-error.js';

export interface Failure {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** A failure that leaves more than code, status and message: unfulfilled conditions, the answer of a request that was refused. */
export class StepFailure extends Error {
  readonly left: unknown;
  /** What a request is answered whose flow ends here and answers with errors. */
  readonly refusal: ServiceError;

  constructor(left: unknown, refusal: ServiceError) {
    super(refusal.message);
    this.name = 'StepFailure';
    this.left = left;
    this.refusal = refusal;
  }
}

/** Undefined: the error is unforeseen and belongs into the log of the service. */
export function failureOf(error: unknown): unknown {
  if (error instanceof StepFailure) return error.left;
  if (error instanceof AuthoredError) return { code: error.code, status: error.status, message: error.message };
  if (!(error instanceof ServiceError)) return undefined;
  const failures = error.entries.map(toFailure);
  return failures.length === 1 ? failures[0] : failures;
}

/** The error of a request whose flow ended by this failure; it hides what is unforeseen. */
export function refusalOf(error: unknown): ServiceError {
  if (error instanceof StepFailure) return error.refusal;
  return error instanceof ServiceError ? error : serviceError(unforeseen.code, unforeseen.message, {}, error);
}

export const toFailure = ({ code, message, extensions }: ErrorEntry): Failure => ({
  code,
  status: errorStatus[code],
  message,
  ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
});

export const unforeseen = { code: 'INTERNAL_SERVER_ERROR', status: 500, message: 'An unexpected error occurred.' } as const;

/** What of a failure a caller may see who gets the result of a run: the rest may tell what the flow works with. */
export function publicFailure(left: unknown): unknown {
  if (Array.isArray(left)) return left.map(publicFailure);
  if (typeof left !== 'object' || left === null) return { code: unforeseen.code, status: 500 };
  const { code = unforeseen.code, status = 500 } = left as Partial<Failure>;
  return { code, status };
}
